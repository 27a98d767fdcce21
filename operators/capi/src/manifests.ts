import type { JsonObject, KubeObject } from '@capstan/meta';
import { CLUSTER_API_NAMESPACE, SINGLETON } from './vocabulary.js';

/** How the operator is called wherever it is installed. */
export const CAPI_OPERATOR_NAME = 'capi-operator';

/** What may differ between installations. */
export interface CapiOperatorManifestOptions {
  readonly namespace: string;
  readonly image: string;
  /** The platform, where there is no Infrastructure to say it. */
  readonly platform?: string | undefined;
  /** Where there is no FeatureGate to say them. */
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
}

const LABELS = { 'app.kubernetes.io/name': CAPI_OPERATOR_NAME, 'app.kubernetes.io/part-of': 'capstan' };
const SELECTOR = { 'app.kubernetes.io/name': CAPI_OPERATOR_NAME };
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;

/** Everything the operator needs in a cluster but the definitions of its kinds, in the order of applying. */
export function capiOperatorManifests(options: CapiOperatorManifestOptions): readonly KubeObject[] {
  const { monitor, namespace } = options;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: LABELS } },
    ...(namespace === CLUSTER_API_NAMESPACE
      ? []
      : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: CLUSTER_API_NAMESPACE, labels: LABELS } }]),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own(namespace) },
    clusterRole(),
    clusterRoleBinding(namespace),
    role(namespace),
    roleBinding(namespace),
    ...(monitor === true ? [service(namespace)] : []),
    deployment(options),
    ...(monitor === true ? [serviceMonitor(namespace)] : []),
  ];
}

/** The one ClusterAPI there is. Its spec is the administrator's: it is made where it is missing, and never changed. */
export function clusterApiObject(): KubeObject {
  return {
    apiVersion: 'operator.openshift.io/v1alpha1',
    kind: 'ClusterAPI',
    metadata: { name: SINGLETON },
    spec: {},
  };
}

function own(namespace: string): { name: string; namespace: string; labels: Record<string, string> } {
  return { name: CAPI_OPERATOR_NAME, namespace, labels: LABELS };
}

/** It installs definitions and states requirements; ClusterAPI and what OpenShift configures it reads. */
function clusterRole(): KubeObject {
  const read = ['get', 'list', 'watch'];
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: CAPI_OPERATOR_NAME, labels: LABELS },
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: [...read, 'create', 'patch'],
      },
      {
        apiGroups: ['apiextensions.openshift.io'],
        resources: ['compatibilityrequirements'],
        verbs: [...read, 'create', 'patch', 'delete'],
      },
      { apiGroups: ['operator.openshift.io'], resources: ['clusterapis'], verbs: read },
      { apiGroups: ['operator.openshift.io'], resources: ['clusterapis/status'], verbs: ['patch'] },
      { apiGroups: ['config.openshift.io'], resources: ['infrastructures', 'featuregates'], verbs: read },
      { apiGroups: ['config.openshift.io'], resources: ['clusteroperators'], verbs: [...read, 'create'] },
      { apiGroups: ['config.openshift.io'], resources: ['clusteroperators/status'], verbs: ['patch'] },
    ],
  };
}

function clusterRoleBinding(namespace: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${CAPI_OPERATOR_NAME}-${namespace}`, labels: LABELS },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: CAPI_OPERATOR_NAME },
    subjects: [{ kind: 'ServiceAccount', name: CAPI_OPERATOR_NAME, namespace }],
  };
}

/** Transport ConfigMaps and the lease are in its own namespace. */
function role(namespace: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: own(namespace),
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'patch'] },
      { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ],
  };
}

function roleBinding(namespace: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: own(namespace),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: CAPI_OPERATOR_NAME },
    subjects: [{ kind: 'ServiceAccount', name: CAPI_OPERATOR_NAME, namespace }],
  };
}

function deployment(options: CapiOperatorManifestOptions): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: own(options.namespace),
    spec: {
      replicas: 1,
      selector: { matchLabels: SELECTOR },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: CAPI_OPERATOR_NAME,
          priorityClassName: 'system-cluster-critical',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [container(options)],
        },
      },
    },
  };
}

function container({
  featureGates,
  image,
  namespace,
  platform,
  releaseVersion,
}: CapiOperatorManifestOptions): JsonObject {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['platform', platform],
    ['feature-gates', featureGates],
    ['release-version', releaseVersion],
  ];
  return {
    name: CAPI_OPERATOR_NAME,
    image,
    command: ['capstan'],
    args: [
      'capi-operator',
      `--namespace=${namespace}`,
      '--leader-elect',
      `--metrics-bind-address=:${METRICS_PORT}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
      ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
    ],
    ports: [
      { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
      { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '80Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}

function service(namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: own(namespace),
    spec: {
      selector: SELECTOR,
      ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics', protocol: 'TCP' }],
    },
  };
}

function serviceMonitor(namespace: string): KubeObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: own(namespace),
    spec: { selector: { matchLabels: SELECTOR }, endpoints: [{ port: 'metrics', interval: '30s' }] },
  };
}
