import type { JsonObject, KubeObject } from '@capstan/meta';

/** How the shim is called wherever it is installed. */
export const SHIM_NAME = 'capi-conversion-webhook-shim';

/** What may differ between installations. */
export interface ShimManifestOptions {
  readonly namespace: string;
  readonly image: string;
  /** Groups outside of Cluster API's, as the shim's `--group-pair` takes them. */
  readonly groupPairs?: readonly string[] | undefined;
  /** Who converts groups, as the shim's `--delegate` takes them. */
  readonly delegates?: readonly string[] | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
}

const LABELS = { 'app.kubernetes.io/name': SHIM_NAME, 'app.kubernetes.io/part-of': 'capstan' };
const SELECTOR = { 'app.kubernetes.io/name': SHIM_NAME };
const CERT_DIR = '/etc/serving';
const WEBHOOK_PORT = 9443;
const HEALTH_PORT = 8081;
/** Made by whoever serves the annotation of the Service, or by hand where nobody does. */
const CERT_SECRET = `${SHIM_NAME}-serving-cert`;
/** Longer than the manager of the shim has to answer what is under way. */
const STOP_SECONDS = 40;

/** Everything the shim needs in a cluster, in the order in which it is to be applied. */
export function shimManifests(options: ShimManifestOptions): readonly KubeObject[] {
  const { monitor, namespace } = options;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own(namespace) },
    clusterRole(),
    clusterRoleBinding(namespace),
    service(namespace),
    deployment(options),
    disruptionBudget(namespace),
    ...(monitor === true ? [serviceMonitor(namespace)] : []),
  ];
}

function own(namespace: string): { name: string; namespace: string; labels: Record<string, string> } {
  return { name: SHIM_NAME, namespace, labels: LABELS };
}

/** It follows definitions, and reads nothing else: reviews bring their objects along. */
function clusterRole(): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: SHIM_NAME, labels: LABELS },
    rules: [
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list', 'watch'] },
    ],
  };
}

/** Named after the namespace, so that two installations do not take the rights from one another. */
function clusterRoleBinding(namespace: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${SHIM_NAME}-${namespace}`, labels: LABELS },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: SHIM_NAME },
    subjects: [{ kind: 'ServiceAccount', name: SHIM_NAME, namespace }],
  };
}

/**
 * Addresses that are not ready are published: a shim is ready once it knows the definitions, but a server may need it
 * before, and it can wait for them itself.
 */
function service(namespace: string): KubeObject {
  const annotations = { 'service.beta.openshift.io/serving-cert-secret-name': CERT_SECRET };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...own(namespace), annotations },
    spec: {
      selector: SELECTOR,
      publishNotReadyAddresses: true,
      ports: [
        { name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' },
        { name: 'metrics', port: HEALTH_PORT, targetPort: 'metrics', protocol: 'TCP' },
      ],
    },
  };
}

function deployment(options: ShimManifestOptions): KubeObject {
  const hostname = 'kubernetes.io/hostname';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: own(options.namespace),
    spec: {
      replicas: 2,
      selector: { matchLabels: SELECTOR },
      // Never fewer than there are: while nobody converts, nothing private can be read in its other versions.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: SHIM_NAME,
          priorityClassName: 'system-cluster-critical',
          terminationGracePeriodSeconds: STOP_SECONDS,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: hostname,
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: SELECTOR },
            },
          ],
          containers: [container(options)],
          volumes: [{ name: 'serving-cert', secret: { secretName: CERT_SECRET } }],
        },
      },
    },
  };
}

function container({ delegates = [], groupPairs = [], image }: ShimManifestOptions): JsonObject {
  return {
    name: 'conversion-shim',
    image,
    command: ['capstan'],
    args: [
      'conversion-shim',
      `--cert-dir=${CERT_DIR}`,
      `--port=${WEBHOOK_PORT}`,
      `--health-port=${HEALTH_PORT}`,
      ...groupPairs.map((pair) => `--group-pair=${pair}`),
      ...delegates.map((delegate) => `--delegate=${delegate}`),
    ],
    ports: [
      { name: 'webhook', containerPort: WEBHOOK_PORT, protocol: 'TCP' },
      { name: 'metrics', containerPort: HEALTH_PORT, protocol: 'TCP' },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' }, initialDelaySeconds: 10, periodSeconds: 10 },
    startupProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 1, failureThreshold: 600 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '80Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: 'serving-cert', mountPath: CERT_DIR, readOnly: true }],
  };
}

/** One of the two may go; a broken one never keeps a node from being drained. */
function disruptionBudget(namespace: string): KubeObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: own(namespace),
    spec: { minAvailable: 1, selector: { matchLabels: SELECTOR }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  };
}

/** Its targets have the name of the Service as their job, by which the alert of a shim that is gone knows them. */
function serviceMonitor(namespace: string): KubeObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: own(namespace),
    spec: { selector: { matchLabels: SELECTOR }, endpoints: [{ port: 'metrics', interval: '30s' }] },
  };
}
