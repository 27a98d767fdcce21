import type { PodSpec } from './pod.js';

/** What a component needs beyond its template to use Cluster API through a proxy. */
export interface ComponentAccess {
  /** The containers that use Cluster API, of those that the pod has; where it has none of them: all. */
  readonly containers: readonly string[];
  /** Flags of those containers that must name the kubeconfig, for programs that ignore `KUBECONFIG`. */
  readonly kubeconfigFlags: readonly string[];
  /** Ports that they listen on, by default or by flag, without declaring them. */
  readonly reservedPorts: readonly number[];
}

/** Managers of controller-runtime: metrics, health, webhooks, diagnostics. */
const MANAGER_PORTS = [8080, 8081, 8443, 9440, 9443];

const access = (
  containers: readonly string[],
  reservedPorts: readonly number[],
  kubeconfigFlags: readonly string[] = [],
): ComponentAccess => ({ containers, kubeconfigFlags, reservedPorts });

/**
 * Every component that uses Cluster API on the management cluster. Managers of controller-runtime take `KUBECONFIG`
 * before the service account. The autoscaler and the machine approver take the service account unless a flag names a
 * file; their `--kubeconfig` and `--workload-cluster-kubeconfig` are for the hosted cluster.
 */
export const COMPONENTS = {
  operator: access(['operator'], [9000, 9443]),
  'cluster-api': access(['manager'], MANAGER_PORTS),
  /** Of every platform, and the Deployments of platform providers. */
  'capi-provider': access(['manager'], MANAGER_PORTS),
  'cluster-autoscaler': access(['cluster-autoscaler'], [8085], ['--cloud-config']),
  'machine-approver': access(
    ['machine-approver', 'machine-approver-controller'],
    [9191],
    ['--management-cluster-kubeconfig'],
  ),
  'control-plane-operator': access(['control-plane-operator'], [6060, 8080]),
  'hosted-cluster-config-operator': access(['hosted-cluster-config-operator'], [6060, 8080]),
  'karpenter-operator': access(['karpenter-operator'], [8080, 8081]),
} as const satisfies Readonly<Record<string, ComponentAccess>>;

/** A component that uses Cluster API. */
export type ComponentName = keyof typeof COMPONENTS;

/** How a component gets its proxy, as options for its pod. */
export function componentOptions(
  name: ComponentName,
  spec: PodSpec,
): Pick<ComponentAccess, 'kubeconfigFlags' | 'reservedPorts'> & { readonly containers: readonly string[] | undefined } {
  const { containers, kubeconfigFlags, reservedPorts }: ComponentAccess = COMPONENTS[name];
  const present = spec.containers.map((each) => each.name).filter((each) => containers.includes(each));
  return { containers: present.length === 0 ? undefined : present, kubeconfigFlags, reservedPorts };
}
