import { BadUsage } from '../runtime/operator.js';
import type { FlagKinds, FlagValues } from '../runtime/flags.js';

/** The flags of the original; those below the line are taken and change nothing here. */
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

/** What an autoscaler does, as its flags say. */
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

/** Completes what was given by the original's defaults. Throws {@link BadUsage}. */
export function settingsOf(values: Values): AutoscalerSettings {
  const provider = values['cloud-provider'] ?? 'clusterapi';
  if (provider !== 'clusterapi') throw new BadUsage(`unknown cloud provider "${provider}"`);
  const expanders = values.expander ?? ['least-waste'];
  const strange = expanders.find((each) => !EXPANDERS.includes(each));
  if (strange !== undefined) throw new BadUsage(`expander ${strange} not supported`);
  return {
    nodeGroupAutoDiscovery: values['node-group-auto-discovery'] ?? [],
    namespace: values.namespace ?? 'kube-system',
    scanIntervalMs: values['scan-interval'] ?? 10_000,
    ...scaleDownSettings(values),
    maxNodeProvisionTimeMs: values['max-node-provision-time'] ?? 15 * MINUTE_MS,
    maxGracefulTerminationMs: (values['max-graceful-termination-sec'] ?? 600) * 1000,
    maxNodesTotal: values['max-nodes-total'] ?? 0,
    expanders,
    expendablePodsPriorityCutoff: values['expendable-pods-priority-cutoff'] ?? -10,
    leaderElect: values['leader-elect'] ?? true,
    leaderElectResourceName: values['leader-elect-resource-name'] ?? 'cluster-autoscaler',
    statusConfigMapName:
      values['write-status-configmap'] === false
        ? ''
        : (values['status-config-map-name'] ?? 'cluster-autoscaler-status'),
  };
}

type ScaleDownSettings = Pick<
  AutoscalerSettings,
  | 'scaleDownEnabled'
  | 'scaleDownDelayAfterAddMs'
  | 'scaleDownDelayAfterDeleteMs'
  | 'scaleDownDelayAfterFailureMs'
  | 'scaleDownUnneededTimeMs'
  | 'scaleDownUnreadyTimeMs'
  | 'scaleDownUtilizationThreshold'
  | 'skipNodesWithLocalStorage'
  | 'skipNodesWithSystemPods'
  | 'cordonNodeBeforeTerminating'
>;

function scaleDownSettings(values: Values): ScaleDownSettings {
  const threshold = Number(values['scale-down-utilization-threshold'] ?? '0.5');
  if (!Number.isFinite(threshold))
    throw new BadUsage(
      `invalid argument "${values['scale-down-utilization-threshold'] ?? ''}" for "--scale-down-utilization-threshold" flag`,
    );
  return {
    scaleDownEnabled: values['scale-down-enabled'] ?? true,
    scaleDownDelayAfterAddMs: values['scale-down-delay-after-add'] ?? 10 * MINUTE_MS,
    scaleDownDelayAfterDeleteMs: values['scale-down-delay-after-delete'] ?? 0,
    scaleDownDelayAfterFailureMs: values['scale-down-delay-after-failure'] ?? 3 * MINUTE_MS,
    scaleDownUnneededTimeMs: values['scale-down-unneeded-time'] ?? 10 * MINUTE_MS,
    scaleDownUnreadyTimeMs: values['scale-down-unready-time'] ?? 20 * MINUTE_MS,
    scaleDownUtilizationThreshold: threshold,
    skipNodesWithLocalStorage: values['skip-nodes-with-local-storage'] ?? true,
    skipNodesWithSystemPods: values['skip-nodes-with-system-pods'] ?? true,
    cordonNodeBeforeTerminating: values['cordon-node-before-terminating'] ?? false,
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
