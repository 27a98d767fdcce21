/** Provider specs of OpenStack, and OpenStackMachines. Left is Machine API. */
import {
  addError,
  getAt,
  isRecord,
  listOf,
  mapToList,
  move,
  nested,
  rename,
  same,
  setAt,
  stepInto,
  together,
} from '@capstan/convert';
import type { Codec, Field, Scope, Step } from '@capstan/convert';
import {
  distinctTexts,
  flag,
  noMetadata,
  refused,
  sameProviderId,
  secretNamespace,
  textOf,
  textProblem,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, TextForm } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { cloud } from './cloud.js';
import { SECURITY_GROUP, lookup } from './lookup.js';
import { ports } from './ports.js';
import { UUID, ignored, nonEmptyText } from './values.js';
import { blockDevices, rootDisk } from './volumes.js';

const unknown = 'is not known in Machine API: leave it out';

const flavor: Codec<MachineContext> = {
  ...textOf({ needed: 'is needed' }),
  backward: (value, field) => {
    // Of which the other rule speaks.
    if (value === undefined && field.record['flavorID'] !== undefined) return undefined;
    return textOf({ needed: 'is needed' }).backward(value, field);
  },
};

const namesNothing = (group: JsonObject): boolean =>
  nonEmptyText(group['id']) === undefined && nonEmptyText(getAt(group, ['filter', 'name'])) === undefined;

const MISSING_GROUP =
  'must name a server group that exists: Machine API creates a missing one, Cluster API waits for it';

function checkGroupName(name: unknown, field: Field<MachineContext> | undefined, hasId: boolean): void {
  if (typeof name !== 'string') field?.error('must be a string');
  else field?.warn(hasId ? 'is not used, as serverGroupID is set' : MISSING_GROUP);
}

/** Machines of a group are kept apart; the ID counts more than the name. */
const serverGroup: readonly MachineRule[] = [
  together<MachineContext>({
    left: ['serverGroupID', 'serverGroupName'],
    right: ['serverGroup.id', 'serverGroup.filter.name'],
    forward: ([id, name], [idField, nameField]) => {
      const problem = isSet(id) ? textProblem(id, UUID) : undefined;
      if (problem !== undefined) idField?.error(problem);
      if (isSet(name)) checkGroupName(name, nameField, isSet(id));
      return isSet(id) ? [id] : [undefined, nonEmptyText(name)];
    },
    backward: ([id, name], [idField, nameField]) => {
      const problem = isSet(id) ? textProblem(id, UUID) : undefined;
      if (problem !== undefined) idField?.error(problem);
      if (isSet(name) && typeof name !== 'string') nameField?.error('must be a string');
      if (isSet(id) && isSet(name)) nameField?.error('cannot be set together with an ID: leave one of the two out');
      return [nonEmptyText(id), nonEmptyText(name)];
    },
    normal: { left: ([id, name]) => (isSet(id) ? [id] : [undefined, nonEmptyText(name)]) },
  }),
  {
    claims: { left: [], right: [] },
    convert: (scope) => {
      const group = scope.source['serverGroup'];
      if (scope.run.from === 'right' && scope.run.to === 'left' && isRecord(group) && namesNothing(group))
        addError(scope, ['serverGroup'], 'names no server group: give its ID or its name');
    },
  },
];

function isSet(value: unknown): boolean {
  return value !== undefined && value !== '';
}

const METADATA_MAX = 255;

const METADATA: TextForm = { maxLength: METADATA_MAX };

/** Texts of the metadata of servers, of which also an empty one is one. On the way there the rule below looks at them. */
const metadataValue: Codec<MachineContext> = {
  keepsShape: true,
  forward: (value) => value,
  backward: (value, field) => {
    const problem = textProblem(value, METADATA);
    if (problem !== undefined) field.error(problem);
    return value;
  },
};

const metadataTexts: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope: Scope<MachineContext>) => {
    const { from, to } = scope.run;
    const found = scope.source['serverMetadata'];
    if (from !== 'left' || to === 'left' || !isRecord(found)) return;
    const before = stepInto(scope.at, ['serverMetadata']);
    for (const [name, value] of Object.entries(found)) {
      const problem = textProblem(value, METADATA);
      const at: Step = { before, kind: 'key', name };
      if (problem !== undefined) addError({ ...scope, at }, [], problem);
      if (name.length > METADATA_MAX)
        addError({ ...scope, at }, [], `has a key of more than ${METADATA_MAX} characters`);
    }
  },
};

/** A flag that is off when it is not there. */
const trunk: MachineRule = {
  claims: { left: [{ path: 'trunk', fate: 'mapped' }], right: [{ path: 'trunk', fate: 'mapped' }] },
  convert: (scope) => {
    const found = scope.source['trunk'] ?? undefined;
    if (found === true) setAt(scope.target, ['trunk'], true);
    else if (found !== undefined && found !== false) addError(scope, ['trunk'], 'must be true or false');
  },
};

/** Rules about what is on the OpenStackMachine. */
export const infrastructure: readonly MachineRule[] = [
  noMetadata,
  ...cloud,
  secretNamespace('cloudsSecret.namespace', 'always'),
  secretNamespace('userDataSecret.namespace', 'never'),
  same('flavor', flavor),
  refused('right', 'flavorID', 'is not known in Machine API, which finds flavors by their names: use flavor'),
  rename('keyName', 'sshKeyName', textOf()),
  trunk,
  same('tags', distinctTexts()),
  same('configDrive', flag),
  metadataTexts,
  mapToList<MachineContext>('serverMetadata', 'serverMetadata', { key: 'key', value: 'value' }, [
    same('value', metadataValue),
  ]),
  ...serverGroup,
  ...rootDisk,
  ...blockDevices,
  listOf<MachineContext>('securityGroups', 'securityGroups', [lookup(SECURITY_GROUP)]),
  ports,
  refused('left', 'floatingIP', 'cannot be kept: give floating addresses to servers otherwise, and leave it out'),
  ...ignored('sshUserName', 'primarySubnet'),
  refused('right', 'floatingIPPoolRef', unknown),
  refused('right', 'schedulerHintAdditionalProperties', unknown),
];

/** Rules about what is on the Machine of Cluster API. */
export const machineSpec: readonly MachineRule[] = [
  nested<MachineContext>('userDataSecret', 'bootstrap', [rename('name', 'dataSecretName', textOf())]),
  move('availabilityZone', 'failureDomain', textOf()),
];

/** Fields that name one server. */
export const identity: readonly MachineRule[] = sameProviderId({
  pattern: /^openstack:\/\/\/[^/]+$/,
  form: 'openstack:///<id>',
  use: 'Machine API finds servers by',
});
