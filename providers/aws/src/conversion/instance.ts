/** Image, type, keys and metadata service of an instance, and how it gets its user data. */
import { addError, getAt, move, optionalNested, same, setAt, warned } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { fixed, oneOf, optionalText, refused, requiredText } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

type Convert = Codec<MachineContext>['forward'];

const IMAGE = 'must be set: an image is kept by its id alone';

const image: readonly MachineRule[] = [
  same('ami.id', requiredText(IMAGE)),
  refused('left', 'ami.arn', 'cannot be kept: Cluster API takes the id of an image; set ami.id instead'),
  refused('left', 'ami.filters', 'cannot be kept: Cluster API takes the id of an image; set ami.id instead'),
  ...['ami.eksLookupType', 'imageLookupFormat', 'imageLookupOrg', 'imageLookupBaseOS'].map((path) =>
    refused('right', path, 'cannot be kept: Machine API takes the id of an image; set ami.id instead'),
  ),
];

/** The CRD of AWSMachine takes no shorter one. */
const typeName: Convert = (value, field) => {
  if (typeof value === 'string' && value.length >= 2) return value;
  field.error(value === undefined ? 'must be set' : 'must be a string of two characters or more');
  return value;
};

const SSH_KEY = ['spec', 'sshKeyName'];
const MANAGED_BY = ['metadata', 'annotations', 'cluster.x-k8s.io/managed-by'];

/** The key that a machine without one gets in Cluster API: that of its cluster, or one named so. */
function keyOfCluster({ infrastructureCluster: cluster }: MachineContext): string {
  const key = getAt(cluster, SSH_KEY);
  if (typeof key === 'string') return key;
  // For an unknown cluster a default key is assumed: that there is no key is then written.
  return getAt(cluster, MANAGED_BY) === undefined ? 'default' : '';
}

/** No key is a value: written where the cluster would give one, and left out where it would not. */
const keyFor = (value: unknown, context: MachineContext): unknown => {
  const own = value ?? '';
  return own === '' && keyOfCluster(context) === '' ? undefined : own;
};

const sshKey: Codec<MachineContext> = {
  keepsShape: true,
  forward: (value, field) => {
    if (value !== undefined && typeof value !== 'string') field.error('must be a string');
    return keyFor(value, field.context);
  },
  backward: (value, field) => {
    if (value !== undefined && typeof value !== 'string') field.error('must be a string');
    const key = value ?? keyOfCluster(field.context);
    return key === '' ? undefined : key;
  },
  normal: {
    left: (value) => (value === '' ? undefined : value),
    right: (value, field) => keyFor(value ?? keyOfCluster(field.context), field.context),
  },
};

/** Absent means `Optional`, in Machine API as in Cluster API. */
const tokens = (pairs: Readonly<Record<string, string>>, none: string): Convert => {
  const names = Object.keys(pairs)
    .map((name) => goQuote(name))
    .join(', ');
  const values = new Map<unknown, string>(Object.entries(pairs));
  return (value, field) => {
    if (value === undefined || value === '') return none;
    const other = values.get(value);
    if (other === undefined) field.error(`Unsupported value: ${stringifyJson(value)}: supported values: ${names}`);
    return other;
  };
};

const authentication: Codec<MachineContext> = {
  forward: tokens({ Required: 'required', Optional: 'optional' }, 'optional'),
  backward: tokens({ required: 'Required', optional: 'Optional' }, 'Optional'),
  normal: {
    left: (value) => (value === undefined || value === '' ? 'Optional' : value),
    right: (value) => (value === undefined || value === '' ? 'optional' : value),
  },
};

const METADATA = 'Machine API knows authentication alone';
const metadataService: readonly MachineRule[] = [
  move('metadataServiceOptions.authentication', 'instanceMetadataOptions.httpTokens', authentication),
  fixed('right', 'instanceMetadataOptions.httpEndpoint', 'enabled', METADATA),
  fixed('right', 'instanceMetadataOptions.httpProtocolIpv6', 'disabled', METADATA),
  fixed('right', 'instanceMetadataOptions.httpPutResponseHopLimit', 1, METADATA),
  fixed('right', 'instanceMetadataOptions.instanceMetadataTags', 'disabled', METADATA),
];

const STORAGE = ['ignition', 'storageType'];
const STORAGE_TYPE = 'UnencryptedUserData';

/** User data go to the instance as they are. One that does not say so would have them from a bucket, or as cloud-init. */
const storageType: MachineRule = {
  claims: { left: [], right: [{ path: STORAGE.join('.'), fate: 'constant' }] },
  convert: (scope) => {
    if (scope.run.to === 'right') {
      setAt(scope.target, STORAGE, STORAGE_TYPE);
      return;
    }
    const found = getAt(scope.source, STORAGE);
    if (found === STORAGE_TYPE) return;
    const is = found === undefined ? 'is absent' : `is ${stringifyJson(found)}`;
    addError(scope, STORAGE, `${is}, and only ${goQuote(STORAGE_TYPE)} can be kept: so Machine API gives user data`);
  },
};

const NO_CLOUD_INIT = 'cannot be kept: machines of Machine API are set up by Ignition';
const bootstrap: readonly MachineRule[] = [
  storageType,
  warned('right', 'ignition.version', 'is dropped: it is ignored when user data are given as they are'),
  refused('right', 'ignition.proxy', 'cannot be kept: write it into the user data'),
  refused('right', 'ignition.tls', 'cannot be kept: write it into the user data'),
  refused('right', 'cloudInit', NO_CLOUD_INIT),
  refused('right', 'uncompressedUserData', NO_CLOUD_INIT),
];

const PROFILE = 'cannot be kept: Cluster API takes the name of a profile; set iamInstanceProfile.id instead';

/** The instance itself. */
export const instance: readonly MachineRule[] = [
  ...image,
  same('instanceType', { forward: typeName, backward: typeName, keepsShape: true }),
  optionalNested('cpuOptions', 'cpuOptions', [
    same('confidentialCompute', oneOf('Disabled', 'AMDEncryptedVirtualizationNestedPaging')),
    refused('right', 'nestedVirtualization', 'cannot be kept: Machine API does not know it'),
  ]),
  move('iamInstanceProfile.id', 'iamInstanceProfile', optionalText),
  refused('left', 'iamInstanceProfile.arn', PROFILE),
  refused('left', 'iamInstanceProfile.filters', PROFILE),
  move('keyName', 'sshKeyName', sshKey),
  ...metadataService,
  ...bootstrap,
];
