import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { Session } from './session.js';

const core = (plural: string, namespaced = true): ResourceRef => ({ group: '', version: 'v1', plural, namespaced });

export const CONFIG_MAPS = core('configmaps');
export const EVENTS = core('events');
export const NAMESPACES = core('namespaces', false);
export const NODES = core('nodes', false);
export const PODS = core('pods');
export const SERVICES = core('services');
export const DEPLOYMENTS: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
export const REPLICA_SETS: ResourceRef = { group: 'apps', version: 'v1', plural: 'replicasets', namespaced: true };

/** A finalizer that only the scenario removes. */
export const HOLD = 'capstan.test/hold';

type Metadata = Partial<KubeObject['metadata']>;

/** A ConfigMap with the given data. */
export function configMap(name: string, data?: Record<string, string>, metadata: Metadata = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    ...(data === undefined ? {} : { data }),
  };
}

/** A pod of one container; one with a node is taken to be running there. */
export function pod(name: string, spec: Record<string, unknown> = {}, metadata: Metadata = {}): KubeObject {
  const containers = [{ name: 'main', image: 'nginx:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers, ...spec } };
}

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'main', image: 'nginx:1', ports: [{ containerPort: 80 }] },
      { name: 'side', image: 'busybox:1', env: [{ name: 'A', value: '1' }] },
    ],
  },
};

/** The deployment `web`: two replicas, two containers. */
export function deployment(metadata: Metadata = {}): KubeObject {
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web' }, ...metadata },
    spec,
  };
}

/** A replica set `web-1`, owned as the deployment controller would have it. */
export function replicaSet(owner: KubeObject): KubeObject {
  const spec = { replicas: 0, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web-1', ownerReferences: [ownedBy(owner)] },
    spec,
  };
}

/** The service `web` without an address, which every server allocates differently. */
export function service(): KubeObject {
  const spec = { clusterIP: 'None', selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec };
}

/** A reference to the controlling owner. */
export function ownedBy(owner: KubeObject): NonNullable<KubeObject['metadata']['ownerReferences']>[number] {
  const { apiVersion, kind, metadata } = owner;
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** What kubectl prints for a deletion; from 1.34 on it names the namespace. */
export function deleted(kubectl: Session, ...subjects: readonly string[]): string {
  const where = kubectl.minor >= 34 ? ' from <ns> namespace' : '';
  return subjects.map((subject) => `${subject} deleted${where}\n`).join('');
}
