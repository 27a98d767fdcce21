/** What Prism Central has, named by UUID or by name. */
import { nested, together } from '@capstan/convert';
import type { Field, Scope } from '@capstan/convert';
import { saysNothing } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isEmpty = (value: unknown): boolean => value === undefined || value === '';

/** Text as it is, anything else as JSON. */
export const shown = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : stringifyJson(value));

type Fields = readonly Field<MachineContext>[];

/** The values with only the one that the type names; complains when it is missing, or another one is there. */
function checked(types: readonly string[], [type, uuid, name]: readonly unknown[], fields: Fields): readonly unknown[] {
  const [typeField, uuidField, nameField] = fields;
  if (type !== 'uuid' && type !== 'name') {
    typeField?.error(`Unsupported value: ${shown(type ?? '')}: supported values: ${types.map(shown).join(', ')}`);
    return [type, uuid, name];
  }
  if (!types.includes(type)) {
    const field = isEmpty(name) ? typeField : nameField;
    field?.error('is by name, which Machine API cannot: name it by its UUID');
    return [type, uuid, name];
  }
  const [own, ownField, other, otherField] =
    type === 'uuid' ? [uuid, uuidField, name, nameField] : [name, nameField, uuid, uuidField];
  if (!isEmpty(other)) otherField?.error(`is not read where the type is ${goQuote(type)}: remove it`);
  if (typeof own !== 'string' || own === '')
    ownField?.error(`must be a string that is not empty, as the type is ${goQuote(type)}`);
  else if (type === 'uuid' && !UUID.test(own)) ownField?.error(`must be a UUID, and is ${goQuote(own)}`);
  return type === 'uuid' ? [type, uuid] : [type, undefined, name];
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
      if (source !== undefined && (typeof source !== 'object' || !saysNothing(source))) convert(scope);
    },
  };
}

/** One that must be there. */
export function requiredIdentifier(left: string, right: string): MachineRule {
  return nested<MachineContext>(left, right, [identifier]);
}
