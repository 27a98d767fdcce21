/** What can be switched on and off of an instance. */
import { addError, enumeration, getAt, listOf, move, nested, same, setAt } from '@capstan/convert';
import type { Codec, Field, Path } from '@capstan/convert';
import {
  absentMeans,
  integerBetween,
  joint,
  machineParts,
  oncePer,
  oneOf,
  text,
  textMap,
  textOf,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const MAX_INT32 = 2_147_483_647;
const PROTECTION: Path = ['deletionProtection'];

const protection: MachineRule = {
  claims: { left: [{ path: 'deletionProtection', fate: 'constant' }], right: [] },
  convert: (scope) => {
    if (scope.run.to === 'left') {
      setAt(scope.target, PROTECTION, false);
      return;
    }
    const found = scope.run.from === 'left' ? (getAt(scope.source, PROTECTION) ?? false) : false;
    if (found !== false)
      addError(
        scope,
        PROTECTION,
        `is ${stringifyJson(found)}, which cannot be kept: Cluster API protects no machines; set it to false`,
      );
  },
};

const forwarding = absentMeans(
  enumeration([
    [true, 'Enabled'],
    [false, 'Disabled'],
  ]),
  { left: false, right: 'Enabled' },
);

type SchedulingField = 'preemptible' | 'provisioningModel' | 'restartPolicy';

/** Machines that the cloud may take back are never started again, all others always: there is no field for anything else. */
function checkRestarts(read: Reading<SchedulingField>, isTaken: boolean): void {
  const policy = read.text('restartPolicy');
  if (policy === undefined || policy === (isTaken ? 'Never' : 'Always')) return;
  const reasons: Readonly<Record<string, string>> = {
    Never: 'is "Never", which cannot be kept: Cluster API has machines started again; remove it',
    Always: 'is "Always", which machines that the cloud may take back cannot have: remove it',
  };
  read.error(
    'restartPolicy',
    reasons[policy] ?? `Unsupported value: ${goQuote(policy)}: supported values: "Always", "Never"`,
  );
}

const scheduling = joint<SchedulingField, 'preemptible' | 'provisioningModel'>({
  left: { preemptible: 'preemptible', provisioningModel: 'provisioningModel', restartPolicy: 'restartPolicy' },
  right: { preemptible: 'preemptible', provisioningModel: 'provisioningModel' },
  forward: (read) => {
    const isPreemptible = read.flag('preemptible') === true;
    const model = read.text('provisioningModel');
    if (model !== undefined && model !== 'Spot')
      read.error('provisioningModel', `Unsupported value: ${goQuote(model)}: supported values: "Spot"`);
    checkRestarts(read, isPreemptible || model === 'Spot');
    return { preemptible: isPreemptible ? true : undefined, provisioningModel: model };
  },
  backward: (read) => {
    const isPreemptible = read.flag('preemptible') === true;
    const model = read.text('provisioningModel');
    if (model !== undefined && model !== 'Spot' && model !== 'Standard')
      read.error('provisioningModel', `Unsupported value: ${goQuote(model)}: supported values: "Spot", "Standard"`);
    return {
      preemptible: isPreemptible ? true : undefined,
      provisioningModel: model === 'Standard' ? undefined : model,
    };
  },
});

const onOrOff = oneOf('Enabled', 'Disabled');

/** What is on in the cloud by default, which the controller of Cluster API leaves out. */
const onByDefault: Codec<MachineContext> = {
  ...onOrOff,
  forward: (value, field) => {
    if (value === 'Disabled')
      field.warn('is kept, but the controller of Cluster API does not pass it to the cloud, where it stays on');
    return onOrOff.forward(value, field);
  },
};

const shielded = nested<MachineContext>('shieldedInstanceConfig', 'shieldedInstanceConfig', [
  same('secureBoot', onOrOff),
  same('virtualizedTrustedPlatformModule', onByDefault),
  same('integrityMonitoring', onByDefault),
]);

/** The user data of a machine is an entry of that name, which Cluster API adds by itself. */
const USER_DATA = 'user-data';

const metadataKey: Codec<MachineContext> = (() => {
  const convert: Codec<MachineContext>['forward'] = (value, field) => {
    if (value === undefined || value === '') field.error('must be set');
    else if (value === USER_DATA) field.error('is "user-data", which holds the user data of the machine: remove it');
    else return text.forward(value, field);
    return undefined;
  };
  return { forward: convert, backward: convert, keepsShape: true };
})();

const specs: readonly Path[] = [
  ['spec', 'providerSpec', 'value'],
  ['spec', 'template', 'spec', 'providerSpec', 'value'],
  ['spec', 'template', 'machines_v1beta1_machine_openshift_io', 'spec', 'providerSpec', 'value'],
];

/** The zone of a machine, on either side. */
function zoneOf(root: JsonObject): unknown {
  const own = specs.map((path) => getAt(root, [...path, 'zone'])).find((zone) => zone !== undefined);
  return own ?? machineParts(root).machine['failureDomain'];
}

const ACCELERATOR = /^(?:.*\/)?zones\/([^/]+)\/acceleratorTypes\/([^/]+)$/;

function toUrl(value: unknown, field: Field<MachineContext>): string | undefined {
  const zone = zoneOf(field.root);
  if (value === undefined || value === '') field.error('must be set');
  else if (typeof value !== 'string') field.error('must be a string');
  else if (value.includes('/')) field.error(`is ${goQuote(value)}: must be a name`);
  else if (typeof zone !== 'string' || zone === '') field.error('needs a zone to be found in: set zone of the machine');
  else return `zones/${zone}/acceleratorTypes/${value}`;
  return undefined;
}

function toName(value: unknown, field: Field<MachineContext>): string | undefined {
  const found = typeof value === 'string' ? ACCELERATOR.exec(value) : null;
  if (found === null) {
    field.error('must be zones/<zone>/acceleratorTypes/<name>');
    return undefined;
  }
  const [, zone, name] = found;
  if (zone === zoneOf(field.root)) return name;
  field.error(`is in zone ${goQuote(zone ?? '')}, and the machine in ${stringifyJson(zoneOf(field.root) ?? null)}`);
  return undefined;
}

const accelerator: Codec<MachineContext> = {
  forward: toUrl,
  backward: toName,
  normal: { right: (value, field) => toUrl(toName(value, field), field) },
};

const count = absentMeans(integerBetween(1, MAX_INT32), {
  left: { error: 'must be set' },
  right: { error: 'must be set' },
});

const tagPart = (name: string, maxLength: number, pattern: RegExp, mustBe: string): MachineRule =>
  same(name, textOf({ maxLength, form: { pattern, mustBe }, needed: 'must be set' }));

/** In the form that the CRD of GCPMachines asks for. */
const tagParts: readonly MachineRule[] = [
  tagPart(
    'parentID',
    32,
    /^(?:[1-9][0-9]{0,31}|[a-z][a-z0-9-]{4,28}[a-z0-9])$/,
    'must be the number of an organisation or the id of a project',
  ),
  tagPart('key', 63, /^[a-zA-Z0-9](?:[0-9A-Za-z_.-]{0,61}[a-zA-Z0-9])?$/, 'must be a key of tags'),
  tagPart(
    'value',
    63,
    /^[a-zA-Z0-9](?:[0-9A-Za-z_.@%=+:,*#&()[\]{}\-\s]{0,61}[a-zA-Z0-9])?$/,
    'must be a value of tags',
  ),
];

/** What stands by itself. */
export const options: readonly MachineRule[] = [
  protection,
  move('canIPForward', 'ipForwarding', forwarding),
  scheduling,
  shielded,
  same('onHostMaintenance', oneOf('Migrate', 'Terminate')),
  same(
    'confidentialCompute',
    oneOf(
      'Enabled',
      'Disabled',
      'AMDEncryptedVirtualization',
      'AMDEncryptedVirtualizationNestedPaging',
      'IntelTrustedDomainExtensions',
    ),
  ),
  move('labels', 'additionalLabels', textMap),
  listOf('gcpMetadata', 'additionalMetadata', [same('key', metadataKey), same('value', text)]),
  oncePer('gcpMetadata', 'key'),
  oncePer('additionalMetadata', 'key'),
  listOf('gpus', 'guestAccelerators', [same('count', count), same('type', accelerator)]),
  listOf('resourceManagerTags', 'resourceManagerTags', tagParts),
];
