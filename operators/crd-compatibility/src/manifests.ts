import type { JsonObject, KubeObject } from '@capstan/meta';
import { DEFINITIONS, ENDPOINT_SLICES, REQUIREMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
import { CHECKER_NAME, FINALIZER, MANAGED_BY, STATIC_CONFIGURATION } from './names.js';
import { OWN_SERVICE } from './webhooks/api-servers.js';
import { PROBE_DEFINITION } from './webhooks/probe-definition.js';

export { CHECKER_NAME, FINALIZER, MANAGED_BY, STATIC_CONFIGURATION };

/** What may differ between installations. */
export interface CheckerManifestOptions {
  readonly namespace: string;
  readonly image: string;
  /** One replica and no budget: where there is one node, a second would only keep it from being drained. */
  readonly isSingleNode?: boolean | undefined;
  /** The Secret of the certificate says who vouches for it: there is no service CA to put that into configurations. */
  readonly hasOwnAuthority?: boolean | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
}

const LABELS = { 'app.kubernetes.io/name': CHECKER_NAME, 'app.kubernetes.io/part-of': 'capstan' };
const SELECTOR = { 'app.kubernetes.io/name': CHECKER_NAME };
const CERT_DIR = '/etc/serving';
const WEBHOOK_PORT = 9443;
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
/** Made by whoever serves the annotation of the Service, or by hand where nobody does. */
export const CERT_SECRET = `${CHECKER_NAME}-serving-cert`;
/** Longer than the delay before the end, and what is under way after it. */
const STOP_SECONDS = 45;
const RBAC = 'rbac.authorization.k8s.io';

/**
 * Everything the checker needs in a cluster beside the definition of its kind, in the order in which it is to be
 * applied. The webhook configurations are none of it: the checker writes them once it answers.
 */
export function checkerManifests(options: CheckerManifestOptions): readonly KubeObject[] {
  const { isSingleNode, monitor, namespace } = options;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own(namespace) },
    clusterRole(),
    binding('ClusterRole', namespace),
    role(namespace),
    binding('Role', namespace),
    ...serverRole(namespace),
    service(namespace),
    deployment(options),
    ...(isSingleNode === true ? [] : [disruptionBudget(namespace)]),
    ...(monitor === true ? [serviceMonitor(namespace)] : []),
  ];
}

function own(namespace: string): { name: string; namespace: string; labels: Record<string, string> } {
  return { name: CHECKER_NAME, namespace, labels: LABELS };
}

/** It reads definitions and never writes one, but for the dry run of one that is never there. */
function clusterRole(): KubeObject {
  const readAll = ['get', 'list', 'watch'];
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: CHECKER_NAME, labels: LABELS },
    rules: [
      { apiGroups: [DEFINITIONS.group], resources: [DEFINITIONS.plural], verbs: readAll },
      {
        apiGroups: [DEFINITIONS.group],
        resources: [DEFINITIONS.plural],
        resourceNames: [PROBE_DEFINITION],
        verbs: ['create', 'patch'],
      },
      { apiGroups: [REQUIREMENTS.group], resources: [REQUIREMENTS.plural], verbs: [...readAll, 'patch'] },
      {
        apiGroups: [REQUIREMENTS.group],
        resources: [`${REQUIREMENTS.plural}/status`, `${REQUIREMENTS.plural}/finalizers`],
        verbs: ['update'],
      },
      {
        apiGroups: [VALIDATING_WEBHOOKS.group],
        resources: [VALIDATING_WEBHOOKS.plural],
        verbs: [...readAll, 'create', 'patch', 'delete'],
      },
      { apiGroups: ['config.openshift.io'], resources: ['infrastructures'], verbs: ['get'] },
      { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ],
  };
}

/** Who leads, whether anybody is ready behind the Service, and how many there are to be. */
function role(namespace: string): KubeObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: own(namespace),
    rules: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
      { apiGroups: [ENDPOINT_SLICES.group], resources: [ENDPOINT_SLICES.plural], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: [CHECKER_NAME], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: [CHECKER_NAME], verbs: ['patch'] },
      {
        apiGroups: ['policy'],
        resources: ['poddisruptionbudgets'],
        resourceNames: [CHECKER_NAME],
        verbs: ['get', 'patch', 'delete'],
      },
      { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['create'] },
    ],
  };
}

/** Which API servers there are: each is asked whether it uses a configuration. */
function serverRole(namespace: string): readonly KubeObject[] {
  const metadata = { name: `${CHECKER_NAME}-${namespace}`, namespace: OWN_SERVICE.namespace, labels: LABELS };
  return [
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata,
      rules: [{ apiGroups: [ENDPOINT_SLICES.group], resources: [ENDPOINT_SLICES.plural], verbs: ['list'] }],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: CHECKER_NAME, namespace }],
    },
  ];
}

function binding(kind: 'ClusterRole' | 'Role', namespace: string): KubeObject {
  const metadata = kind === 'Role' ? own(namespace) : { name: CHECKER_NAME, labels: LABELS };
  return {
    apiVersion: `${RBAC}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: RBAC, kind, name: CHECKER_NAME },
    subjects: [{ kind: 'ServiceAccount', name: CHECKER_NAME, namespace }],
  };
}

/** Only replicas that are ready are asked: one that is not would make writes wait for what it does not know. */
function service(namespace: string): KubeObject {
  const annotations = { 'service.beta.openshift.io/serving-cert-secret-name': CERT_SECRET };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...own(namespace), annotations },
    spec: {
      selector: SELECTOR,
      ports: [
        { name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' },
        { name: 'metrics', port: METRICS_PORT, targetPort: 'metrics', protocol: 'TCP' },
      ],
    },
  };
}

function deployment(options: CheckerManifestOptions): KubeObject {
  const { isSingleNode, namespace } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: own(namespace),
    spec: {
      replicas: isSingleNode === true ? 1 : 2,
      selector: { matchLabels: SELECTOR },
      // Never fewer than there are: while nobody answers, no definition can be written.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: CHECKER_NAME,
          priorityClassName: 'system-cluster-critical',
          terminationGracePeriodSeconds: STOP_SECONDS,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
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

function container({ hasOwnAuthority, image, namespace }: CheckerManifestOptions): JsonObject {
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'health' } });
  return {
    name: CHECKER_NAME,
    image,
    command: ['capstan'],
    args: [
      'crd-compatibility',
      `--namespace=${namespace}`,
      '--leader-elect',
      `--webhook-service=${CHECKER_NAME}`,
      `--webhook-cert-dir=${CERT_DIR}`,
      ...(hasOwnAuthority === true ? [`--webhook-ca-file=${CERT_DIR}/ca.crt`] : []),
      `--webhook-port=${WEBHOOK_PORT}`,
      `--metrics-bind-address=:${METRICS_PORT}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
    ],
    ports: [
      { name: 'webhook', containerPort: WEBHOOK_PORT, protocol: 'TCP' },
      { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
      { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
    ],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 10, periodSeconds: 10 },
    startupProbe: { ...probe('/readyz'), periodSeconds: 1, failureThreshold: 600 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '200Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: 'serving-cert', mountPath: CERT_DIR, readOnly: true }],
  };
}

/** One of the two may go; a broken one never keeps a node from being drained. */
/** Of two replicas one is always there. */
export function disruptionBudget(namespace: string): KubeObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: own(namespace),
    spec: { minAvailable: 1, selector: { matchLabels: SELECTOR }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  };
}

/** Its targets have the name of the Service as their job, by which the alert of a checker that is gone knows them. */
function serviceMonitor(namespace: string): KubeObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: own(namespace),
    spec: { selector: { matchLabels: SELECTOR }, endpoints: [{ port: 'metrics', interval: '30s' }] },
  };
}
