import type { KubevirtNodePoolPlatform } from '@capstan/api/hypershift';
import type { KubevirtMachineSpec } from '@capstan/api/infrastructure/kubevirt';
import type { JsonObject } from '@capstan/meta';
import { withoutUndefined } from '@capstan/provider';
import type { NodePoolInputs } from '@capstan/provider';
import { clusterSettings, INFRA_ID_LABEL, infraNamespaceOf, poolSettings } from './settings.js';

type VirtualMachine = NonNullable<KubevirtMachineSpec['virtualMachineTemplate']>;
type MachineSpec = NonNullable<VirtualMachine['spec']>;
type Instance = NonNullable<MachineSpec['template']['spec']>;
type DataVolume = NonNullable<MachineSpec['dataVolumeTemplates']>[number];

const ROOT = 'rhcos';
const POOL_LABEL = 'hypershift.openshift.io/nodepool-name';
const ROOT_LABEL = 'hypershift.openshift.io/is-kubevirt-rhcos';
/** Volumes of a machine's pod that hold nothing of worth: an autoscaler below may move it all the same. */
const LOCAL_VOLUMES =
  'private,public,sockets,virt-bin-share-dir,libvirt-runtime,ephemeral-disks,container-disks,hotplug-disks';

interface Nic {
  readonly name: string;
  /** Undefined for the network of pods. */
  readonly network?: string | undefined;
}

function nicsOf({ additionalNetworks = [], attachDefaultNetwork = true }: KubevirtNodePoolPlatform): Nic[] {
  const others = additionalNetworks.map(({ name }, at) => ({
    name: `iface${at + 1}_${name.replaceAll('/', '-')}`,
    network: name,
  }));
  return attachDefaultNetwork ? [{ name: 'default' }, ...others] : others;
}

function rootVolumeOf({ rootVolume }: KubevirtNodePoolPlatform, image: string): DataVolume {
  const { accessModes, size, storageClass, volumeMode } = rootVolume.persistent ?? {};
  const storage = withoutUndefined({
    accessModes: accessModes?.map(String),
    resources: size === undefined ? undefined : { requests: { storage: size } },
    storageClassName: storageClass,
    volumeMode,
  });
  return {
    metadata: { name: ROOT, labels: { [ROOT_LABEL]: 'true' } },
    spec: withoutUndefined({
      source: { registry: { url: image, pullMethod: 'node' } },
      storage: rootVolume.persistent === undefined ? undefined : storage,
    }),
  } as DataVolume;
}

function hostDevicesOf({ hostDevices = [] }: KubevirtNodePoolPlatform): { name: string; deviceName: string }[] {
  return hostDevices
    .flatMap(({ count = 1, deviceName }) => Array.from({ length: count }, () => deviceName))
    .map((deviceName, at) => ({ name: `hostdevice-${at + 1}`, deviceName }));
}

/** A guarantee is for the pod, and then covers what runs on top of the guest as well. */
function sizeOf({ compute }: KubevirtNodePoolPlatform): Partial<Instance['domain']> {
  const { cores = 2, memory = '8Gi', qosClass } = compute ?? {};
  if (qosClass !== 'Guaranteed') return { memory: { guest: memory }, cpu: { cores } };
  const resources = { memory, cpu: String(cores) };
  return { resources: { requests: resources, limits: { ...resources } } };
}

function instanceOf({ nodePool }: NodePoolInputs): Instance {
  const pool = poolSettings(nodePool);
  const nics = nicsOf(pool);
  const hostDevices = hostDevicesOf(pool);
  return withoutUndefined({
    domain: {
      ...sizeOf(pool),
      devices: withoutUndefined({
        disks: [{ name: ROOT, disk: { bus: 'virtio' } }],
        interfaces: nics.map(({ name }) => ({ name, bridge: {} })),
        networkInterfaceMultiqueue: pool.networkInterfaceMultiqueue === 'Enable' ? true : undefined,
        hostDevices: hostDevices.length === 0 ? undefined : hostDevices,
      }),
    },
    evictionStrategy: 'External',
    networks: nics.map(({ name, network }) =>
      network === undefined ? { name, pod: {} } : { name, multus: { networkName: network } },
    ),
    nodeSelector: pool.nodeSelector,
    volumes: [{ name: ROOT, dataVolume: { name: ROOT } }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { [POOL_LABEL]: nodePool.metadata.name ?? '' } },
      },
    ],
  }) as Instance;
}

/** The machine of a pool, as it is written to the cluster that runs it. */
export function virtualMachine(inputs: NodePoolInputs, image: string): VirtualMachine {
  const { controlPlaneNamespace, hostedCluster, infraID, nodePool } = inputs;
  const pool = poolSettings(nodePool);
  const labels = { [POOL_LABEL]: nodePool.metadata.name ?? '', [INFRA_ID_LABEL]: infraID };
  const annotations = withoutUndefined({
    'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': LOCAL_VOLUMES,
    'kubevirt.io/allow-pod-bridge-network-live-migration': (pool.attachDefaultNetwork ?? true) ? '' : undefined,
  });
  const isElsewhere = clusterSettings(hostedCluster).credentials !== undefined;
  const metadata: JsonObject = withoutUndefined({
    labels,
    namespace: isElsewhere ? infraNamespaceOf(hostedCluster, controlPlaneNamespace) : undefined,
  });
  return {
    metadata: metadata as NonNullable<VirtualMachine['metadata']>,
    spec: {
      runStrategy: 'Always',
      dataVolumeTemplates: [rootVolumeOf(pool, image)],
      template: { metadata: { labels: { ...labels }, annotations }, spec: instanceOf(inputs) },
    },
  } as VirtualMachine;
}
