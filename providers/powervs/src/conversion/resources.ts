/** Things of a Power VS service that are found by id, name or pattern: a type selects which in Machine API, the field that is set in Cluster API. */
import { addError, getAt, isRecord, setAt } from '@capstan/convert';
import type { Claim, Scope } from '@capstan/convert';
import { isZeroValue } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';

const types = [
  ['ID', 'id'],
  ['Name', 'name'],
  ['RegEx', 'regex'],
] as const;

/** By what a resource is found. */
interface Found {
  readonly type: 'ID' | 'Name' | 'RegEx';
  readonly field: 'id' | 'name' | 'regex';
  readonly value: string;
}

/** How a resource is named in Cluster API besides. */
export interface OldName {
  readonly path: readonly [string, ...string[]];
  readonly means: 'ID' | 'Name';
  /** Set where the CRD insists on the field. */
  readonly isRequired?: true;
}

/** A resource, and by what it can be found. */
export interface Resource {
  readonly name: string;
  /** Machine API takes patterns for networks only. */
  readonly byPattern: boolean;
  readonly old?: OldName;
}

type MachineScope = Scope<MachineContext>;

/** What is set in a record; more than one is as wrong as none. */
function setFields(record: JsonObject): Found[] {
  return types.flatMap(([type, field]) => {
    const value = record[field] ?? '';
    return value === '' ? [] : [{ type, field, value: value as string }];
  });
}

/** The one way by which a resource is found; `undefined` after an error that names what is wrong. */
function oneOf(
  scope: MachineScope,
  resource: Resource,
  found: readonly Found[],
  record: JsonObject,
): Found | undefined {
  const path = [resource.name];
  const [first, second] = found;
  const wrong = types.find(([, field]) => !['string', 'undefined'].includes(typeof (record[field] ?? undefined)));
  if (wrong !== undefined) addError(scope, [...path, wrong[1]], 'must be a string');
  else if (first === undefined) addError(scope, path, 'must be set: by id or by name');
  else if (second !== undefined)
    addError(scope, [...path, second.field], `cannot be set together with ${first.field}: remove one of them`);
  else if (first.type === 'RegEx' && !resource.byPattern)
    addError(scope, [...path, first.field], 'cannot be kept: Machine API takes an id or a name here');
  else return first;
  return undefined;
}

function readMachineApi(scope: MachineScope, resource: Resource): Found | undefined {
  const record = getAt(scope.source, [resource.name]) ?? {};
  if (!isRecord(record)) return undefined;
  const found = oneOf(scope, resource, setFields(record), record);
  const type = record['type'] ?? '';
  if (found === undefined || found.type === type) return found;
  const known = types.map(([each]) => goQuote(each)).join(', ');
  const message = types.some(([each]) => each === type)
    ? `is ${stringifyJson(type)}, and ${found.field} is set: they must be about the same`
    : `Unsupported value: ${stringifyJson(type)}: supported values: ${known}`;
  addError(scope, [resource.name, 'type'], message);
  return undefined;
}

/** The old fields of Cluster API in the form of the new ones. */
function readOld(scope: MachineScope, { old }: Resource): Found | undefined {
  const value = old === undefined ? undefined : getAt(scope.source, old.path);
  if (old === undefined || value === undefined || value === '') return undefined;
  if (typeof value === 'string') return { type: old.means, field: old.means === 'ID' ? 'id' : 'name', value };
  addError(scope, old.path, 'must be a string');
  return undefined;
}

function readClusterApi(scope: MachineScope, resource: Resource): Found | undefined {
  const record = getAt(scope.source, [resource.name]) ?? {};
  if (!isRecord(record)) return undefined;
  const old = readOld(scope, resource);
  if (old === undefined) return oneOf(scope, resource, setFields(record), record);
  if (isZeroValue(record)) return old;
  const [first] = setFields(record);
  if (first?.type === old.type && first.value === old.value) return oneOf(scope, resource, setFields(record), record);
  addError(scope, resource.old?.path ?? [], `differs from ${resource.name}: remove one of them`);
  return undefined;
}

function write(target: JsonObject, { name, old }: Resource, { field, type, value }: Found, to: 'left' | 'right'): void {
  setAt(target, [name], to === 'left' ? { type, [field]: value } : { [field]: value });
  if (to === 'right' && old?.isRequired === true) setAt(target, old.path, '');
}

const mapped = (path: string): Claim => ({ path, fate: 'mapped' });

/** A resource on both sides. */
export function resourceRule(resource: Resource): MachineRule {
  const fields = types.map(([, field]) => mapped(`${resource.name}.${field}`));
  const old = resource.old === undefined ? [] : [mapped(resource.old.path.join('.'))];
  return {
    claims: { left: [mapped(`${resource.name}.type`), ...fields], right: [...fields, ...old] },
    convert: (scope) => {
      const { from, to } = scope.run;
      const found = from === 'left' ? readMachineApi(scope, resource) : readClusterApi(scope, resource);
      if (found !== undefined) write(scope.target, resource, found, to);
    },
  };
}
