/** What the conversion of machines on Google Cloud is tried with. */
import { absent } from '@capstan/convert';
import type { Choices, LeafMaker } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { from, nothing, numbered, oneOf, rarely, remembered, Single } from '@capstan/provider/testing';
import type { ConversionExamples, Maker, Makers } from '@capstan/provider/testing';

const CLUSTER = 'ocean-7xk2p';
const PROJECT = 'ocean-project';
const ZONE = 'europe-north1-a';

/** A cluster in the network of another project. */
export const conversionContext: MachineContext = {
  clusterName: CLUSTER,
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'GCPCluster',
    metadata: { name: CLUSTER, namespace: 'openshift-cluster-api' },
    spec: {
      project: PROJECT,
      region: 'europe-north1',
      network: { name: `${CLUSTER}-network`, hostProject: 'network-project' },
      loadBalancer: { apiServerInstanceGroupTagOverride: 'master' },
    },
  },
  infrastructure: {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: {
      infrastructureName: CLUSTER,
      platformStatus: { type: 'GCP', gcp: { projectID: PROJECT, region: 'europe-north1' } },
    },
  },
};

const instance = (choices: Choices): string => `gce://${PROJECT}/${ZONE}/m-${choices.below(9)}`;
const machineId = remembered(instance);
const onOrOff = rarely('Maybe', oneOf('Enabled', 'Disabled', '', absent));
const confidential = rarely(
  'Other',
  oneOf('Enabled', 'Disabled', 'AMDEncryptedVirtualization', 'IntelTrustedDomainExtensions', '', absent),
);
const diskType = oneOf('pd-standard', 'pd-ssd', 'hyperdisk-balanced');
const accountName = oneOf('key@ocean-project.iam.gserviceaccount.com');

/** The first disk of a list is the one to start from. */
let isBoot = false;
let diskCount = 0;
const ofBoot =
  (boot: Maker, data: Maker): Maker =>
  (choices) =>
    (isBoot ? boot : data)(choices);
const startDisks =
  (maker: Maker): Maker =>
  (choices) => {
    diskCount = 0;
    return maker(choices);
  };
const nextDisk =
  (maker: Maker): Maker =>
  (choices) => {
    diskCount += 1;
    isBoot = diskCount === 1;
    return maker(choices);
  };

const interfaces = new Single(true);
const accounts = new Single(true);
const taken = remembered((choices) => choices.below(3));

const left: Makers = {
  metadata: () => ({ labels: { a: 'b' } }),
  'credentialsSecret.name': rarely('other', oneOf('gcp-cloud-credentials', '')),
  canIPForward: oneOf(true, false, absent),
  // The last leaf before the lists: what it makes begins an object.
  deletionProtection: startDisks(interfaces.reset(accounts.reset(rarely(true, oneOf(false, absent))))),
  'disks[].autoDelete': nextDisk(rarely(false, () => true)),
  'disks[].boot': ofBoot(
    rarely(false, () => true),
    rarely(true, oneOf(false, absent)),
  ),
  'disks[].sizeGb': ofBoot(rarely(99_999, from(0, 500)), rarely(0, from(1, 500))),
  'disks[].type': rarely('local-ssd', diskType),
  'disks[].image': ofBoot(rarely('', oneOf('projects/p/global/images/i', 'bare-name')), rarely('x', oneOf('', absent))),
  'disks[].labels{}': numbered('label'),
  'disks[].encryptionKey.kmsKey.name': rarely('a/b', oneOf('key')),
  'disks[].encryptionKey.kmsKey.keyRing': rarely('', oneOf('ring')),
  'disks[].encryptionKey.kmsKey.projectID': oneOf('', absent, PROJECT),
  'disks[].encryptionKey.kmsKey.location': oneOf('global'),
  'disks[].encryptionKey.kmsKeyServiceAccount': rarely('no-account', accountName),
  'gcpMetadata[].key': rarely('user-data', (choices) => `key-${choices.below(60_000)}`),
  'networkInterfaces[].publicIP': interfaces.first(oneOf(true, false)),
  'networkInterfaces[].network': interfaces.after(rarely('other', oneOf(`${CLUSTER}-network`, '', absent))),
  'networkInterfaces[].projectID': interfaces.after(rarely('other', oneOf('network-project'))),
  'networkInterfaces[].subnetwork': interfaces.after(oneOf('worker-subnet', '', absent)),
  'serviceAccounts[].email': accounts.first(rarely('', numbered('account-'))),
  'serviceAccounts[].scopes[]': (choices) => accounts.after(numbered('scope-'))(choices),
  'targetPools[]': numbered('pool-'),
  machineType: rarely('', oneOf('n2-standard-4', 'e2-standard-8')),
  region: rarely('other', oneOf('europe-north1', '', absent)),
  zone: rarely('', oneOf(ZONE)),
  projectID: rarely('other', oneOf(PROJECT, '', absent)),
  'gpus[].count': rarely(0, from(1, 8)),
  'gpus[].type': rarely('a/b', oneOf('nvidia-tesla-t4', 'nvidia-tesla-p4')),
  preemptible: taken.first((kind) => (kind === 1 ? () => true : oneOf(false, absent))),
  provisioningModel: taken.after((kind) => (kind === 2 ? () => 'Spot' : rarely('Other', oneOf('', absent)))),
  onHostMaintenance: rarely('Wait', oneOf('Migrate', 'Terminate', '', absent)),
  restartPolicy: taken.after((kind) => rarely('Sometimes', oneOf(kind === 0 ? 'Always' : 'Never', '', absent))),
  'shieldedInstanceConfig.secureBoot': onOrOff,
  'shieldedInstanceConfig.virtualizedTrustedPlatformModule': onOrOff,
  'shieldedInstanceConfig.integrityMonitoring': onOrOff,
  confidentialCompute: confidential,
  'resourceManagerTags[].parentID': rarely('a', oneOf('123456', 'some-project')),
  'resourceManagerTags[].key': rarely('-', numbered('key-')),
  'resourceManagerTags[].value': rarely('', numbered('value ')),
};

const KEY = `projects/${PROJECT}/locations/global/keyRings/ring/cryptoKeys/key`;
const isFamily = remembered((choices) => choices.below(4) === 0);
const keyMakers = (path: string): Makers => ({
  [`${path}.keyType`]: rarely('Supplied', oneOf('Managed')),
  [`${path}.kmsKeyServiceAccount`]: rarely('no-account', accountName),
  [`${path}.managedKey.kmsKeyName`]: rarely('key', oneOf(KEY)),
});

const right: Makers = {
  ...keyMakers('rootDiskEncryptionKey'),
  ...keyMakers('additionalDisks[].encryptionKey'),
  'additionalDisks[].deviceType': rarely('local-ssd', oneOf('pd-ssd', 'pd-balanced', absent)),
  'additionalDisks[].size': rarely(0, oneOf(10, 375, absent)),
  'additionalMetadata[].key': rarely('user-data', (choices) => `key-${choices.below(60_000)}`),
  confidentialCompute: confidential,
  'guestAccelerators[].count': rarely(0, from(1, 8)),
  'guestAccelerators[].type': rarely(
    'nvidia-tesla-t4',
    oneOf(
      `zones/${ZONE}/acceleratorTypes/nvidia-tesla-t4`,
      `projects/p/zones/${ZONE}/acceleratorTypes/nvidia-tesla-p4`,
    ),
  ),
  image: isFamily.first((yes) => (yes ? nothing : rarely('bare-name', oneOf('projects/p/global/images/i')))),
  imageFamily: isFamily.after((yes) => (yes ? oneOf('projects/p/global/images/family/f') : rarely('x/y', nothing))),
  instanceType: rarely('', oneOf('n2-standard-4', 'e2-standard-8')),
  ipForwarding: rarely('Maybe', oneOf('Enabled', 'Disabled', absent)),
  onHostMaintenance: rarely('Wait', oneOf('Migrate', 'Terminate', '', absent)),
  providerID: machineId.after((id) => rarely('gce:///other', oneOf(id, absent))),
  provisioningModel: rarely('Other', oneOf('Spot', 'Standard', absent)),
  'resourceManagerTags[].parentID': rarely('a', oneOf('123456', 'some-project')),
  'resourceManagerTags[].key': rarely('-', numbered('key-')),
  'resourceManagerTags[].value': rarely('', numbered('value ')),
  rootDeviceSize: rarely(99_999, oneOf(0, 30, 128, absent)),
  rootDeviceType: oneOf('pd-ssd', 'pd-standard', '', absent),
  'serviceAccounts.email': rarely('', numbered('account-')),
  'shieldedInstanceConfig.secureBoot': onOrOff,
  'shieldedInstanceConfig.virtualizedTrustedPlatformModule': onOrOff,
  'shieldedInstanceConfig.integrityMonitoring': onOrOff,
};

const PROVIDER_SPEC = 'spec.providerSpec.value.';
const INFRASTRUCTURE = 'infrastructure.spec.';

const makerOf =
  (prefix: string, makers: Makers): LeafMaker =>
  (path, choices) => {
    if (path === 'spec.providerID' || path === 'machine.spec.providerID')
      return machineId.first((id) => rarely('gce:///x', () => id))(choices);
    if (path === 'machine.spec.bootstrap.dataSecretName') return oneOf('worker-user-data', absent)(choices);
    if (path === 'machine.spec.failureDomain') return oneOf(ZONE)(choices);
    return path.startsWith(prefix) ? makers[path.slice(prefix.length)]?.(choices) : undefined;
  };

/** For the trial of the conversion. */
export const conversionExamples: ConversionExamples = {
  context: conversionContext,
  required: [
    'machine',
    'machine.spec',
    ...['disks', 'networkInterfaces', 'serviceAccounts', 'disks[].encryptionKey', 'disks[].encryptionKey.kmsKey'].map(
      (name) => `${PROVIDER_SPEC}${name}`,
    ),
    ...[
      'rootDiskEncryptionKey',
      'rootDiskEncryptionKey.managedKey',
      'additionalDisks[].encryptionKey',
      'additionalDisks[].encryptionKey.managedKey',
    ].map((name) => `${INFRASTRUCTURE}${name}`),
  ],
  makers: { left: makerOf(PROVIDER_SPEC, left), right: makerOf(INFRASTRUCTURE, right) },
};
