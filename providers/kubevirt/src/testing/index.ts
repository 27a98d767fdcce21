import { opaqueSecret } from '@capstan/provider';
import type { HostingExamples } from '@capstan/provider/testing';

const POOL = {
  rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } },
  compute: { cores: 2, memory: '8Gi' },
};

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [
    {},
    {
      baseDomainPassthrough: true,
      generateID: 'abc12',
      credentials: { infraKubeConfigSecret: { name: 'infra', key: 'kubeconfig' }, infraNamespace: 'machines' },
      storageDriver: {
        type: 'Manual',
        manual: {
          storageClassMapping: [{ group: 'a', infraStorageClassName: 'fast', guestStorageClassName: 'quick' }],
          volumeSnapshotClassMapping: [
            { group: 'a', infraVolumeSnapshotClassName: 'snap', guestVolumeSnapshotClassName: 'shot' },
          ],
        },
      },
    },
  ],
  pools: [
    POOL,
    {
      rootVolume: {
        type: 'Persistent',
        cacheStrategy: { type: 'PVC' },
        diskImage: { containerDiskImage: 'quay.io/fleet/disk:1' },
        persistent: { size: '64Gi', storageClass: 'fast', accessModes: ['ReadWriteMany'], volumeMode: 'Block' },
      },
      compute: { cores: 4, memory: '16Gi', qosClass: 'Guaranteed' },
      additionalNetworks: [{ name: 'nets/vlan' }],
      attachDefaultNetwork: false,
      hostDevices: [{ deviceName: 'gpu', count: 2 }],
      networkInterfaceMultiqueue: 'Enable',
      nodeSelector: { disk: 'fast' },
    },
  ],
  secrets: [opaqueSecret('clusters', 'infra', { kubeconfig: 'x' })],
  bootImages: {
    architectures: {
      x86_64: { images: { kubevirt: { 'digest-ref': 'quay.io/openshift-release-dev/disk@sha256:0' } } },
    },
  },
  createFlags: { 'infra-kubeconfig-file': 'x', 'infra-namespace': 'machines' },
};
