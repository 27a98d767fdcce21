import { MachineConverter, StatusConverter, providerMap } from '@capstan/convert/machine-api';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import {
  clusterApiMachine,
  machineApiMachine,
  ways,
  workerGcpMachine,
  workerProviderSpec,
} from '../testing/machines.js';
import { changed } from '@capstan/provider/testing';
import type { Changes } from '@capstan/provider/testing';
import { conversion } from './index.js';

const map = providerMap(conversion);
const { back, there } = ways(map);

/** A worker as it comes back: without what is empty. */
const plain = (changes: Changes = {}): JsonObject => {
  const { metadata: _metadata, shieldedInstanceConfig: _config, ...spec } = workerProviderSpec();
  const [{ labels: _labels, ...disk }] = spec['disks'] as [JsonObject];
  return changed({ ...spec, disks: [disk] }, changes);
};

describe('a worker of the installer', () => {
  it('is a GCPMachine', () => {
    expect(map.forward(machineApiMachine(workerProviderSpec()), context)).toEqual({
      value: clusterApiMachine(workerGcpMachine()),
      errors: [],
      warnings: [],
    });
  });

  it('comes back without what is empty', () => {
    expect(map.backward(clusterApiMachine(workerGcpMachine()), context)).toEqual({
      value: machineApiMachine(plain()),
      errors: [],
      warnings: [],
    });
  });

  it('is read in the version of old installations too', () => {
    expect(there({ apiVersion: 'gcpprovider.openshift.io/v1beta1' })).toMatchObject({ errors: [] });
  });

  it('never throws when it is malformed, and loses nothing without a word', () => {
    checkMalformed(conversion, 'left', machineApiMachine(workerProviderSpec()), context);
    checkMalformed(conversion, 'right', clusterApiMachine(workerGcpMachine()), context);
  });
});

const kmsKey = { name: 'key', keyRing: 'ring', projectID: 'keys', location: 'global' };
const account = 'key@keys.iam.gserviceaccount.com';
const managed = {
  keyType: 'Managed',
  managedKey: { kmsKeyName: 'projects/keys/locations/global/keyRings/ring/cryptoKeys/key' },
  kmsKeyServiceAccount: account,
};
const boot = { autoDelete: true, boot: true, image: 'projects/p/global/images/i', sizeGb: 16, type: 'pd-ssd' };
const data = { autoDelete: true, boot: false, sizeGb: 10, type: 'pd-standard' };
const start = { image: 'projects/p/global/images/i', rootDeviceSize: 16, rootDeviceType: 'pd-ssd' };

describe('what both can say', () => {
  it.each<[string, Changes, Changes]>([
    ['labels', { labels: { team: 'sea' } }, { additionalLabels: { team: 'sea' } }],
    ['packets of others', { canIPForward: true }, { ipForwarding: 'Enabled' }],
    [
      'entries of metadata',
      { gcpMetadata: [{ key: 'a', value: '1' }, { key: 'b' }] },
      { additionalMetadata: [{ key: 'a', value: '1' }, { key: 'b' }] },
    ],
    [
      'a disk for data',
      { disks: [boot, data] },
      { ...start, additionalDisks: [{ deviceType: 'pd-standard', size: 10 }] },
    ],
    [
      'a key for all disks',
      {
        disks: [
          { ...boot, encryptionKey: { kmsKey, kmsKeyServiceAccount: account } },
          { ...data, encryptionKey: { kmsKey, kmsKeyServiceAccount: account } },
        ],
      },
      {
        ...start,
        rootDiskEncryptionKey: managed,
        additionalDisks: [{ deviceType: 'pd-standard', size: 10, encryptionKey: managed }],
      },
    ],
    [
      'accelerators',
      { gpus: [{ count: 2, type: 'nvidia-tesla-t4' }] },
      { guestAccelerators: [{ count: 2, type: 'zones/europe-north1-a/acceleratorTypes/nvidia-tesla-t4' }] },
    ],
    ['machines that may be taken back', { preemptible: true }, { preemptible: true }],
    ['machines that may be taken back, the new way', { provisioningModel: 'Spot' }, { provisioningModel: 'Spot' }],
    [
      'a guarded machine',
      { shieldedInstanceConfig: { secureBoot: 'Enabled', integrityMonitoring: 'Enabled' } },
      { shieldedInstanceConfig: { secureBoot: 'Enabled', integrityMonitoring: 'Enabled' } },
    ],
    [
      'a machine that nobody can look into',
      { confidentialCompute: 'AMDEncryptedVirtualization', onHostMaintenance: 'Terminate' },
      { confidentialCompute: 'AMDEncryptedVirtualization', onHostMaintenance: 'Terminate' },
    ],
    [
      'tags of the organisation',
      { resourceManagerTags: [{ parentID: '1', key: 'k', value: 'v' }] },
      { resourceManagerTags: [{ parentID: '1', key: 'k', value: 'v' }] },
    ],
    [
      'an address of its own',
      {
        networkInterfaces: [
          { publicIP: true, network: 'ocean-7xk2p-network', projectID: 'network-project', subnetwork: 's' },
        ],
      },
      { publicIP: true, subnet: 's' },
    ],
    [
      'an account without scopes',
      { serviceAccounts: [{ email: 'a', scopes: [] }] },
      { serviceAccounts: { email: 'a', scopes: [] } },
    ],
  ])('%s', (_what, machineApi, clusterApi) => {
    expect(there(machineApi)).toEqual({ errors: [], warnings: [], spec: changed(workerGcpMachine(), clusterApi) });
    expect(back(clusterApi)).toEqual({ errors: [], warnings: [], spec: plain(machineApi) });
  });

  it.each<[string, Changes, JsonObject]>([
    [
      'an image of the own project',
      { disks: [{ ...boot, image: 'i' }] },
      { image: 'projects/ocean-project/global/images/i' },
    ],
    [
      'a key of the own project',
      { disks: [{ ...boot, encryptionKey: { kmsKey: { ...kmsKey, projectID: '' } } }] },
      {
        rootDiskEncryptionKey: {
          managedKey: { kmsKeyName: 'projects/ocean-project/locations/global/keyRings/ring/cryptoKeys/key' },
        },
      },
    ],
    ['a boot disk that is not the first', { disks: [data, boot] }, { ...start, additionalDisks: [{ size: 10 }] }],
  ])('%s is written out there', (_what, changes, spec) => {
    expect(there(changes)).toMatchObject({ errors: [], spec });
  });

  it.each<[string, Changes, JsonObject]>([
    [
      'the default account',
      { serviceAccounts: undefined },
      { serviceAccounts: [{ email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'] }] },
    ],
    ['packets of others', { ipForwarding: undefined }, { canIPForward: true }],
    ['the type of the disk', { rootDeviceType: undefined }, { disks: [{ type: 'pd-standard' }] }],
    [
      'what a disk for data is',
      { additionalDisks: [{}] },
      { disks: [{ boot: true }, { boot: false, sizeGb: 30, type: 'pd-standard', autoDelete: true }] },
    ],
    [
      'a family of images',
      { image: undefined, imageFamily: 'projects/p/global/images/family/f' },
      { disks: [{ image: 'projects/p/global/images/family/f' }] },
    ],
  ])('%s is written out on the way back', (_what, changes, spec) => {
    expect(back(changes)).toMatchObject({ errors: [], spec });
  });

  it('the default of the cloud is not written', () => {
    expect(there({ restartPolicy: 'Always' })).toMatchObject({ errors: [], warnings: [] });
    expect(there({ restartPolicy: 'Never', preemptible: true })).toMatchObject({ errors: [], warnings: [] });
    expect(back({ provisioningModel: 'Standard' }).spec).not.toHaveProperty('provisioningModel');
  });

  it('warns of what the controller does not pass to the cloud', () => {
    expect(there({ 'shieldedInstanceConfig.virtualizedTrustedPlatformModule': 'Disabled' })).toMatchObject({
      errors: [],
      warnings: [
        'shieldedInstanceConfig.virtualizedTrustedPlatformModule: is kept, but the controller of Cluster API does not pass it to the cloud, where it stays on',
      ],
      spec: { shieldedInstanceConfig: { virtualizedTrustedPlatformModule: 'Disabled' } },
    });
  });
});

describe('machines of a control plane', () => {
  const converter = new MachineConverter(conversion);
  const master = (changes: Changes = {}): JsonObject => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name: 'ocean-7xk2p-master-0',
      namespace: 'openshift-machine-api',
      labels: { 'machine.openshift.io/cluster-api-machine-role': 'master' },
    },
    ...machineApiMachine(changed(workerProviderSpec(), changes)),
  });
  const without: MachineContext = {
    ...context,
    infrastructureCluster: {
      spec: {
        project: 'ocean-project',
        region: 'europe-north1',
        network: { name: 'ocean-7xk2p-network', hostProject: 'network-project' },
      },
    },
  };

  it('join the instance group that the cluster names', () => {
    expect(converter.toClusterApi(master(), context).errors).toEqual([]);
    expect(converter.toClusterApi(master(), without).errors).toMatchObject([
      {
        path: 'spec.providerSpec.value.zone',
        message:
          'joins an instance group of masters, but spec.loadBalancer.apiServerInstanceGroupTagOverride of the infrastructure cluster is empty: set it to "master"',
      },
    ]);
  });

  it('are spread over zones', () => {
    const { failureDomains } = conversion;
    expect(failureDomains?.toName({ zone: 'z' }, context)).toEqual({ name: 'z' });
    expect(failureDomains?.toDomain('z', context)).toEqual({ domain: { zone: 'z' } });
    expect(failureDomains?.toName({}, context)).toEqual({
      path: 'zone',
      message: 'must be set: Cluster API knows a failure domain by its zone',
    });
  });
});

describe('the status of an instance', () => {
  const converter = new StatusConverter(conversion);
  const now = '2026-01-02T03:04:05Z';

  it.each([
    ['RUNNING', true],
    ['STAGING', false],
  ])('%s', (instanceState, ready) => {
    const providerStatus = { instanceId: '1', instanceState, conditions: [] };
    const { errors, status } = converter.toClusterApi({ status: { providerStatus } }, context, now);
    expect({ errors, infrastructure: status.infrastructure }).toEqual({
      errors: [],
      infrastructure: { instanceState, ready },
    });
    const again = converter.toMachineApi(
      { machine: { status: {} }, infrastructure: { status: status.infrastructure } },
      context,
      now,
    );
    expect(again.status['providerStatus']).toEqual({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'GCPMachineProviderStatus',
      instanceState,
    });
  });
});
