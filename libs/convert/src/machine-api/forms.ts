/** Values that Cluster API takes only in some forms, which Machine API does not look at: checked on their way. */
import { goQuote, stringifyJson } from '@capstan/meta';
import type { Codec } from '../engine/codec.js';
import type { Step } from '../engine/path.js';
import { isRecord, stepInto } from '../engine/path.js';
import type { Field } from '../engine/rule.js';
import { addError } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** What a text must be besides a text. */
export interface TextForm {
  readonly maxLength?: number;
  /** The message for a text of another form: `must be a UUID`. */
  readonly form?: { readonly pattern: RegExp; readonly mustBe: string };
  /** What is wrong when it is not there; it may be left out when not given. */
  readonly needed?: string;
}

type Convert = (value: unknown, field: Field<MachineContext>) => unknown;

const orAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

/** What is wrong with a text; `undefined` when nothing is. */
export function textProblem(value: unknown, { maxLength, form }: TextForm): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (form !== undefined && !form.pattern.test(value)) return `is ${stringifyJson(value)}: ${form.mustBe}`;
  return undefined;
}

/** A text for which empty means absent, on either side. */
export function textOf(form: TextForm = {}): Codec<MachineContext> {
  const convert: Convert = (value, field) => {
    if (value === undefined || value === '') {
      if (form.needed !== undefined) field.error(form.needed);
      return undefined;
    }
    const problem = textProblem(value, form);
    if (problem === undefined) return value;
    field.error(problem);
    return undefined;
  };
  return { keepsShape: true, forward: convert, backward: convert, normal: { left: orAbsent, right: orAbsent } };
}

function withoutRepeats(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set<unknown>(value)] : value;
}

/** A list of texts of which each counts once. */
export function distinctTexts(form: TextForm = {}): Codec<MachineContext> {
  const convert: Convert = (value, field) => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      field.error('must be a list');
      return undefined;
    }
    const bad = value.find((item) => item === '' || textProblem(item, form) !== undefined);
    if (bad === undefined) return value.length === 0 ? undefined : withoutRepeats(value);
    const problem = bad === '' ? 'an empty string has no meaning' : `${stringifyJson(bad)} ${textProblem(bad, form)}`;
    field.error(`has an item that cannot be kept: ${problem}`);
    return undefined;
  };
  return {
    keepsShape: true,
    forward: convert,
    backward: convert,
    normal: { left: withoutRepeats, right: withoutRepeats },
  };
}

/** A map from texts to texts. */
export const textMap: Codec<MachineContext> = (() => {
  const convert: Convert = (value, field) => {
    if (value === undefined) return undefined;
    if (isRecord(value) && Object.values(value).every((each) => typeof each === 'string')) return value;
    field.error('must be an object with a text for each key');
    return undefined;
  };
  return { keepsShape: true, forward: convert, backward: convert };
})();

/** A whole number for which zero means absent. */
export function wholeNumber({
  min = 0,
  needed,
}: { readonly min?: number; readonly needed?: string } = {}): Codec<MachineContext> {
  const orNone = (value: unknown): unknown => (value === 0 ? undefined : value);
  const convert: Convert = (value, field) => {
    if (value === undefined || value === 0) {
      if (needed !== undefined) field.error(needed);
      return undefined;
    }
    if (Number.isSafeInteger(value) && (value as number) >= min) return value;
    field.error(`must be a whole number of at least ${min}`);
    return undefined;
  };
  return { keepsShape: true, forward: convert, backward: convert, normal: { left: orNone, right: orNone } };
}

/** Holds that no two items of a list have the same key, where Cluster API keeps the list by it. Claims nothing. */
export function oncePer(list: string, key: string): MachineRule {
  return {
    claims: { left: [], right: [] },
    convert: (scope) => {
      const items = scope.source[list];
      if (scope.run.from === scope.run.to || !Array.isArray(items)) return;
      const keys = items.map((item: unknown) => (isRecord(item) ? item[key] : undefined));
      const before = stepInto(scope.at, [list]);
      keys.forEach((each, index) => {
        if (typeof each !== 'string' || keys.indexOf(each) === index) return;
        const at: Step = { before, kind: 'index', name: String(index) };
        addError(
          { ...scope, at },
          [key],
          `Duplicate value: ${goQuote(each)}: Cluster API keeps the list by its ${key}`,
        );
      });
    },
  };
}
