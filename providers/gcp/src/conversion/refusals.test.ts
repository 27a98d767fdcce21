import { providerMap } from '@capstan/convert/machine-api';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import { ways } from '../testing/machines.js';
import type { Changes } from '@capstan/provider/testing';
import { conversion } from './index.js';

const { back, there } = ways(providerMap(conversion));
const boot = { autoDelete: true, boot: true, image: 'projects/p/global/images/i', sizeGb: 16, type: 'pd-ssd' };
const data = { autoDelete: true, boot: false, sizeGb: 10, type: 'pd-standard' };
const kmsKey = { name: 'key', keyRing: 'ring', projectID: 'keys', location: 'global' };
const nic = { network: 'ocean-7xk2p-network', projectID: 'network-project' };
const otherKey = 'is not the key of the boot disk, with which Cluster API encrypts all others: use that one, or none';

describe('what Cluster API cannot keep', () => {
  it.each<[Changes, string]>([
    [{ metadata: { name: 'x' } }, 'metadata: has no place in Cluster API, and nothing reads it: remove it'],
    [
      { 'credentialsSecret.name': 'own' },
      'credentialsSecret.name: is "own": only "gcp-cloud-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
    ],
    [{ region: 'other' }, 'region: is "other", but spec.region of the infrastructure cluster is "europe-north1"'],
    [
      { projectID: 'other' },
      'projectID: is "other", but spec.project of the infrastructure cluster is "ocean-project"',
    ],
    [{ machineType: '' }, 'machineType: must be set: nothing else gives the size of the machine'],
    [
      { deletionProtection: true },
      'deletionProtection: is true, which cannot be kept: Cluster API protects no machines; set it to false',
    ],
    [{ disks: [] }, 'disks: must have one whose boot is true: machines start from it'],
    [{ disks: [boot, boot] }, 'disks[1]: there is one already: spec.providerSpec.value.disks[0]'],
    [
      { disks: [{ ...boot, autoDelete: false }] },
      'disks[0].autoDelete: is false, which cannot be kept: Cluster API deletes disks with their machine',
    ],
    [
      { disks: [boot, { ...data, autoDelete: undefined }] },
      'disks[1].autoDelete: is false, which cannot be kept: Cluster API deletes disks with their machine',
    ],
    [
      { disks: [{ ...boot, labels: { a: 'b' } }] },
      'disks[0].labels: Cluster API has no labels of single disks: set labels of the machine',
    ],
    [{ disks: [{ ...boot, image: '' }] }, 'disks[0].image: must be set: Cluster API has images of its own'],
    [{ disks: [boot, { ...data, image: 'i' }] }, 'disks[1].image: disks for data are empty in Cluster API: remove it'],
    [{ disks: [boot, { ...data, sizeGb: 0 }] }, 'disks[1].sizeGb: must be from 1 to 65536, and is 0'],
    [{ disks: [{ ...boot, type: '' }] }, 'disks[0].type: must be set'],
    [
      { disks: [boot, { ...data, type: 'local-ssd' }] },
      'disks[1].type: is "local-ssd", which Machine API cannot create: use another type',
    ],
    [{ disks: [boot, { ...data, encryptionKey: { kmsKey } }] }, `disks[1].encryptionKey: ${otherKey}`],
    [
      { disks: [{ ...boot, encryptionKey: { kmsKey: { ...kmsKey, keyRing: '' } } }] },
      'disks[0].encryptionKey.kmsKey.keyRing: must be set, as it is part of the name of the key',
    ],
    [
      { disks: [{ ...boot, encryptionKey: { kmsKey: { ...kmsKey, name: 'a/b' } } }] },
      'disks[0].encryptionKey.kmsKey.name: is "a/b": must have letters, digits, dashes and underscores alone',
    ],
    [
      { disks: [{ ...boot, encryptionKey: { kmsKeyServiceAccount: 'a@b.iam.gserviceaccount.com' } }] },
      'disks[0].encryptionKey.kmsKeyServiceAccount: is set, but there is no key: set kmsKey, or remove it',
    ],
    [
      { disks: [{ ...boot, encryptionKey: { kmsKey, kmsKeyServiceAccount: 'no-account' } }] },
      'disks[0].encryptionKey.kmsKeyServiceAccount: is "no-account": must be <name>@<project>.iam.gserviceaccount.com',
    ],
    [
      { disks: [{ ...boot, encryptionKey: { kmsKey: { ...kmsKey, name: 'k'.repeat(160) } } }] },
      'disks[0].encryptionKey.kmsKey.name: makes a name of 216 characters, and Cluster API takes 160',
    ],
    [{ networkInterfaces: [nic, nic] }, 'networkInterfaces[1]: machines of Cluster API have one interface'],
    [{ networkInterfaces: [] }, 'networkInterfaces: must have one, as every machine of Cluster API is in a network'],
    [
      { networkInterfaces: [{ ...nic, network: 'other' }] },
      'networkInterfaces[0].network: is "other", but spec.network.name of the infrastructure cluster is "ocean-7xk2p-network"',
    ],
    [
      { networkInterfaces: [{ ...nic, projectID: '' }] },
      'networkInterfaces[0].projectID: is not set, but spec.network.hostProject of the infrastructure cluster is "network-project"',
    ],
    [
      { serviceAccounts: [] },
      'serviceAccounts: must have one, as Cluster API would take the default account of the project',
    ],
    [
      { serviceAccounts: [{ email: 'a' }, { email: 'b' }] },
      'serviceAccounts[1]: machines of Cluster API have one service account',
    ],
    [
      { targetPools: ['pool'] },
      'targetPools: Cluster API puts machines of the control plane into instance groups: remove them',
    ],
    [
      { restartPolicy: 'Never' },
      'restartPolicy: is "Never", which cannot be kept: Cluster API has machines started again; remove it',
    ],
    [
      { restartPolicy: 'Always', preemptible: true },
      'restartPolicy: is "Always", which machines that the cloud may take back cannot have: remove it',
    ],
    [{ provisioningModel: 'Standard' }, 'provisioningModel: Unsupported value: "Standard": supported values: "Spot"'],
    [
      { gcpMetadata: [{ key: 'user-data', value: 'x' }] },
      'gcpMetadata[0].key: is "user-data", which holds the user data of the machine: remove it',
    ],
    [
      { gcpMetadata: [{ key: 'a' }, { key: 'a' }] },
      'gcpMetadata[1].key: Duplicate value: "a": Cluster API keeps the list by its key',
    ],
    [
      { gpus: [{ count: 1, type: 'nvidia-tesla-t4' }], zone: '' },
      'gpus[0].type: needs a zone to be found in: set zone of the machine',
    ],
    [
      { resourceManagerTags: [{ parentID: 'a', key: 'k', value: 'v' }] },
      'resourceManagerTags[0].parentID: is "a": must be the number of an organisation or the id of a project',
    ],
    [{ resourceManagerTags: [{ parentID: '1', key: 'k' }] }, 'resourceManagerTags[0].value: must be set'],
    [{ somethingNew: 1 }, 'somethingNew: is a field this conversion does not know'],
  ])('%j', (changes, message) => {
    expect(there(changes).errors).toEqual([message]);
  });

  it('compares nothing without the cluster', () => {
    const { infrastructureCluster: _cluster, ...alone } = context;
    const { errors, warnings } = there({}, alone);
    expect(errors).toEqual([]);
    expect(warnings.map((each) => each.split(':')[0])).toEqual([
      'region',
      'projectID',
      'networkInterfaces[0].network',
      'networkInterfaces[0].projectID',
    ]);
  });
});

describe('what Machine API cannot keep', () => {
  const managed = { keyType: 'Managed', managedKey: { kmsKeyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k' } };
  it.each<[Changes, string]>([
    [{ image: undefined }, 'image: must be set: Machine API has no images of its own'],
    [{ image: 'i' }, 'image: is "i": must be projects/<project>/global/images/<name>'],
    [{ imageFamily: 'a/b' }, 'imageFamily: is not used together with image: remove it'],
    [
      { rootDiskEncryptionKey: { keyType: 'Supplied' } },
      'rootDiskEncryptionKey.keyType: is "Supplied": Machine API has keys of the key management service alone, which are "Managed"',
    ],
    [
      { rootDiskEncryptionKey: { ...managed, suppliedKey: { rawKey: 'x' } } },
      'rootDiskEncryptionKey.suppliedKey: Machine API has keys of the key management service alone: use one of them',
    ],
    [
      { rootDiskEncryptionKey: { keyType: 'Managed', managedKey: { kmsKeyName: 'k' } } },
      'rootDiskEncryptionKey.managedKey.kmsKeyName: must be projects/<project>/locations/<location>/keyRings/<ring>/cryptoKeys/<key>',
    ],
    [{ additionalDisks: [{ encryptionKey: managed }] }, `additionalDisks[0].encryptionKey: ${otherKey}`],
    [
      { additionalDisks: [{ deviceType: 'local-ssd' }] },
      'additionalDisks[0].deviceType: is "local-ssd", which Machine API cannot create: use another type',
    ],
    [
      { aliasIPRanges: [{ ipCidrRange: '/24' }] },
      'aliasIPRanges: Machine API has no ranges of addresses for single machines: remove them',
    ],
    [
      { guestAccelerators: [{ count: 1, type: 'zones/other/acceleratorTypes/t' }] },
      'guestAccelerators[0].type: is in zone "other", and the machine in "europe-north1-a"',
    ],
    [
      { guestAccelerators: [{ count: 1, type: 't' }] },
      'guestAccelerators[0].type: must be zones/<zone>/acceleratorTypes/<name>',
    ],
    [
      { guestAccelerators: [{ count: 2 ** 31, type: 'zones/europe-north1-a/acceleratorTypes/t' }] },
      'guestAccelerators[0].count: must be from 1 to 2147483647, and is 2147483648',
    ],
    [
      { additionalMetadata: [{ key: 'user-data' }] },
      'additionalMetadata[0].key: is "user-data", which holds the user data of the machine: remove it',
    ],
    [{ serviceAccounts: { scopes: ['a'] } }, 'serviceAccounts.email: must be set'],
    [{ ipForwarding: 'Maybe' }, 'ipForwarding: Unsupported value: "Maybe": supported values: "Enabled", "Disabled"'],
    [{ instanceType: '' }, 'instanceType: must be set: nothing else gives the size of the machine'],
  ])('%j', (changes, message) => {
    expect(back(changes).errors).toEqual([message]);
  });
});
