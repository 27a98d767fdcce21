import { kubeconfigJson, timestamp } from '@capstan/kube';
import type { Clock, KubeObject } from '@capstan/meta';
import { CORE, INFRASTRUCTURE } from './groups.js';
import { infrastructureOf, PLATFORM } from './infrastructure.js';
import { all, programObjects, read } from './programs.js';
import { INFRASTRUCTURE_NAME } from './standalone.js';

/** Where the platform keeps its own objects of Cluster API. */
const NAMESPACE = 'openshift-cluster-api';
const USER_DATA = 'worker-user-data';
const MACHINES = 1;
const LABELS = { [`${CORE}/cluster-name`]: INFRASTRUCTURE_NAME };

/** The programs of the platform's own Cluster API, on the standard groups and without a proxy. */
export function platformClusterApiPrograms(images: {
  readonly clusterApi: string;
  readonly infrastructure: string;
}): KubeObject[] {
  const namespace = NAMESPACE;
  const groups = [CORE, INFRASTRUCTURE, `bootstrap.${CORE}`, `controlplane.${CORE}`];
  const common = {
    namespace,
    rules: [all(...groups), read('', 'secrets', 'configmaps')],
    clusterRules: [read('apiextensions.k8s.io', 'customresourcedefinitions')],
  };
  const args = [`--namespace=${namespace}`, '--leader-elect'];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...programObjects({ ...common, name: 'capi-controller-manager', image: images.clusterApi, args }),
    ...programObjects({
      ...common,
      name: 'capa-controller-manager',
      image: images.infrastructure,
      args: [`--platform=${PLATFORM}`, ...args],
    }),
  ];
}

/** How the management cluster is reached, and joined. */
export interface ManagementAccess {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  readonly userData: string;
  /** Holds the controllers off until the status that they cannot find out has been set. */
  readonly isHeld: boolean;
}

/** The platform's own cluster and machines in Cluster API: what the operator of OpenShift makes of itself. */
export function platformClusterApiObjects(access: ManagementAccess): KubeObject[] {
  const name = INFRASTRUCTURE_NAME;
  const { hostname, port } = new URL(access.url);
  const endpoint = { host: hostname, port: Number(port) };
  const { infrastructure, template } = infrastructureOf(
    { name, namespace: NAMESPACE, platform: PLATFORM },
    INFRASTRUCTURE,
  );
  // The cluster is there already: its provider is not to make one.
  const annotations = { [`${CORE}/managed-by`]: 'cluster-capi-operator-infracluster-controller' };
  const reference = ({ kind, metadata }: KubeObject): object => ({
    apiGroup: INFRASTRUCTURE,
    kind,
    name: metadata.name,
  });
  return [
    secret(`${name}-kubeconfig`, { value: kubeconfigJson({ ...access, server: access.url, name }) }),
    secret(USER_DATA, { value: access.userData, format: 'ignition' }),
    {
      ...infrastructure,
      metadata: { ...infrastructure.metadata, annotations },
      spec: { ...(infrastructure['spec'] as object), controlPlaneEndpoint: endpoint },
    },
    template,
    {
      apiVersion: `${CORE}/v1beta2`,
      kind: 'Cluster',
      metadata: { name, namespace: NAMESPACE },
      spec: {
        controlPlaneEndpoint: endpoint,
        infrastructureRef: reference(infrastructure),
        ...(access.isHeld ? { paused: true } : {}),
      },
    },
    machineSet(reference(template)),
  ];
}

/** The platform's own cluster, as a resource. */
export const PLATFORM_CLUSTER = {
  resource: { group: CORE, version: 'v1beta2', plural: 'clusters', namespaced: true },
  name: INFRASTRUCTURE_NAME,
  namespace: NAMESPACE,
};

/** What nobody but its own operator can know of the platform's cluster: that it is there. */
export function platformClusterApiStatus(clock: Clock): KubeObject[] {
  const metadata = { name: INFRASTRUCTURE_NAME, namespace: NAMESPACE };
  const { infrastructure } = infrastructureOf({ ...metadata, platform: PLATFORM }, INFRASTRUCTURE);
  const { apiVersion, kind } = infrastructure;
  const initialized = {
    type: 'ControlPlaneInitialized',
    status: 'True',
    reason: 'Initialized',
    message: '',
    lastTransitionTime: timestamp(clock),
  };
  return [
    { apiVersion, kind, metadata, status: { ready: true } },
    { apiVersion: `${CORE}/v1beta2`, kind: 'Cluster', metadata, status: { conditions: [initialized] } },
  ];
}

function secret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE, labels: LABELS },
    type: `${CORE}/secret`,
    data: Object.fromEntries(encoded) as object,
  };
}

function machineSet(infrastructureRef: object): KubeObject {
  const name = `${INFRASTRUCTURE_NAME}-worker-us-east-1b`;
  const matchLabels = { 'machine.openshift.io/cluster-api-machineset': name };
  return {
    apiVersion: `${CORE}/v1beta2`,
    kind: 'MachineSet',
    metadata: { name, namespace: NAMESPACE, labels: LABELS },
    spec: {
      clusterName: INFRASTRUCTURE_NAME,
      replicas: MACHINES,
      selector: { matchLabels },
      template: {
        metadata: { labels: matchLabels },
        spec: { clusterName: INFRASTRUCTURE_NAME, bootstrap: { dataSecretName: USER_DATA }, infrastructureRef },
      },
    },
  };
}
