/** Networks, subnets and security groups: found by ID or by what is known of them. Left is Machine API. */
import {
  addError,
  addWarning,
  bothOutward,
  getAt,
  isRecord,
  rename,
  runRules,
  same,
  setAt,
  stepInto,
  together,
} from '@capstan/convert';
import type { Claim, Scope } from '@capstan/convert';
import { textOf, textProblem, wholeNumber } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { UUID, ignored, nonEmptyText, tags } from './values.js';

/** What is looked for, and how. */
export interface Lookup {
  /** As messages call it. */
  readonly what: string;
  /** About the fields of `filter`, but for `id` and `name`. */
  readonly filter: readonly MachineRule[];
  /** Whether Machine API has the name next to the filter too, where it counts more. */
  readonly hasName?: true;
  /** Whether it must name something; others decide about that when not. */
  readonly isNeeded?: true;
}

/** The project that owns it; `tenantId` is an older name. */
const project = together<MachineContext>({
  left: ['projectId', 'tenantId'],
  right: ['projectID'],
  forward: ([id, old], [field, oldField]) => {
    if (old !== undefined && old !== '' && nonEmptyText(id) !== undefined)
      oldField?.warn('is not used, as projectId is set');
    const value = nonEmptyText(id) ?? old;
    if (value === undefined || value === '') return [];
    if (typeof value !== 'string' || (id !== undefined && typeof id !== 'string')) field?.error('must be a string');
    return [value];
  },
  backward: ([id], [field]) => {
    if (id !== undefined && typeof id !== 'string') field?.error('must be a string');
    return [nonEmptyText(id)];
  },
  normal: { left: ([id, old]) => [nonEmptyText(id) ?? nonEmptyText(old)], right: ([id]) => [nonEmptyText(id)] },
});

const common: readonly MachineRule[] = [
  same('description', textOf()),
  project,
  ...['tags', 'tagsAny', 'notTags', 'notTagsAny'].map((name) => same(name, tags)),
];
const paging = ['limit', 'marker', 'sortKey', 'sortDir'];

/** Networks. */
export const NETWORK: Lookup = {
  what: 'network',
  filter: [...common, ...ignored('status', 'adminStateUp', 'shared', ...paging)],
};

/** Subnets. */
export const SUBNET: Lookup = {
  what: 'subnet',
  isNeeded: true,
  filter: [
    ...common,
    same('cidr', textOf()),
    same('ipVersion', wholeNumber()),
    rename('gateway_ip', 'gatewayIP', textOf()),
    same('ipv6AddressMode', textOf()),
    rename('ipv6RaMode', 'ipv6RAMode', textOf()),
    ...ignored('networkId', 'subnetpoolId', 'enableDhcp', ...paging),
  ],
};

/** Security groups. */
export const SECURITY_GROUP: Lookup = {
  what: 'security group',
  isNeeded: true,
  hasName: true,
  filter: [...common, ...ignored(...paging)],
};

/** The record at a field; what is none is an error. */
function recordAt(scope: Scope<MachineContext>, name: string): JsonObject {
  const found = scope.source[name] ?? {};
  if (isRecord(found)) return found;
  addError(scope, [name], 'must be an object');
  return {};
}

/** A text of the source, checked. */
function textAt(scope: Scope<MachineContext>, path: readonly string[], form = {}): string | undefined {
  const found = getAt(scope.source, path);
  if (found === undefined || found === '') return undefined;
  const problem = textProblem(found, form);
  if (problem === undefined) return found as string;
  addError(scope, path, problem);
  return undefined;
}

/** Of two texts with the same meaning the first counts; the second gives a warning when it differs. */
function firstOf(scope: Scope<MachineContext>, paths: readonly (readonly string[])[], form = {}): string | undefined {
  const [first, second] = paths.map((path) => textAt(scope, path, form));
  const isHidden = first !== undefined && second !== undefined && first !== second;
  if (isHidden) addWarning(scope, paths[1] ?? [], `is not used, as ${paths[0]?.join('.')} is set`);
  return first ?? second;
}

/** Next to an ID all other fields do not count. */
function warnOfRest(scope: Scope<MachineContext>, filter: JsonObject): void {
  const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  for (const [name, value] of Object.entries(filter))
    if (name !== 'id' && isSet(value)) addWarning(scope, ['filter', name], 'is not used, as the ID is given');
  if (isSet(scope.source['name'])) addWarning(scope, ['name'], 'is not used, as the ID is given');
}

/** What a side has: an ID, or a filter with a name. */
interface Found {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly filter: JsonObject;
}

function readLeft(scope: Scope<MachineContext>, { hasName }: Lookup): Found {
  const filter = recordAt(scope, 'filter');
  const id = firstOf(scope, [['uuid'], ['filter', 'id']], UUID);
  if (id !== undefined) {
    if (scope.run.to === 'right') warnOfRest(scope, filter);
    return { id, filter: {} };
  }
  const names = [...(hasName === true ? [['name']] : []), ['filter', 'name']];
  return { name: firstOf(scope, names), filter };
}

function readRight(scope: Scope<MachineContext>): Found {
  const filter = recordAt(scope, 'filter');
  const id = textAt(scope, ['id'], UUID);
  if (id !== undefined && Object.keys(filter).length > 0)
    addError(scope, ['filter'], 'cannot be set together with an ID: leave one of the two out');
  return { id, name: textAt(scope, ['filter', 'name']), filter: id === undefined ? filter : {} };
}

function checkNamed(scope: Scope<MachineContext>, { what }: Lookup, keys: readonly unknown[]): void {
  if (keys.every((each) => each === undefined)) addError(scope, [], `names no ${what}`);
}

/** Rules about a record that has `uuid` and `filter` here, `id` and `filter` there. */
export function lookup(what: Lookup): MachineRule {
  const inner = bothOutward(what.filter, { left: 'filter', right: 'filter' });
  const claim = (path: string): Claim => ({ path, fate: 'mapped' });
  const claims = {
    left: [
      ...['uuid', 'filter.id', 'filter.name', ...(what.hasName === true ? ['name'] : [])].map(claim),
      ...inner.left,
    ],
    right: [...['id', 'filter.name'].map(claim), ...inner.right],
  };
  const convert = (scope: Scope<MachineContext>): void => {
    const { run } = scope;
    const isLeft = run.to === 'left';
    const found = run.from === 'left' ? readLeft(scope, what) : readRight(scope);
    const at = stepInto(scope.at, ['filter']);
    const filter = runRules(what.filter, { run, source: found.filter, target: {}, restored: undefined, at });
    if (found.id !== undefined) setAt(scope.target, [isLeft ? 'uuid' : 'id'], found.id);
    if (Object.keys(filter).length > 0) setAt(scope.target, ['filter'], filter);
    if (found.name !== undefined)
      setAt(scope.target, isLeft && what.hasName === true ? ['name'] : ['filter', 'name'], found.name);
    if (what.isNeeded === true && run.from !== run.to)
      checkNamed(scope, what, [found.id, found.name, ...Object.keys(filter)]);
  };
  return { claims, convert };
}
