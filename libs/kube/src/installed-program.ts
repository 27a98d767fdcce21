import type { JsonObject, KubeObject } from '@capstan/meta';

const RBAC = 'rbac.authorization.k8s.io';
const CERT_VOLUME = 'serving-cert';

/** How a program runs. */
export interface ProgramDeployment {
  readonly replicas: number;
  readonly container: JsonObject;
  /** A rollout never has fewer replicas than there are, and they are on nodes of their own where there are several. */
  readonly isAlwaysThere?: boolean | undefined;
  /** How long it may take to end. Default: what Kubernetes gives. */
  readonly stopSeconds?: number | undefined;
  /** The Secret of the certificate it serves with; mounted by {@link servingMount}. */
  readonly certSecret?: string | undefined;
}

/** One rule of a role. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[] | undefined;
}

/** What is behind a port of a Service. */
export interface ServicePort {
  readonly name: string;
  readonly port: number;
}

/** What no container of ours needs. */
export const CONFINED: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** Where a container finds the certificate it serves with. */
export function servingMount(mountPath: string): JsonObject {
  return { name: CERT_VOLUME, mountPath, readOnly: true };
}

/** A port of a container. */
export function containerPort(name: string, port: number): JsonObject {
  return { name, containerPort: port, protocol: 'TCP' };
}

/** Liveness and readiness as all our operators serve them. */
export function probes(port: string): { livenessProbe: JsonObject; readinessProbe: JsonObject } {
  const asked = (path: string): JsonObject => ({ httpGet: { path, port } });
  return {
    livenessProbe: { ...asked('/healthz'), initialDelaySeconds: 10, periodSeconds: 10 },
    readinessProbe: { ...asked('/readyz'), periodSeconds: 5 },
  };
}

/** For programs that may take minutes to be ready the first time. */
export function patientStart(port: string): JsonObject {
  return { httpGet: { path: '/readyz', port }, periodSeconds: 1, failureThreshold: 600 };
}

/** The objects that any program of ours is installed with, named after it. */
export class InstalledProgram {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly #selector: Readonly<Record<string, string>>;

  constructor(name: string, namespace: string) {
    this.name = name;
    this.namespace = namespace;
    this.#selector = { 'app.kubernetes.io/name': name };
    this.labels = { ...this.#selector, 'app.kubernetes.io/part-of': 'capstan' };
  }

  /** Of what is in its namespace. */
  get metadata(): { name: string; namespace: string; labels: Readonly<Record<string, string>> } {
    return { name: this.name, namespace: this.namespace, labels: this.labels };
  }

  account(): KubeObject {
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: this.metadata };
  }

  clusterRole(rules: readonly RoleRule[]): KubeObject {
    return {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: this.name, labels: this.labels },
      rules,
    };
  }

  /** Its name may differ, so that two installations do not take the permissions from one another. */
  clusterRoleBinding(name: string): KubeObject {
    return this.#binding('ClusterRole', this.name, { name, labels: this.labels });
  }

  /** A role and who has it; elsewhere than in its own namespace under another name. */
  role(rules: readonly RoleRule[], { name, namespace } = { name: this.name, namespace: this.namespace }): KubeObject[] {
    const metadata = { name, namespace, labels: this.labels };
    return [{ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules }, this.#binding('Role', name, metadata)];
  }

  #binding(kind: 'ClusterRole' | 'Role', role: string, metadata: KubeObject['metadata']): KubeObject {
    return {
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind, name: role },
      subjects: [{ kind: 'ServiceAccount', name: this.name, namespace: this.namespace }],
    };
  }

  /** `certSecret`: where the service CA of the cluster puts a certificate for it. */
  service(
    ports: readonly ServicePort[],
    { certSecret, publishNotReady }: { certSecret?: string; publishNotReady?: boolean } = {},
  ): KubeObject {
    const serving = { 'service.beta.openshift.io/serving-cert-secret-name': certSecret };
    return {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...this.metadata, ...(certSecret === undefined ? {} : { annotations: serving }) },
      spec: {
        selector: this.#selector,
        ...(publishNotReady === true ? { publishNotReadyAddresses: true } : {}),
        ports: ports.map(({ name, port }) => ({ name, port, targetPort: name, protocol: 'TCP' })),
      },
    } as KubeObject;
  }

  deployment({ certSecret, container, isAlwaysThere, replicas, stopSeconds }: ProgramDeployment): KubeObject {
    const spread = {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: this.#selector },
    };
    const gentle = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
    const volumes = [{ name: CERT_VOLUME, secret: { secretName: certSecret } }];
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: this.metadata,
      spec: {
        replicas,
        selector: { matchLabels: this.#selector },
        ...(isAlwaysThere === true ? gentle : {}),
        template: {
          metadata: { labels: this.labels },
          spec: {
            serviceAccountName: this.name,
            priorityClassName: 'system-cluster-critical',
            ...(stopSeconds === undefined ? {} : { terminationGracePeriodSeconds: stopSeconds }),
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            ...(isAlwaysThere === true ? { topologySpreadConstraints: [spread] } : {}),
            containers: [container],
            ...(certSecret === undefined ? {} : { volumes }),
          },
        },
      },
    };
  }

  /** Of two replicas one is always there; a broken one never keeps a node from being drained. */
  disruptionBudget(): KubeObject {
    return {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: this.metadata,
      spec: { minAvailable: 1, selector: { matchLabels: this.#selector }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    };
  }

  /** Its targets have the name of the Service as their job, by which alerts of programs that are gone know them. */
  serviceMonitor(): KubeObject {
    return {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: this.metadata,
      spec: { selector: { matchLabels: this.#selector }, endpoints: [{ port: 'metrics', interval: '30s' }] },
    };
  }
}
