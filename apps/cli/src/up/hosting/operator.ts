import { nodePoolWebhookConfiguration } from '@capstan/hypershift';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { COMPONENT_REPOSITORY } from '@capstan/simulation';
import { TRUST } from '../conversion.js';
import { all, programObjects, read } from '../programs.js';
import type { PolicyRule } from '../programs.js';

/** The image that stands for the operator of hosted clusters. */
export const OPERATOR_IMAGE = 'quay.io/capstan/hypershift-operator';
/** Where it runs. */
export const OPERATOR_NAMESPACE = 'hypershift';
const NAME = 'operator';
const SERVING_SECRET = `${NAME}-serving-cert`;
const WEBHOOK_PORT = 9443;
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;

const CLUSTER_API = ['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'bootstrap.cluster.x-k8s.io'];
const EDIT = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/**
 * The RBAC of the operator. It grants permissions to the controllers it creates, also such as it does not use itself: it
 * therefore grant more than it has.
 */
function rules(platforms: HostingPlatforms): PolicyRule[] {
  const groups = [...platforms].flatMap(({ cluster, companionKinds = [], leftovers = [], machineTemplate }) =>
    [cluster?.kind, machineTemplate?.kind, machineTemplate?.machine, ...companionKinds, ...leftovers].flatMap(
      (kind) => kind?.group ?? [],
    ),
  );
  return [
    all('hypershift.openshift.io'),
    all(...new Set([...CLUSTER_API, ...groups])),
    {
      apiGroups: [''],
      resources: ['namespaces', 'secrets', 'configmaps', 'serviceaccounts', 'services', 'pods'],
      verbs: EDIT,
    },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: EDIT },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
      verbs: [...EDIT, 'bind', 'escalate'],
    },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    read('apiextensions.k8s.io', 'customresourcedefinitions'),
    read('route.openshift.io', 'routes'),
  ];
}

/** The webhook that validates NodePools. */
function webhookObjects(): KubeObject[] {
  const service = { namespace: OPERATOR_NAMESPACE, name: NAME };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...service, annotations: { 'service.beta.openshift.io/serving-cert-secret-name': SERVING_SECRET } },
      spec: {
        selector: { app: NAME },
        ports: [
          { name: 'webhook', port: 443, targetPort: WEBHOOK_PORT },
          { name: 'metrics', port: METRICS_PORT, targetPort: METRICS_PORT },
        ],
      },
    },
    nodePoolWebhookConfiguration({ clientConfig: { service }, annotations: TRUST }),
  ];
}

/** Which pods of control planes go before others, and before whatever else there is. */
const PRIORITIES = {
  'hypershift-control-plane': 100_000_000,
  'hypershift-api-critical': 100_001_000,
  'hypershift-etcd': 100_002_000,
  'hypershift-operator': 100_003_000,
} as const;

/** The operator, with its ServiceAccount and RBAC. */
export function operatorObjects(platforms: HostingPlatforms, registry: string): KubeObject[] {
  const imageOf = (component: string): string => `${registry}/${COMPONENT_REPOSITORY}/${component}:latest`;
  const priorities = Object.entries(PRIORITIES).map(([name, value]): KubeObject => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    globalDefault: false,
    description: 'Pods of hosted control planes.',
  }));
  const program = programObjects({
    namespace: OPERATOR_NAMESPACE,
    name: NAME,
    image: OPERATOR_IMAGE,
    args: ['--leader-elect', '--webhook-cert-dir=/etc/serving', `--webhook-port=${WEBHOOK_PORT}`],
    serves: { metrics: METRICS_PORT, health: HEALTH_PORT },
    secrets: { serving: SERVING_SECRET },
    rules: [],
    clusterRules: rules(platforms),
    // These two come with no payload.
    env: {
      IMAGE_AGENT_CAPI_PROVIDER: imageOf('agent-cluster-api-controllers'),
      IMAGE_KUBEVIRT_CAPI_PROVIDER: imageOf('kubevirt-cluster-api-controllers'),
    },
  });
  return [...priorities, ...program, ...webhookObjects()];
}
