import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { hostedClusterOn, nodePoolOn, testPlatform } from '@capstan/provider/testing';

function core(kind: string, plural: string, namespaced = true): ResourceKind {
  return { group: '', version: 'v1', plural, namespaced, kind };
}

function rbac(kind: string, plural: string, namespaced: boolean): ResourceKind {
  return { group: 'rbac.authorization.k8s.io', version: 'v1', plural, namespaced, kind };
}

export const NAMESPACES = core('Namespace', 'namespaces', false);
export const SECRETS = core('Secret', 'secrets');
export const CONFIG_MAPS = core('ConfigMap', 'configmaps');
export const EVENTS = core('Event', 'events');
export const SERVICES = core('Service', 'services');
export const DEPLOYMENTS: ResourceKind = { ...core('Deployment', 'deployments'), group: 'apps' };
export const SERVICE_ACCOUNTS = core('ServiceAccount', 'serviceaccounts');
export const ROLES = rbac('Role', 'roles', true);
export const ROLE_BINDINGS = rbac('RoleBinding', 'rolebindings', true);
export const CLUSTER_ROLES = rbac('ClusterRole', 'clusterroles', false);
export const CLUSTER_ROLE_BINDINGS = rbac('ClusterRoleBinding', 'clusterrolebindings', false);

/** Kinds with objects in a control plane namespace. */
export const INSIDE = [SECRETS, CONFIG_MAPS, DEPLOYMENTS, SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS] as const;

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** A Secret of texts. */
export function secret(namespace: string, name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encoded(text)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data };
}

/** The Secrets that a HostedCluster refers to. */
export function secretsOfCluster(namespace: string): KubeObject[] {
  return [
    secret(namespace, 'pull-secret', { '.dockerconfigjson': '{"auths":{}}' }),
    secret(namespace, 'ssh-key', { 'id_rsa.pub': 'ssh-rsa AAAA' }),
    secret(namespace, 'harbour-login', { key: 'value' }),
  ];
}

/** A cluster on the made-up platform, as a user writes it. */
export function cluster(
  { name, namespace, image }: { readonly name: string; readonly namespace: string; readonly image: string },
  changes: {
    readonly metadata?: KubeObject['metadata'];
    readonly spec?: JsonObject;
    readonly settings?: JsonObject;
  } = {},
): HostedCluster {
  const settings = { port: 'rotterdam', credentials: { name: 'harbour-login' }, ...changes.settings };
  const { spec } = hostedClusterOn(testPlatform(), settings);
  const written: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace, ...changes.metadata },
    spec: { ...spec, infraID: `${name}-x7k2p`, release: { image }, ...changes.spec },
  };
  return written as HostedCluster;
}

/** A pool of that cluster. */
export function pool(of: HostedCluster, name = 'workers', spec: JsonObject = {}): NodePool {
  const made = nodePoolOn(testPlatform(), { berth: 'b1' });
  const { namespace } = of.metadata;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { ...made, metadata, spec: { ...made.spec, clusterName: of.metadata.name, ...spec } } as unknown as NodePool;
}
