import { parseDuration } from '@capstan/meta';

/** What an autoscaler is told on its command line. */
export interface AutoscalerFlags {
  readonly cloudConfig: string;
  readonly kubeconfig: string;
  readonly clusterApiCloudConfigAuthoritative: boolean;
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
  readonly writeStatusConfigMap: boolean;
  readonly statusConfigMapName: string;
}

/** A command line that cannot be meant. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

type Kind = 'bool' | 'duration' | 'float' | 'int' | 'list' | 'text';

/** Flags with an effect: kind and default. */
const KNOWN: Readonly<Record<string, readonly [kind: Kind, byDefault: string]>> = {
  'cloud-config': ['text', ''],
  'cloud-provider': ['text', 'clusterapi'],
  'clusterapi-cloud-config-authoritative': ['bool', 'false'],
  'cordon-node-before-terminating': ['bool', 'false'],
  expander: ['text', 'least-waste'],
  'expendable-pods-priority-cutoff': ['int', '-10'],
  kubeconfig: ['text', ''],
  'leader-elect': ['bool', 'true'],
  'leader-elect-resource-name': ['text', 'cluster-autoscaler'],
  'max-graceful-termination-sec': ['int', '600'],
  'max-node-provision-time': ['duration', '15m0s'],
  'max-nodes-total': ['int', '0'],
  namespace: ['text', 'kube-system'],
  'node-group-auto-discovery': ['list', ''],
  'scale-down-delay-after-add': ['duration', '10m0s'],
  'scale-down-delay-after-delete': ['duration', '0s'],
  'scale-down-delay-after-failure': ['duration', '3m0s'],
  'scale-down-enabled': ['bool', 'true'],
  'scale-down-unneeded-time': ['duration', '10m0s'],
  'scale-down-unready-time': ['duration', '20m0s'],
  'scale-down-utilization-threshold': ['float', '0.5'],
  'scan-interval': ['duration', '10s'],
  'skip-nodes-with-local-storage': ['bool', 'true'],
  'skip-nodes-with-system-pods': ['bool', 'true'],
  'status-config-map-name': ['text', 'cluster-autoscaler-status'],
  'write-status-configmap': ['bool', 'true'],
};

/** Flags that are taken and change nothing here. */
const WITHOUT_EFFECT: Readonly<Record<string, Kind>> = {
  address: 'text',
  alsologtostderr: 'bool',
  'balance-similar-node-groups': 'bool',
  'balancing-ignore-label': 'list',
  'balancing-label': 'list',
  'leader-elect-lease-duration': 'duration',
  'leader-elect-renew-deadline': 'duration',
  'leader-elect-resource-lock': 'text',
  'leader-elect-resource-namespace': 'text',
  'leader-elect-retry-period': 'duration',
  logtostderr: 'bool',
  'max-bulk-soft-taint-count': 'int',
  'max-free-difference-ratio': 'float',
  'ok-total-unready-count': 'int',
  'scale-down-candidates-pool-ratio': 'float',
  stderrthreshold: 'text',
  v: 'int',
};

const EXPANDERS = ['least-waste', 'most-pods', 'priority', 'random'];

/** Reads a command line as the original does: `--flag=value`, `--flag value`, and booleans without a value. */
export function parseFlags(args: readonly string[]): AutoscalerFlags {
  const given = new Map<string, string[]>();
  for (let at = 0; at < args.length; at += 1) {
    const [, name = '', inline] = /^--?([^=]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (name === '') throw new FlagError(`unknown argument: ${args[at] ?? ''}`);
    const kind = KNOWN[name]?.[0] ?? WITHOUT_EFFECT[name];
    if (kind === undefined) throw new FlagError(`unknown flag: --${name}`);
    let value = inline ?? (kind === 'bool' ? 'true' : undefined);
    if (value === undefined) {
      at += 1;
      value = args[at];
      if (value === undefined) throw new FlagError(`flag needs an argument: --${name}`);
    }
    check(name, kind, value);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return flagsFrom((name) => given.get(name) ?? [KNOWN[name]?.[1] ?? '']);
}

const READABLE: Readonly<Record<Kind, (value: string) => boolean>> = {
  bool: (value) => /^(?:true|false|t|f|1|0)$/i.test(value),
  duration: (value) => durationOf(value) !== undefined,
  float: (value) => value !== '' && Number.isFinite(Number(value)),
  int: (value) => /^-?\d+$/.test(value),
  list: () => true,
  text: () => true,
};

function check(name: string, kind: Kind, value: string): void {
  if (!READABLE[kind](value)) throw new FlagError(`invalid argument ${JSON.stringify(value)} for "--${name}" flag`);
}

function durationOf(text: string): number | undefined {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch {
    return undefined;
  }
}

function flagsFrom(all: (name: string) => readonly string[]): AutoscalerFlags {
  const text = (name: string): string => all(name).at(-1) ?? '';
  const isOn = (name: string): boolean => /^(?:true|t|1)$/i.test(text(name));
  const ms = (name: string): number => durationOf(text(name)) ?? 0;
  if (text('cloud-provider') !== 'clusterapi')
    throw new FlagError(`unsupported cloud provider: ${text('cloud-provider')}`);
  const expanders = text('expander').split(',');
  for (const each of expanders)
    if (!EXPANDERS.includes(each)) throw new FlagError(`expander ${each} not supported`);
  return {
    cloudConfig: text('cloud-config'),
    kubeconfig: text('kubeconfig'),
    clusterApiCloudConfigAuthoritative: isOn('clusterapi-cloud-config-authoritative'),
    nodeGroupAutoDiscovery: all('node-group-auto-discovery').filter((each) => each !== ''),
    namespace: text('namespace'),
    scanIntervalMs: ms('scan-interval'),
    scaleDownEnabled: isOn('scale-down-enabled'),
    scaleDownDelayAfterAddMs: ms('scale-down-delay-after-add'),
    scaleDownDelayAfterDeleteMs: ms('scale-down-delay-after-delete'),
    scaleDownDelayAfterFailureMs: ms('scale-down-delay-after-failure'),
    scaleDownUnneededTimeMs: ms('scale-down-unneeded-time'),
    scaleDownUnreadyTimeMs: ms('scale-down-unready-time'),
    scaleDownUtilizationThreshold: Number(text('scale-down-utilization-threshold')),
    maxNodeProvisionTimeMs: ms('max-node-provision-time'),
    maxGracefulTerminationMs: Number(text('max-graceful-termination-sec')) * 1000,
    maxNodesTotal: Number(text('max-nodes-total')),
    expanders,
    expendablePodsPriorityCutoff: Number(text('expendable-pods-priority-cutoff')),
    skipNodesWithLocalStorage: isOn('skip-nodes-with-local-storage'),
    skipNodesWithSystemPods: isOn('skip-nodes-with-system-pods'),
    cordonNodeBeforeTerminating: isOn('cordon-node-before-terminating'),
    leaderElect: isOn('leader-elect'),
    leaderElectResourceName: text('leader-elect-resource-name'),
    writeStatusConfigMap: isOn('write-status-configmap'),
    statusConfigMapName: text('status-config-map-name'),
  };
}

/**
 * Which kubeconfig leads to the machines, and which to the nodes; empty means the pod's own cluster. The environment
 * variable KUBECONFIG is not looked at.
 */
export function kubeconfigsOf(flags: AutoscalerFlags): { readonly management: string; readonly workload: string } {
  const { cloudConfig, clusterApiCloudConfigAuthoritative, kubeconfig } = flags;
  const fallback = clusterApiCloudConfigAuthoritative ? '' : kubeconfig;
  return { management: cloudConfig === '' ? fallback : cloudConfig, workload: kubeconfig };
}
