import { CONFINED, containerPort, InstalledProgram, probes } from '@capstan/kube/manifests';
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

const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;

/** Everything the operator needs in a cluster but the CRDs of its kinds, in the order of applying. */
export function capiOperatorManifests(options: CapiOperatorManifestOptions): readonly KubeObject[] {
  const { monitor, namespace } = options;
  const program = new InstalledProgram(CAPI_OPERATOR_NAME, namespace);
  const isMonitored = monitor === true;
  const namespaces = [...new Set([namespace, CLUSTER_API_NAMESPACE])];
  return [
    ...namespaces.map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: program.labels },
    })),
    program.account(),
    program.clusterRole(CLUSTER_RULES),
    program.clusterRoleBinding(`${CAPI_OPERATOR_NAME}-${namespace}`),
    ...program.role(OWN_RULES),
    ...(isMonitored ? [program.service([{ name: 'metrics', port: METRICS_PORT }])] : []),
    program.deployment({ replicas: 1, container: container(options) }),
    ...(isMonitored ? [program.serviceMonitor()] : []),
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

const READ = ['get', 'list', 'watch'];

/** It installs CRDs and states requirements; ClusterAPI and what OpenShift configures it reads. */
const CLUSTER_RULES = [
  {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: [...READ, 'create', 'patch'],
  },
  {
    apiGroups: ['apiextensions.openshift.io'],
    resources: ['compatibilityrequirements'],
    verbs: [...READ, 'create', 'patch', 'delete'],
  },
  { apiGroups: ['operator.openshift.io'], resources: ['clusterapis'], verbs: READ },
  { apiGroups: ['operator.openshift.io'], resources: ['clusterapis/status'], verbs: ['patch'] },
  { apiGroups: ['config.openshift.io'], resources: ['infrastructures', 'featuregates'], verbs: READ },
  { apiGroups: ['config.openshift.io'], resources: ['clusteroperators'], verbs: [...READ, 'create'] },
  { apiGroups: ['config.openshift.io'], resources: ['clusteroperators/status'], verbs: ['patch'] },
];

/** Transport ConfigMaps and the lease are in its own namespace. */
const OWN_RULES = [
  { apiGroups: [''], resources: ['configmaps'], verbs: READ },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'patch'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
];

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
    ports: [containerPort('metrics', METRICS_PORT), containerPort('health', HEALTH_PORT)],
    ...probes('health'),
    resources: { requests: { cpu: '10m', memory: '80Mi' } },
    securityContext: CONFINED,
  };
}
