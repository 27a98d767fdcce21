/** Provider specs of bare metal, and Metal3Machines. Left is Machine API. */
import {
  addError,
  addWarning,
  always,
  getAt,
  isRecord,
  listOf,
  nested,
  rename,
  same,
  unsupported,
} from '@capstan/convert';
import type { Scope } from '@capstan/convert';
import {
  distinctTexts,
  machineParts,
  noMetadata,
  oncePer,
  secretNamespace,
  textOf,
  textMap,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';

/** The longest text that Metal3 takes in most places. */
const MAX_LENGTH = 512;

const url = textOf({
  maxLength: MAX_LENGTH,
  form: { pattern: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i, mustBe: 'must be a URL' },
});
const checksum = textOf({ maxLength: MAX_LENGTH });

/** Machine API passes an image on to the host only when it has both. */
const urlAndChecksum: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope) => {
    if (scope.run.from === scope.run.to) return;
    const missing = ['url', 'checksum'].filter((name) => (scope.source[name] ?? '') === '');
    if (missing.length === 1)
      addError(scope, missing, 'is needed: Machine API leaves out an image that has not both a URL and a checksum');
  },
};

const image = nested<MachineContext>('image', 'image', [
  same('url', url),
  same('checksum', checksum),
  urlAndChecksum,
  unsupported('right', 'checksumType', 'is not known in Machine API: leave it out, and have the host find the type'),
  unsupported('right', 'diskFormat', 'is not known in Machine API, which takes disk images as they are: leave it out'),
]);

const hostSelector = nested<MachineContext>('hostSelector', 'hostSelector', [
  same('matchLabels', textMap),
  oncePer('matchExpressions', 'key'),
  listOf('matchExpressions', 'matchExpressions', [
    same('key', textOf({ maxLength: MAX_LENGTH, needed: 'is needed' })),
    same('operator', textOf({ needed: 'is needed' })),
    same('values', distinctTexts({ maxLength: MAX_LENGTH })),
    always('right', 'values', () => []),
  ]),
]);

/** Metal3 takes the user data of the machine, and its own only where the machine has none. */
const ownUserData: MachineRule = {
  claims: { left: [], right: [{ path: 'userData', fate: 'warned' }] },
  convert: (scope: Scope<MachineContext>) => {
    if (scope.run.from !== 'right' || scope.run.to !== 'left') return;
    const found = scope.source['userData'] ?? undefined;
    if (found === undefined || (isRecord(found) && Object.keys(found).length === 0)) return;
    const secret = getAt(machineParts(scope.run.root).machine, ['bootstrap', 'dataSecretName']) ?? '';
    if (secret === '')
      addError(scope, ['userData'], 'must be bootstrap.dataSecretName of the machine: name the secret there');
    else addWarning(scope, ['userData'], 'is not used, as the machine has bootstrap.dataSecretName');
  },
};

/** Rules about what is on the Metal3Machine. */
export const infrastructure: readonly MachineRule[] = [
  noMetadata,
  image,
  nested<MachineContext>('customDeploy', 'customDeploy', [same('method', textOf({ maxLength: MAX_LENGTH }))]),
  hostSelector,
  secretNamespace('userData.namespace', 'never'),
  ownUserData,
  unsupported(
    'right',
    'automatedCleaningMode',
    'is not known of machines in Machine API: leave it out, and set it on the BareMetalHost',
  ),
  unsupported('right', 'dataTemplate', 'is not known in Machine API: leave it out'),
  unsupported('right', 'metaData', 'is not known in Machine API: leave it out'),
  unsupported(
    'right',
    'networkData',
    'is not known of machines in Machine API: leave it out, and set it on the BareMetalHost',
  ),
  unsupported('right', 'failureDomain', 'is not known on bare metal in Machine API: choose hosts by hostSelector'),
];

/** Rules about what is on the Machine of Cluster API. */
export const machineSpec: readonly MachineRule[] = [
  nested<MachineContext>('userData', 'bootstrap', [rename('name', 'dataSecretName', textOf())]),
  unsupported('right', 'failureDomain', 'is not known on bare metal in Machine API: choose hosts by hostSelector'),
];
