/** Values of machines, written alike on both sides. A provider spec is checked by nobody, so that each looks at the type. */
import { goQuote, stringifyJson } from '@capstan/meta';
import type { Codec } from '../engine/codec.js';
import { move } from '../engine/field-rules.js';
import type { PathLike } from '../engine/path.js';
import { claimPath, getAt, isRecord, parsePath, setAt } from '../engine/path.js';
import { addError } from '../engine/rule.js';
import type { Claim, Side } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** What is wrong with a value; `undefined` when nothing is. */
type ValueCheck = (value: unknown) => string | undefined;

const isText: ValueCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isWhole: ValueCheck = (value) => (Number.isSafeInteger(value) ? undefined : 'must be a whole number');
const isFlag: ValueCheck = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

const shown = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : stringifyJson(value));

const kept = { keepsAbsence: true, keepsShape: true } as const;

/** The value itself on both sides. One that equals `nothing` means the same as absent, and is left out. */
function checked(check: ValueCheck, nothing?: unknown): Codec<MachineContext> {
  const convert: Codec<MachineContext>['forward'] = (value, field) => {
    if (value === undefined || value === nothing) return undefined;
    const problem = check(value);
    if (problem === undefined) return value;
    field.error(problem);
    return undefined;
  };
  const normal = (value: unknown): unknown => (value === nothing ? undefined : value);
  return { forward: convert, backward: convert, normal: { left: normal, right: normal }, ...kept };
}

/** A text; the empty one differs from none. */
export const text: Codec<MachineContext> = checked(isText);

/** A flag; false differs from absent. */
export const flag: Codec<MachineContext> = checked(isFlag);

/** A text for which empty means absent, on either side. */
export const optionalText: Codec<MachineContext> = checked(isText, '');

/** A whole number for which zero means absent, on either side. */
export const optionalNumber: Codec<MachineContext> = checked(isWhole, 0);

/** A flag for which false means absent, on either side. */
export const optionalFlag: Codec<MachineContext> = checked(isFlag, false);

/** A text that must be there, and not be empty. `reason` is what it is needed for. */
export function requiredText(reason: string): Codec<MachineContext> {
  const convert: Codec<MachineContext>['forward'] = (value, field) => {
    const problem = value === undefined || value === '' ? reason : isText(value);
    if (problem !== undefined) field.error(problem);
    return value;
  };
  return { forward: convert, backward: convert, keepsShape: true };
}

/** One of a few texts, the same on both sides. The empty text means the same as absent. */
export function oneOf(...values: readonly string[]): Codec<MachineContext> {
  const known = new Set<unknown>(values);
  const names = values.map((value) => goQuote(value)).join(', ');
  return checked((value) => {
    if (known.has(value)) return undefined;
    return `Unsupported value: ${shown(value)}: supported values: ${names}`;
  }, '');
}

/** One of a few texts, each with its own on the other side. The empty text means the same as absent. */
export function translated(pairs: readonly (readonly [left: string, right: string])[]): Codec<MachineContext> {
  const oneWay = (from: 0 | 1, to: 0 | 1): Codec<MachineContext>['forward'] => {
    const values = new Map<unknown, string>(pairs.map((pair) => [pair[from], pair[to]]));
    const names = pairs.map((pair) => goQuote(pair[from])).join(', ');
    return (value, field) => {
      if (value === undefined || value === '') return undefined;
      const other = values.get(value);
      if (other === undefined) field.error(`Unsupported value: ${shown(value)}: supported values: ${names}`);
      return other;
    };
  };
  const normal = (value: unknown): unknown => (value === '' ? undefined : value);
  return { forward: oneWay(0, 1), backward: oneWay(1, 0), normal: { left: normal, right: normal }, keepsAbsence: true };
}

/** A whole number between two others, whichever width it has on either side; zero means absent. */
export function numberBetween(least: number, most: number): Codec<MachineContext> {
  const { forward, backward, normal } = checked((value) => {
    const problem = isWhole(value);
    if (problem !== undefined) return problem;
    const number = value as number;
    return number >= least && number <= most ? undefined : `must be from ${least} to ${most}, and is ${number}`;
  }, 0);
  return { forward, backward, keepsAbsence: true, ...(normal === undefined ? {} : { normal }) };
}

/** A list of texts; an empty one means the same as absent, and is written where a side insists on it. */
export function textList(always?: Side): Codec<MachineContext> {
  const convert = (to: Side): Codec<MachineContext>['forward'] => {
    return (value, field) => {
      if (value === undefined) return always === to ? [] : undefined;
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
      field.error('must be a list of strings');
      return undefined;
    };
  };
  return { forward: convert('right'), backward: convert('left'), keepsShape: true };
}

/** The user data of a machine: the name of a secret in the provider spec, and on the Cluster API machine. */
export const userData: MachineRule = move('userDataSecret.name', 'bootstrap.dataSecretName', optionalText);

/** Whether a value means the same as absent: a zero, or what holds nothing else. */
export function isZeroValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.values(value).every(isZeroValue);
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

/**
 * A field the other side cannot express: an error when it is set. Its zero value means absent, and is dropped: programs
 * in Go write it where nobody set the field.
 */
export function refused(side: Side, path: PathLike, reason: string): MachineRule {
  const steps = parsePath(path);
  const claims: Record<Side, readonly Claim[]> = { left: [], right: [] };
  claims[side] = [{ path: claimPath(steps), fate: 'unsupported' }];
  return {
    claims,
    acts: (from) => from === side,
    convert: (scope) => {
      if (scope.run.from !== side) return;
      const value = getAt(scope.source, steps);
      if (value === undefined || isZeroValue(value)) return;
      if (scope.run.to === side) setAt(scope.target, steps, value);
      else addError(scope, steps, reason, 'Unsupported');
    },
  };
}

/** A field that has one value only, since the other side knows no other; `reason` is the message. Zero means absent. */
export function fixed(side: Side, path: PathLike, value: string | number | boolean, reason: string): MachineRule {
  const steps = parsePath(path);
  const claims: Record<Side, readonly Claim[]> = { left: [], right: [] };
  claims[side] = [{ path: claimPath(steps), fate: 'constant' }];
  return {
    claims,
    convert: (scope) => {
      if (scope.run.to === side) {
        setAt(scope.target, steps, value);
        return;
      }
      const found = getAt(scope.source, steps);
      if (found === undefined || found === value || isZeroValue(found)) return;
      addError(scope, steps, `is ${shown(found)}, and only ${shown(value)} can be kept: ${reason}`, 'Unsupported');
    },
  };
}
