import { PROXY_IMAGE_ENV, PROXY_NATIVE_ENV } from '@capstan/hosting';
import { CONFINED, containerPort, patientStart, probes, servingMount } from '@capstan/kube/manifests';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { proxyNetworkPolicy, withSidecar } from '@capstan/translate/sidecar';
import { nodePoolWebhookConfiguration } from '../node-pool/admission/manifests.js';
import { CAPI_TYPES_LABEL } from '../names.js';
import { operatorName, servingSecretOf, webhookNameOf } from './names.js';
import type { OperatorMode } from './names.js';
import { OPERATOR_RULES, operatorClusterRules } from './rules.js';

/** What may differ between installations. */
export interface OperatorManifestOptions {
  readonly mode: OperatorMode;
  /** In mode `standard`: the only HostedClusters that it reconciles, next to other operators. */
  readonly scope?: string | undefined;
  readonly namespace: string;
  readonly image: string;
  /** What the container runs; default: the entry point of its image. */
  readonly command?: readonly string[] | undefined;
  /** Arguments before those that every operator gets. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly platforms: HostingPlatforms;
  /** Further groups of Cluster API that the cluster serves, by their standard names. */
  readonly groups?: readonly string[] | undefined;
  /** The private name of a group; the group itself where it has none. */
  readonly swap: (group: string) => string;
  /** The image of the proxy, in mode `private`. */
  readonly proxyImage: string;
  /** Whether nodes run native sidecars. Default: yes. */
  readonly native?: boolean | undefined;
  /** PEM in base64: the CA of the serving certificate; without it the service CA is asked for one. */
  readonly caBundle?: string | undefined;
  /** Adds ServiceMonitors, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const RBAC = 'rbac.authorization.k8s.io';
const CERT_DIR = '/etc/serving';
const WEBHOOK_PORT = 9443;
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
/** Reconciles under way may end. */
const STOP_SECONDS = 40;
const PRIORITY = 'hypershift-operator';

/** Which pods of control planes are scheduled before others, and before everything else there is. */
const PRIORITIES = {
  'hypershift-control-plane': 100_000_000,
  'hypershift-api-critical': 100_001_000,
  'hypershift-etcd': 100_002_000,
  [PRIORITY]: 100_003_000,
} as const;

/** The PriorityClasses of hosted control planes and their operators. */
export function priorityClasses(): readonly KubeObject[] {
  return Object.entries(PRIORITIES).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    globalDefault: false,
    description: 'Pods of hosted control planes.',
  }));
}

/** An operator with its ServiceAccount, RBAC, Service and webhook, in the order in which they are to be applied. */
export function operatorManifests(options: OperatorManifestOptions): readonly KubeObject[] {
  const { mode, monitor, namespace, scope } = options;
  const name = operatorName(mode, scope);
  const labels = { app: name };
  const workload = deployment(options);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...access(options),
    service(options),
    workload,
    ...(mode === 'private' ? [proxyNetworkPolicy(workload, { from: [], isIsolated: false })] : []),
    webhook(options),
    ...(monitor === true ? [serviceMonitor({ name, namespace, labels })] : []),
  ];
}

function access(options: OperatorManifestOptions): readonly KubeObject[] {
  const { mode, namespace, scope } = options;
  const name = operatorName(mode, scope);
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const role = (kind: 'ClusterRole' | 'Role', rules: readonly object[]): readonly KubeObject[] => {
    const metadata = kind === 'ClusterRole' ? { name: `${namespace}:${name}` } : { name, namespace };
    const roleRef = { apiGroup: RBAC, kind, name: metadata.name };
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
      { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects },
    ];
  };
  return [...role('Role', OPERATOR_RULES), ...role('ClusterRole', operatorClusterRules(options))];
}

function service({ mode, namespace, scope }: OperatorManifestOptions): KubeObject {
  const name = operatorName(mode, scope);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { app: name },
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': servingSecretOf(mode, scope) },
    },
    spec: {
      selector: { app: name },
      // Its own caches may need objects converted before it is ready.
      publishNotReadyAddresses: true,
      ports: [
        { name: 'webhook', port: 443, targetPort: WEBHOOK_PORT, protocol: 'TCP' },
        { name: 'metrics', port: METRICS_PORT, targetPort: METRICS_PORT, protocol: 'TCP' },
      ],
    },
  };
}

function deployment(options: OperatorManifestOptions): KubeObject {
  const { annotations, mode, namespace, native = true, proxyImage, scope } = options;
  const name = operatorName(mode, scope);
  const labels = { app: name };
  const types = mode === 'standard' ? {} : { [CAPI_TYPES_LABEL]: mode };
  const plain: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // Two versions at once would reconcile the same clusters.
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: { ...labels, ...types } },
        spec: {
          serviceAccountName: name,
          priorityClassName: PRIORITY,
          terminationGracePeriodSeconds: STOP_SECONDS,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [container(options)],
          volumes: [{ name: 'serving-cert', secret: { secretName: servingSecretOf(mode, scope) } }],
        },
      },
    },
  };
  if (mode !== 'private') return plain;
  return withSidecar(plain, { image: proxyImage, native, component: 'operator', containers: [name] });
}

const MODE_FLAGS: Readonly<Record<OperatorMode, readonly string[]>> = {
  standard: [],
  private: ['--private-capi-types'],
  legacy: ['--legacy'],
};

function container({
  args = [],
  command,
  env = {},
  image,
  mode,
  namespace,
  native = true,
  proxyImage,
  scope,
}: OperatorManifestOptions): JsonObject {
  const proxy = { [PROXY_IMAGE_ENV]: proxyImage, ...(native ? {} : { [PROXY_NATIVE_ENV]: 'false' }) };
  const variables = { ...env, ...(mode === 'private' ? proxy : {}) };
  return {
    name: operatorName(mode, scope),
    image,
    ...(command === undefined ? {} : { command: [...command] }),
    args: [
      ...args,
      `--namespace=${namespace}`,
      '--leader-elect',
      ...MODE_FLAGS[mode],
      ...(scope === undefined ? [] : [`--scope=${scope}`]),
      `--webhook-cert-dir=${CERT_DIR}`,
      `--webhook-port=${WEBHOOK_PORT}`,
      `--metrics-bind-address=:${METRICS_PORT}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
    ],
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    ports: [
      containerPort('webhook', WEBHOOK_PORT),
      containerPort('metrics', METRICS_PORT),
      containerPort('health', HEALTH_PORT),
    ],
    ...probes('health'),
    startupProbe: patientStart('health'),
    resources: { requests: { cpu: '10m', memory: '150Mi' } },
    securityContext: CONFINED,
    volumeMounts: [servingMount(CERT_DIR)],
  };
}

/** Each operator validates the NodePools of its own clusters, and lets all others through. */
function webhook({ caBundle, mode, namespace, scope }: OperatorManifestOptions): KubeObject {
  const name = operatorName(mode, scope);
  const service = { namespace, name };
  const annotations = caBundle === undefined ? { 'service.beta.openshift.io/inject-cabundle': 'true' } : undefined;
  return nodePoolWebhookConfiguration(
    { clientConfig: { service, ...(caBundle === undefined ? {} : { caBundle }) }, annotations },
    webhookNameOf(mode, scope),
  );
}

function serviceMonitor({
  labels,
  name,
  namespace,
}: {
  readonly labels: Readonly<Record<string, string>>;
  readonly name: string;
  readonly namespace: string;
}): KubeObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name, namespace, labels },
    // Series of clusters and pools have a namespace of their own.
    spec: { selector: { matchLabels: labels }, endpoints: [{ port: 'metrics', interval: '30s', honorLabels: true }] },
  };
}
