/** What Prism Central has, named by UUID or by name. */
import { nested, together } from '@capstan/convert';
import type { Field, Scope } from '@capstan/convert';
import { isZeroValue } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isEmpty = (value: unknown): boolean => value === undefined || value === '';

/** Text as it is, anything else as JSON. */
export const shown = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : stringifyJson(value));

/** A field of a record that is read or not, depending on the type of the record. */
export interface Alternative {
  readonly value: unknown;
  readonly field: Field<MachineContext> | undefined;
}

/** Complains of what is there though the type names something else. */
export function refuseUnread({ field, value }: Alternative, type: string): void {
  if (!isEmpty(value)) field?.error(`is not read where the type is ${goQuote(type)}: remove it`);
}

/** Complains of a text that is missing though the type names it. */
export function requireText({ field, value }: Alternative, type: string): boolean {
  const isThere = typeof value === 'string' && value !== '';
  if (!isThere) field?.error(`must be a string that is not empty, as the type is ${goQuote(type)}`);
  return isThere;
}

/** The values with only the one that the type names. */
function checked(
  types: readonly string[],
  values: readonly unknown[],
  fields: readonly Field<MachineContext>[],
): readonly unknown[] {
  const [type, uuid, name] = values.map((value, at): Alternative => ({ value, field: fields[at] }));
  if (type === undefined || uuid === undefined) return values;
  const named: Alternative = name ?? { value: undefined, field: undefined };
  if (type.value === 'name' && types.includes('name')) {
    refuseUnread(uuid, 'name');
    requireText(named, 'name');
    return ['name', undefined, named.value];
  }
  if (type.value === 'name')
    (isEmpty(named.value) ? type : named).field?.error('is by name, which Machine API cannot: name it by its UUID');
  else if (type.value === 'uuid') checkUuid(uuid, named);
  else
    type.field?.error(
      `Unsupported value: ${shown(type.value ?? '')}: supported values: ${types.map(shown).join(', ')}`,
    );
  return [type.value, uuid.value];
}

function checkUuid(uuid: Alternative, name: Alternative): void {
  refuseUnread(name, 'uuid');
  const { field, value } = uuid;
  if (requireText(uuid, 'uuid') && !UUID.test(String(value))) field?.error(`must be a UUID, and is ${shown(value)}`);
}

const PATHS = ['type', 'uuid', 'name'];
const both: readonly string[] = ['uuid', 'name'];

function rules(leftTypes: readonly string[]): MachineRule {
  const left = leftTypes === both ? PATHS : ['type', 'uuid'];
  return together<MachineContext>({
    left,
    right: PATHS,
    forward: (values, fields) => checked(leftTypes, values, fields),
    backward: (values, fields) => checked(leftTypes, values, fields),
    normal: {
      left: (values) => values.map((value) => (value === '' ? undefined : value)),
      right: (values) => values.map((value) => (value === '' ? undefined : value)),
    },
  });
}

/** The fields of one that may be named either way. */
export const identifier: MachineRule = rules(both);

/** The fields of one that Machine API names by its UUID alone. */
export const uuidIdentifier: MachineRule = rules(['uuid']);

/** One that need not be there: Go writes an empty one where nobody names anything. */
export function optionalIdentifier(left: string, right: string, fields: MachineRule = identifier): MachineRule {
  const { claims, convert } = nested<MachineContext>(left, right, [fields]);
  return {
    claims,
    convert: (scope: Scope<MachineContext>) => {
      const source = scope.source[scope.run.from === 'left' ? left : right];
      if (source !== undefined && (typeof source !== 'object' || !isZeroValue(source))) convert(scope);
    },
  };
}

/** One that must be there. */
export function requiredIdentifier(left: string, right: string): MachineRule {
  return nested<MachineContext>(left, right, [identifier]);
}
