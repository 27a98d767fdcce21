/** Dedicated hosts: on which hardware a machine runs, and whether it stays there. */
import { addError, getAt, isRecord, listToMap, move, setAt } from '@capstan/convert';
import type { Claim, Scope } from '@capstan/convert';
import { oneOf, isZeroValue } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';
import { tagItems, tagValue } from './tags.js';

/** What both sides say in their own words. */
interface Placement {
  readonly affinity: 'default' | 'host';
  readonly id?: string;
  readonly isDynamic: boolean;
}

type MachineScope = Scope<MachineContext>;
type Complain = (path: readonly string[], message: string) => void;

const HOST = ['placement', 'host'];
const AFFINITY = [...HOST, 'affinity'];
const DEDICATED = [...HOST, 'dedicatedHost'];
const STRATEGY = [...DEDICATED, 'allocationStrategy'];
const ID = [...DEDICATED, 'id'];
const ALLOCATION = [...DEDICATED, 'dynamicHostAllocation'];
const TENANCY = ['placement', 'tenancy'];
const ANYWHERE: Placement = { affinity: 'default', isDynamic: false };

const hostId = /^h-[0-9a-f]{17}$/;
const legacyHostId = /^h-[0-9a-f]{8}$/;
const affinities = new Map<unknown, Placement['affinity']>([
  ['AnyAvailable', 'default'],
  ['DedicatedHost', 'host'],
]);

const textAt = (source: JsonObject, path: readonly string[]): unknown => {
  const value = getAt(source, path);
  return value === '' ? undefined : value;
};

function checkId(id: unknown, path: readonly string[], complain: Complain): void {
  if (typeof id === 'string' && hostId.test(id)) return;
  if (typeof id === 'string' && legacyHostId.test(id))
    complain(path, `is ${goQuote(id)}, an id of the old form, which Cluster API does not take: use a newer host`);
  else complain(path, `must be h- and 17 hexadecimal digits, and is ${stringifyJson(id)}`);
}

/** The host a user has, or one that is made for the machine. */
function dedicatedHost(source: JsonObject, dedicated: JsonObject, complain: Complain): Omit<Placement, 'affinity'> {
  const strategy = textAt(source, STRATEGY) ?? 'UserProvided';
  const id = textAt(source, ID);
  if (strategy === 'Dynamic') {
    if (id !== undefined) complain(ID, 'cannot be set when allocationStrategy is "Dynamic": remove it');
    return { isDynamic: true };
  }
  if (strategy !== 'UserProvided')
    complain(STRATEGY, `Unsupported value: ${stringifyJson(strategy)}: supported values: "UserProvided", "Dynamic"`);
  else if (id === undefined) complain(ID, 'must be set when allocationStrategy is "UserProvided"');
  else checkId(id, ID, complain);
  if (!isZeroValue(dedicated['dynamicHostAllocation']))
    complain(ALLOCATION, 'can be set when allocationStrategy is "Dynamic" only');
  return typeof id === 'string' ? { id, isDynamic: false } : { isDynamic: false };
}

function readMachineApi(source: JsonObject, complain: Complain): Placement {
  const host = getAt(source, HOST);
  if (!isRecord(host) || isZeroValue(host)) return ANYWHERE;
  if (getAt(source, TENANCY) !== 'host') complain(HOST, 'can be set when placement.tenancy is "host" only');
  const named = textAt(source, AFFINITY);
  const affinity = affinities.get(named);
  if (affinity === undefined)
    complain(
      AFFINITY,
      `Unsupported value: ${stringifyJson(named ?? '')}: supported values: "AnyAvailable", "DedicatedHost"`,
    );
  const dedicated = getAt(source, DEDICATED);
  if (!isRecord(dedicated) || isZeroValue(dedicated)) {
    if (affinity === 'host') complain(DEDICATED, 'must be set when affinity is "DedicatedHost"');
    return ANYWHERE;
  }
  const where = dedicatedHost(source, dedicated, complain);
  if (where.isDynamic && affinity === 'default')
    complain(AFFINITY, 'must be "DedicatedHost" when allocationStrategy is "Dynamic"');
  return { affinity: affinity ?? 'default', ...where };
}

/** What is wrong with an infrastructure machine whose tenancy is another. */
function complainWithoutTenancy({ affinity, id, isDynamic }: Placement, complain: Complain): void {
  const needs = 'when tenancy is "host" only';
  if (id !== undefined) complain(['hostID'], `can be set ${needs}`);
  if (isDynamic) complain(['dynamicHostAllocation'], `can be set ${needs}`);
  if (affinity === 'host') complain(['hostAffinity'], `can be "host" ${needs}`);
}

function complainOfHost({ affinity, id, isDynamic }: Placement, complain: Complain): void {
  if (id !== undefined && isDynamic) complain(['hostID'], 'cannot be set together with dynamicHostAllocation');
  else if (affinity === 'host' && id === undefined && !isDynamic)
    complain(['hostAffinity'], 'is "host", which needs hostID or dynamicHostAllocation');
  else if (affinity === 'default' && isDynamic)
    complain(['dynamicHostAllocation'], 'can be set when hostAffinity is "host" only');
}

function readClusterApi(source: JsonObject, complain: Complain): Placement {
  const affinity = textAt(source, ['hostAffinity']) ?? 'default';
  const id = textAt(source, ['hostID']);
  if (affinity !== 'default' && affinity !== 'host')
    complain(['hostAffinity'], `Unsupported value: ${stringifyJson(affinity)}: supported values: "default", "host"`);
  if (id !== undefined) checkId(id, ['hostID'], complain);
  const placement: Placement = {
    affinity: affinity === 'host' ? 'host' : 'default',
    isDynamic: getAt(source, ['dynamicHostAllocation']) !== undefined,
    ...(typeof id === 'string' ? { id } : {}),
  };
  if (source['tenancy'] === 'host') complainOfHost(placement, complain);
  else complainWithoutTenancy(placement, complain);
  return placement;
}

function writeMachineApi(target: JsonObject, { affinity, id, isDynamic }: Placement): void {
  if (affinity === 'default' && id === undefined) return;
  setAt(target, AFFINITY, affinity === 'host' ? 'DedicatedHost' : 'AnyAvailable');
  setAt(target, STRATEGY, isDynamic ? 'Dynamic' : 'UserProvided');
  if (id !== undefined) setAt(target, ID, id);
}

function writeClusterApi(target: JsonObject, { affinity, id, isDynamic }: Placement): void {
  // Always written: a default of the API server looks like a change later, and machines are created again for it.
  target['hostAffinity'] = affinity;
  if (id !== undefined) target['hostID'] = id;
  if (isDynamic) target['dynamicHostAllocation'] ??= {};
}

const mapped = (path: string): Claim => ({ path, fate: 'mapped' });

const host: MachineRule = {
  claims: {
    left: [AFFINITY, STRATEGY, ID].map((path) => mapped(path.join('.'))),
    right: ['hostAffinity', 'hostID'].map(mapped),
  },
  convert: (scope: MachineScope) => {
    if (scope.run.from === 'left' && scope.run.to === 'right' && getAt(scope.source, HOST) === undefined) {
      writeClusterApi(scope.target, ANYWHERE);
      return;
    }
    const complain: Complain = (path, message) => addError(scope, path, message);
    const read = scope.run.from === 'left' ? readMachineApi : readClusterApi;
    const write = scope.run.to === 'left' ? writeMachineApi : writeClusterApi;
    write(scope.target, read(scope.source, complain));
  },
};

/** Tenancy and dedicated hosts. */
export const hosts: readonly MachineRule[] = [
  move('placement.tenancy', 'tenancy', oneOf('default', 'dedicated', 'host')),
  listToMap([...ALLOCATION, 'tags'], 'dynamicHostAllocation.tags', tagItems, [tagValue]),
  host,
];
