import { canonicalHash } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Node } from '../workload/resources.js';

/** How a node presents itself. */
export interface NodeDescription {
  readonly name: string;
  /** Of the machine. */
  readonly ip: string;
  /** Range of the addresses of its pods. */
  readonly podCidr: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[] | undefined;
  /** Default: cpu 256, memory 1Ti, ephemeral-storage 1Ti, pods 4090. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  /** What the cloud it runs in calls it. */
  readonly providerId?: string | undefined;
  /** Where it can be reached. Default: its address and its name. */
  readonly addresses?: readonly { readonly type: string; readonly address: string }[] | undefined;
  /** Port of the kubelet's own server. Default 10250. */
  readonly kubeletPort?: number | undefined;
  /** Which kubelet it runs, now; asked each time its status is written. Default: that of this cluster. */
  readonly kubeletVersion?: (() => string | undefined) | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const CAPACITY = { cpu: '256', 'ephemeral-storage': '1Ti', memory: '1Ti', pods: '4090' };
const KUBELET_PORT = 10_250;
/** What the node claims to be built of. */
const KUBELET_VERSION = 'v1.36.3';

/** What there is of each resource. */
export function capacityOf({ capacity = {} }: NodeDescription): Record<string, string> {
  return { ...CAPACITY, ...capacity };
}

/** The Node as it is registered. */
export function nodeObject(description: NodeDescription, clock: Clock): Node {
  const { annotations = {}, labels = {}, name, podCidr, providerId, taints = [] } = description;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...annotations },
    },
    spec: {
      podCIDR: podCidr,
      podCIDRs: [podCidr],
      ...(providerId === undefined ? {} : { providerID: providerId }),
      ...(taints.length === 0 ? {} : { taints: [...taints] }),
    },
    status: nodeStatus(description, clock),
  };
}

/** The status of a node that is well. */
export function nodeStatus(description: NodeDescription, clock: Clock): NonNullable<Node['status']> {
  const capacity = capacityOf(description);
  const { ip, kubeletPort = KUBELET_PORT, name } = description;
  const machine = canonicalHash(name);
  return {
    capacity,
    allocatable: capacity,
    conditions: conditions(timestamp(clock)),
    addresses: [...(description.addresses ?? defaultAddresses(ip, name))],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuidShape(machine.slice(32)),
      containerRuntimeVersion: 'capstan://0.1.0',
      kernelVersion: '6.1.0',
      kubeProxyVersion: '',
      kubeletVersion: description.kubeletVersion?.() ?? KUBELET_VERSION,
      machineID: machine.slice(0, 32),
      operatingSystem: 'linux',
      osImage: 'Capstan',
      systemUUID: uuidShape(machine),
    },
  };
}

function defaultAddresses(ip: string, name: string): { type: string; address: string }[] {
  return [
    { type: 'InternalIP', address: ip },
    { type: 'Hostname', address: name },
  ];
}

function uuidShape(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function conditions(now: string): NonNullable<NonNullable<Node['status']>['conditions']> {
  const table = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ] as const;
  return table.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  }));
}
