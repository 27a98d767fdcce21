/** Lists whose items name something. */
import { Field, listOf, same, together } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { canonicalJson, goQuote, stringifyJson } from '@capstan/meta';
import { identifier, refuseUnread, requireText, shown } from './identifiers.js';

const MAX_INT32 = 2 ** 31 - 1;
const MAX_SUBNETS = 32;
const MAX_CATEGORY = 64;

/** An error for every item whose key was there before. */
function distinct(paths: { readonly left: string; readonly right: string }, key: string | undefined): MachineRule {
  return {
    claims: { left: [], right: [] },
    convert: (scope) => {
      const { from, to } = scope.run;
      const list = scope.source[paths[from]];
      if (from === to || !Array.isArray(list)) return;
      const before = { before: scope.at, kind: 'field', name: paths[from] } as const;
      const seen = new Set<string>();
      list.forEach((item: unknown, at) => {
        if (typeof item !== 'object' || item === null) return;
        const value: unknown = key === undefined ? item : (item as Record<string, unknown>)[key];
        const text = canonicalJson(value ?? null);
        const step = { before, kind: 'index', name: String(at) } as const;
        if (seen.has(text))
          new Field({ ...scope, at: step }, key === undefined ? [] : [key], []).error(`Duplicate value: ${text}`);
        seen.add(text);
      });
    },
  };
}

/** Cluster API takes no more than 32. */
const notTooMany: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope) => {
    const list = scope.source['subnets'];
    if (scope.run.from === 'left' && scope.run.to === 'right' && Array.isArray(list) && list.length > MAX_SUBNETS)
      new Field(scope, ['subnets'], []).error(`Too many: ${list.length}: must have at most ${MAX_SUBNETS} items`);
  },
};

const subnetPaths = { left: 'subnets', right: 'subnet' };

/** The networks of a machine. */
export const subnets: readonly MachineRule[] = [
  listOf(subnetPaths.left, subnetPaths.right, [identifier]),
  distinct(subnetPaths, undefined),
  notTooMany,
];

function checkedPart(value: unknown, field: Field<MachineContext>): unknown {
  if (typeof value !== 'string' || value === '' || value.length > MAX_CATEGORY)
    field.error(`must be a string of 1 to ${MAX_CATEGORY} characters, and is ${stringifyJson(value ?? null)}`);
  return value;
}

const part: Codec<MachineContext> = { forward: checkedPart, backward: checkedPart, keepsShape: true };
const categoryPaths = { left: 'categories', right: 'additionalCategories' };

/** Categories, of which a machine has one value each in Machine API. */
export const categories: readonly MachineRule[] = [
  listOf(categoryPaths.left, categoryPaths.right, [same('key', part), same('value', part)]),
  distinct(categoryPaths, 'key'),
];

interface GpuTypes {
  readonly id: string;
  readonly name: string;
}
const leftGpu: GpuTypes = { id: 'DeviceID', name: 'Name' };
const rightGpu: GpuTypes = { id: 'deviceID', name: 'name' };

const isInt32 = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INT32;

/** A GPU with only what its type names. */
function checkedGpu(
  values: readonly unknown[],
  fields: readonly Field<MachineContext>[],
  [from, to]: readonly [GpuTypes, GpuTypes],
): readonly unknown[] {
  const [type, id, name] = values;
  const idPart = { value: id, field: fields[1] };
  const namePart = { value: name, field: fields[2] };
  if (type === from.id) {
    refuseUnread(namePart, from.id);
    if (!isInt32(id)) idPart.field?.error(`must be a whole number of 32 bits, and is ${stringifyJson(id ?? null)}`);
    return [to.id, id];
  }
  if (type === from.name) {
    refuseUnread(idPart, from.name);
    requireText(namePart, from.name);
    return [to.name, undefined, name];
  }
  const known = [from.name, from.id].map((each) => goQuote(each)).join(', ');
  fields[0]?.error(`Unsupported value: ${shown(type ?? '')}: supported values: ${known}`);
  return [];
}

const GPU_PATHS = ['type', 'deviceID', 'name'];
const withoutEmptyName = ([type, id, name]: readonly unknown[]): readonly unknown[] => [
  type,
  id,
  name === '' ? undefined : name,
];

/** GPUs, by their number or by name. */
export const gpus: MachineRule = listOf<MachineContext>('gpus', 'gpus', [
  together<MachineContext>({
    left: GPU_PATHS,
    right: GPU_PATHS,
    forward: (values, fields) => checkedGpu(values, fields, [leftGpu, rightGpu]),
    backward: (values, fields) => checkedGpu(values, fields, [rightGpu, leftGpu]),
    normal: { left: withoutEmptyName, right: withoutEmptyName },
  }),
]);
