/** The fields of a port in the two APIs. Left is Machine API. */
import {
  addError,
  addWarning,
  isRecord,
  listOf,
  listSource,
  move,
  nested,
  same,
  setAt,
  stepInto,
  unsupported,
} from '@capstan/convert';
import type { Codec, Scope, Step } from '@capstan/convert';
import { distinctTexts, flag, textOf, textProblem } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';
import { NETWORK, SUBNET, lookup } from './lookup.js';
import { UUID, ignored, negated, neededUuid } from './values.js';

/** How Machine API writes that a port is to be switched by the network card. */
const OFFLOAD = '[switchdev]';

/** Whether a text asks for offload, and whether for that alone. */
function capabilities(value: string): { readonly isOffload: boolean; readonly hasOthers: boolean } {
  const names = value.split(/[\s,[\]"']+/).filter((name) => name !== '');
  return { isOffload: value.includes('switchdev'), hasOthers: names.some((name) => name !== 'switchdev') };
}

/** What an entry of a profile comes to be, or what is wrong with it. */
interface ProfileEntry {
  readonly name?: 'ovsHWOffload' | 'trustedVF';
  /** As each side writes it. */
  readonly left?: string;
  readonly right?: boolean;
  readonly problem?: string;
  readonly warning?: string;
}

function readCapabilities(value: string): ProfileEntry {
  const { isOffload, hasOthers } = capabilities(value);
  if (!isOffload) return { problem: `is ${goQuote(value)}: only switchdev can be kept` };
  const entry: ProfileEntry = { name: 'ovsHWOffload', left: OFFLOAD, right: true };
  return hasOthers ? { ...entry, warning: 'has more than switchdev, which alone is kept, and used' } : entry;
}

function readEntry(key: string, value: unknown): ProfileEntry {
  if (typeof value !== 'string') return { problem: 'must be a string' };
  if (key === 'capabilities') return readCapabilities(value);
  if (key !== 'trusted')
    return { problem: 'cannot be kept: only capabilities and trusted have a place in Cluster API' };
  if (value !== 'true' && value !== 'false') return { problem: `is ${goQuote(value)}: must be "true" or "false"` };
  return { name: 'trustedVF', left: value, right: value === 'true' };
}

function profileEntry(scope: Scope<MachineContext>, key: string, value: unknown): void {
  const { left, name, problem, right, warning } = readEntry(key, value);
  if (scope.run.to === 'left') {
    if (left !== undefined) setAt(scope.target, ['profile', key], left);
    return;
  }
  const step: Step = { before: stepInto(scope.at, ['profile']), kind: 'key', name: key };
  if (problem !== undefined) addError({ ...scope, at: step }, [], problem);
  if (warning !== undefined) addWarning({ ...scope, at: step }, [], warning);
  if (name !== undefined) setAt(scope.target, ['profile', name], right);
}

function profileFlags(scope: Scope<MachineContext>): void {
  const profile = scope.source['profile'];
  if (!isRecord(profile)) return;
  for (const [name, key] of [
    ['ovsHWOffload', 'capabilities'],
    ['trustedVF', 'trusted'],
  ] as const) {
    const value = profile[name] ?? undefined;
    if (value === undefined) continue;
    const isSame = scope.run.to === 'right';
    // Without offload a port means the same as without the field.
    if (value === false && name === 'ovsHWOffload') continue;
    if (typeof value !== 'boolean') addError(scope, ['profile', name], 'must be true or false');
    else if (isSame) setAt(scope.target, ['profile', name], value);
    else setAt(scope.target, ['profile', key], name === 'ovsHWOffload' ? OFFLOAD : String(value));
  }
}

/** A map of texts here, of which two mean something; two flags there. */
const profile: MachineRule = {
  claims: {
    left: [{ path: 'profile', fate: 'mapped' }],
    right: ['ovsHWOffload', 'trustedVF'].map((name) => ({ path: `profile.${name}`, fate: 'mapped' })),
  },
  convert: (scope) => {
    const found = scope.source['profile'] ?? undefined;
    if (found === undefined) return;
    if (!isRecord(found)) addError(scope, ['profile'], 'must be an object');
    else if (scope.run.from === 'right') profileFlags(scope);
    else for (const [key, value] of Object.entries(found)) profileEntry(scope, key, value);
  },
};

const common: readonly MachineRule[] = [
  ...['hostID', 'propagateUplinkStatus', 'valueSpecs'].map((name) =>
    unsupported<MachineContext>('right', name, 'is not known in Machine API: leave it out'),
  ),
  same('vnicType', textOf()),
  profile,
  move('portSecurity', 'disablePortSecurity', negated),
];

/** Between an item of `networks` and the port that stands for it, but for subnets, tags, address pairs and trunk. */
export const networkRules: readonly MachineRule[] = [
  nested<MachineContext>('', 'network', [lookup(NETWORK)]),
  ...common,
  ...ignored('fixedIp'),
];

/** Between a subnet of a network and the address of a port in it. */
export const subnetRules: readonly MachineRule[] = [
  nested<MachineContext>('', 'subnet', [lookup(SUBNET)]),
  ...ignored('portSecurity'),
];

/** Names of ports end in this, or in their number when it is not there. */
const nameSuffix: Codec<MachineContext> = {
  ...textOf(),
  backward: (value, field) => {
    if (value === '') field.error('is empty, which Machine API cannot distinguish from absent: leave it out');
    return textOf().backward(value, field);
  },
};

const description: Codec<MachineContext> = {
  ...textOf(),
  backward: (value, field) => {
    if (value === '') field.warn('is empty, and comes to be what ports without a description have');
    return textOf().backward(value, field);
  },
};

/** IDs here, records with IDs there. */
const securityGroups: MachineRule = {
  claims: {
    left: [{ path: 'securityGroups', fate: 'mapped' }],
    right: [
      { path: 'securityGroups[].id', fate: 'mapped' },
      { path: 'securityGroups[].filter', fate: 'unsupported' },
    ],
  },
  convert: (scope) => {
    const { from, to } = scope.run;
    const list = listSource(scope, ['securityGroups']) ?? [];
    const before = stepInto(scope.at, ['securityGroups']);
    const ids = list.map((item, index) => {
      const at: Step = { before, kind: 'index', name: String(index) };
      const id = from === 'left' ? item : isRecord(item) ? item['id'] : undefined;
      if (from === 'right' && isRecord(item) && item['filter'] !== undefined && to === 'left')
        addError({ ...scope, at }, ['filter'], 'is not known of ports in Machine API: name the group by its ID');
      else if (textProblem(id, UUID) !== undefined && from !== to)
        addError({ ...scope, at }, [], id === undefined ? 'must have an ID' : `${textProblem(id, UUID)}`);
      return to === 'left' ? id : { id };
    });
    if (ids.length > 0) setAt(scope.target, ['securityGroups'], ids);
  },
};

/** Between an item of `ports` and the port that stands for it, but for trunk. */
export const portRules: readonly MachineRule[] = [
  move('networkID', 'network.id', neededUuid),
  ...common,
  same('nameSuffix', nameSuffix),
  same('description', description),
  same('adminStateUp', flag),
  same('macAddress', textOf()),
  same('tags', distinctTexts()),
  listOf<MachineContext>('fixedIPs', 'fixedIPs', [
    move('subnetID', 'subnet.id', neededUuid),
    same('ipAddress', textOf()),
  ]),
  listOf<MachineContext>('allowedAddressPairs', 'allowedAddressPairs', [
    same('ipAddress', textOf({ needed: 'is needed' })),
    same('macAddress', textOf()),
  ]),
  securityGroups,
  ...ignored('tenantID', 'projectID', 'hostID'),
];
