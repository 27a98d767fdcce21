import type { HostedCluster } from '@capstan/api/hypershift';
import {
  ACCOUNT_UID_ANNOTATION,
  CLUSTER_ANNOTATION,
  CLUSTER_TAINT,
  COMPONENT_FINALIZER,
  COMPONENT_LABEL,
  CONTROL_PLANE_TAINT,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  HOSTED_CONTROL_PLANE_LABEL,
  MANAGED_BY_LABEL,
  MANAGEMENT_ACCESS_LABEL,
  PRIORITY_CLASS_ANNOTATION,
  RELEASE_IMAGE_ANNOTATION,
  RESTART_ANNOTATION,
} from '@capstan/hosting';
import { exactly } from '@capstan/kube';
import type { Desired } from '@capstan/kube';

/** A pod of a component, so far as components differ. */
export interface Workload {
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly containers: readonly object[];
  readonly volumes: readonly object[];
  /** Whether it stays until Cluster API has nothing left to delete. */
  readonly isKept: boolean;
}

export interface WorkloadPlace {
  readonly hostedCluster: HostedCluster;
  readonly namespace: string;
  /** The release it is of, by digest. */
  readonly release: string;
  /** Of its account, where that was recreated. */
  readonly accountUid?: string | undefined;
}

/** The Deployment of a component. */
export function deployment(
  workload: Workload,
  { accountUid, hostedCluster, namespace, release }: WorkloadPlace,
): Desired {
  const { containers, isKept, name, selector, volumes } = workload;
  const { annotations = {} } = hostedCluster.metadata;
  const { labels = {}, nodeSelector, tolerations = [] } = hostedCluster.spec ?? {};
  const idle = (annotations[DEBUG_DEPLOYMENTS_ANNOTATION] ?? '').split(',').map((each) => each.trim());
  const cluster = `${hostedCluster.metadata.namespace ?? ''}/${hostedCluster.metadata.name ?? ''}`;
  return {
    metadata: {
      name,
      namespace,
      labels: { [COMPONENT_LABEL]: name, [MANAGED_BY_LABEL]: 'control-plane-operator' },
      finalizers: isKept ? [COMPONENT_FINALIZER] : [],
    },
    spec: {
      replicas: idle.includes(name) ? 0 : 1,
      selector: { matchLabels: selector },
      template: {
        metadata: {
          labels: exactly({
            ...labels,
            ...selector,
            [COMPONENT_LABEL]: name,
            [MANAGEMENT_ACCESS_LABEL]: 'true',
            [HOSTED_CONTROL_PLANE_LABEL]: namespace,
          }),
          annotations: {
            [CLUSTER_ANNOTATION]: cluster,
            [RELEASE_IMAGE_ANNOTATION]: release,
            [RESTART_ANNOTATION]: annotations[RESTART_ANNOTATION],
            [ACCOUNT_UID_ANNOTATION]: accountUid,
          },
        },
        spec: {
          serviceAccountName: name,
          imagePullSecrets: [{ name: 'pull-secret' }],
          priorityClassName: annotations[PRIORITY_CLASS_ANNOTATION],
          nodeSelector: exactly(nodeSelector),
          tolerations: [...OWN_TOLERATIONS, toleration(CLUSTER_TAINT, namespace), ...tolerations],
          containers,
          volumes: volumes.length === 0 ? undefined : volumes,
        },
      },
    },
  };
}

function toleration(key: string, value: string): object {
  return { key, operator: 'Equal', value, effect: 'NoSchedule' };
}

const OWN_TOLERATIONS = [toleration(CONTROL_PLANE_TAINT, 'true')];

/** How the health of a container is asked for. */
export function probes(port: number): object {
  const ask = (path: string): object => ({ path, port, scheme: 'HTTP' });
  return {
    livenessProbe: {
      httpGet: ask('/healthz'),
      initialDelaySeconds: 60,
      periodSeconds: 60,
      timeoutSeconds: 5,
      failureThreshold: 5,
    },
    // Asked every second until it is ready for the first time: a whole control plane waits for it.
    startupProbe: { httpGet: ask('/readyz'), periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 600 },
    readinessProbe: { httpGet: ask('/readyz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
  };
}

/** A variable that the node fills in. */
export function ownField(name: string, fieldPath: string): object {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
