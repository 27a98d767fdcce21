/** Machines as the installer makes them, in a cluster with addresses of one family. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';

const cluster = 'ocean-7xk2p';

const worker: JsonObject = {
  ami: { id: 'ami-0a1b2c3d' },
  apiVersion: 'machine.openshift.io/v1beta1',
  blockDevices: [{ ebs: { encrypted: true, iops: 0, kmsKey: { arn: '' }, volumeSize: 120, volumeType: 'gp3' } }],
  capacityReservationId: '',
  credentialsSecret: { name: 'aws-cloud-credentials' },
  deviceIndex: 0,
  iamInstanceProfile: { id: `${cluster}-worker-profile` },
  instanceType: 'm6i.xlarge',
  kind: 'AWSMachineProviderConfig',
  metadata: { creationTimestamp: null },
  metadataServiceOptions: {},
  placement: { availabilityZone: 'eu-north-1a', region: 'eu-north-1' },
  securityGroups: [
    { filters: [{ name: 'tag:Name', values: [`${cluster}-node`] }] },
    { filters: [{ name: 'tag:Name', values: [`${cluster}-lb`] }] },
  ],
  subnet: { filters: [{ name: 'tag:Name', values: [`${cluster}-subnet-private-eu-north-1a`] }] },
  tags: [{ name: `kubernetes.io/cluster/${cluster}`, value: 'owned' }],
  userDataSecret: { name: 'worker-user-data' },
};

const awsMachine: JsonObject = {
  additionalSecurityGroups: worker['securityGroups'],
  additionalTags: { [`kubernetes.io/cluster/${cluster}`]: 'owned' },
  ami: { id: 'ami-0a1b2c3d' },
  hostAffinity: 'default',
  iamInstanceProfile: `${cluster}-worker-profile`,
  ignition: { storageType: 'UnencryptedUserData' },
  instanceID: 'i-0f00ba4',
  instanceMetadataOptions: {
    httpEndpoint: 'enabled',
    httpProtocolIpv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'optional',
    instanceMetadataTags: 'disabled',
  },
  instanceType: 'm6i.xlarge',
  providerID: 'aws:///eu-north-1a/i-0f00ba4',
  rootVolume: { encrypted: true, size: 120, type: 'gp3' },
  subnet: worker['subnet'],
};

const left: JsonObject = {
  spec: { providerID: 'aws:///eu-north-1a/i-0f00ba4', providerSpec: { value: worker } },
};
const right: JsonObject = {
  machine: {
    spec: {
      bootstrap: { dataSecretName: 'worker-user-data' },
      failureDomain: 'eu-north-1a',
      providerID: 'aws:///eu-north-1a/i-0f00ba4',
    },
  },
  infrastructure: { spec: awsMachine },
};

/** What they are in Cluster API. */
export const conversionMachines = { worker: { left, right } };
