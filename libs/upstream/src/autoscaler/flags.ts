import type { FlagKinds, FlagValues } from '@capstan/kube';
import { BadUsage } from '@capstan/kube';

/** The flags of upstream; those below the line are accepted and change nothing here. */
export const AUTOSCALER_FLAGS = {
  'cloud-config': 'string',
  'cloud-provider': 'string',
  'clusterapi-cloud-config-authoritative': 'boolean',
  'cordon-node-before-terminating': 'boolean',
  expander: 'list',
  'expendable-pods-priority-cutoff': 'number',
  kubeconfig: 'string',
  'leader-elect': 'boolean',
  'leader-elect-resource-name': 'string',
  'max-graceful-termination-sec': 'number',
  'max-node-provision-time': 'duration',
  'max-nodes-total': 'number',
  namespace: 'string',
  'node-group-auto-discovery': 'repeated',
  'scale-down-delay-after-add': 'duration',
  'scale-down-delay-after-delete': 'duration',
  'scale-down-delay-after-failure': 'duration',
  'scale-down-enabled': 'boolean',
  'scale-down-unneeded-time': 'duration',
  'scale-down-unready-time': 'duration',
  'scale-down-utilization-threshold': 'string',
  'scan-interval': 'duration',
  'skip-nodes-with-local-storage': 'boolean',
  'skip-nodes-with-system-pods': 'boolean',
  'status-config-map-name': 'string',
  'write-status-configmap': 'boolean',
  // ---
  address: 'string',
  alsologtostderr: 'boolean',
  'balance-similar-node-groups': 'boolean',
  'balancing-ignore-label': 'repeated',
  'balancing-label': 'repeated',
  'leader-elect-resource-lock': 'string',
  logtostderr: 'boolean',
  'max-free-difference-ratio': 'string',
  stderrthreshold: 'string',
} as const satisfies FlagKinds;

type Values = FlagValues<typeof AUTOSCALER_FLAGS>;

/** The settings of an autoscaler, from its flags. */
export interface AutoscalerSettings {
  readonly nodeGroupAutoDiscovery: readonly string[];
  readonly namespace: string;
  readonly scanIntervalMs: number;
  readonly scaleDownEnabled: boolean;
  readonly scaleDownDelayAfterAddMs: number;
  readonly scaleDownDelayAfterDeleteMs: number;
  readonly scaleDownDelayAfterFailureMs: number;
  readonly scaleDownUnneededTimeMs: number;
  readonly scaleDownUnreadyTimeMs: number;
  readonly scaleDownUtilizationThreshold: number;
  readonly maxNodeProvisionTimeMs: number;
  readonly maxGracefulTerminationMs: number;
  /** 0 = no limit. */
  readonly maxNodesTotal: number;
  readonly expanders: readonly string[];
  readonly expendablePodsPriorityCutoff: number;
  readonly skipNodesWithLocalStorage: boolean;
  readonly skipNodesWithSystemPods: boolean;
  readonly cordonNodeBeforeTerminating: boolean;
  readonly leaderElect: boolean;
  readonly leaderElectResourceName: string;
  /** Empty: none is written. */
  readonly statusConfigMapName: string;
}

const EXPANDERS = ['least-waste', 'most-pods', 'priority', 'random'];
const MINUTE_MS = 60_000;

/** Defaults of the upstream autoscaler. */
const DEFAULTS = {
  'cloud-provider': 'clusterapi',
  'cordon-node-before-terminating': false,
  expander: ['least-waste'],
  'expendable-pods-priority-cutoff': -10,
  'leader-elect': true,
  'leader-elect-resource-name': 'cluster-autoscaler',
  'max-graceful-termination-sec': 600,
  'max-node-provision-time': 15 * MINUTE_MS,
  'max-nodes-total': 0,
  namespace: 'kube-system',
  'node-group-auto-discovery': [],
  'scale-down-delay-after-add': 10 * MINUTE_MS,
  'scale-down-delay-after-delete': 0,
  'scale-down-delay-after-failure': 3 * MINUTE_MS,
  'scale-down-enabled': true,
  'scale-down-unneeded-time': 10 * MINUTE_MS,
  'scale-down-unready-time': 20 * MINUTE_MS,
  'scale-down-utilization-threshold': '0.5',
  'scan-interval': 10_000,
  'skip-nodes-with-local-storage': true,
  'skip-nodes-with-system-pods': true,
  'status-config-map-name': 'cluster-autoscaler-status',
  'write-status-configmap': true,
} as const satisfies Values;

/** Completes the given settings with upstream's defaults. Throws {@link BadUsage}. */
export function settingsOf(values: Values): AutoscalerSettings {
  const all = { ...DEFAULTS, ...values } as Required<Values>;
  const provider = all['cloud-provider'];
  if (provider !== 'clusterapi') throw new BadUsage(`unknown cloud provider "${provider}"`);
  const strange = all.expander.find((each) => !EXPANDERS.includes(each));
  if (strange !== undefined) throw new BadUsage(`expander ${strange} not supported`);
  const threshold = all['scale-down-utilization-threshold'];
  if (threshold === '' || !Number.isFinite(Number(threshold)))
    throw new BadUsage(`invalid argument "${threshold}" for "--scale-down-utilization-threshold" flag`);
  return {
    nodeGroupAutoDiscovery: all['node-group-auto-discovery'],
    namespace: all.namespace,
    scanIntervalMs: all['scan-interval'],
    scaleDownEnabled: all['scale-down-enabled'],
    scaleDownDelayAfterAddMs: all['scale-down-delay-after-add'],
    scaleDownDelayAfterDeleteMs: all['scale-down-delay-after-delete'],
    scaleDownDelayAfterFailureMs: all['scale-down-delay-after-failure'],
    scaleDownUnneededTimeMs: all['scale-down-unneeded-time'],
    scaleDownUnreadyTimeMs: all['scale-down-unready-time'],
    scaleDownUtilizationThreshold: Number(threshold),
    skipNodesWithLocalStorage: all['skip-nodes-with-local-storage'],
    skipNodesWithSystemPods: all['skip-nodes-with-system-pods'],
    cordonNodeBeforeTerminating: all['cordon-node-before-terminating'],
    maxNodeProvisionTimeMs: all['max-node-provision-time'],
    maxGracefulTerminationMs: all['max-graceful-termination-sec'] * 1000,
    maxNodesTotal: all['max-nodes-total'],
    expanders: all.expander,
    expendablePodsPriorityCutoff: all['expendable-pods-priority-cutoff'],
    leaderElect: all['leader-elect'],
    leaderElectResourceName: all['leader-elect-resource-name'],
    statusConfigMapName: all['write-status-configmap'] ? all['status-config-map-name'] : '',
  };
}

/**
 * Which kubeconfig leads to the machines, and which to the nodes; empty means the pod's own cluster. The environment
 * variable KUBECONFIG is not looked at.
 */
export function kubeconfigsOf(values: Values): { readonly management: string; readonly workload: string } {
  const workload = values.kubeconfig ?? '';
  const fallback = values['clusterapi-cloud-config-authoritative'] === true ? '' : workload;
  const management = values['cloud-config'] ?? '';
  return { management: management === '' ? fallback : management, workload };
}
