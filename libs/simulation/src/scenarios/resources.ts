import type { KubeObject } from '@capstan/meta';
import type { ResourceRef } from '@capstan/kube';

const core = (plural: string): ResourceRef => ({ group: '', version: 'v1', plural, namespaced: true });

export const NAMESPACES: ResourceRef = { ...core('namespaces'), namespaced: false };
export const CONFIG_MAPS = core('configmaps');
export const PODS = core('pods');
export const DEPLOYMENTS: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

/** A Deployment with the fields that scenarios read. */
export interface DeploymentObject extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** A Deployment of one container. */
export function deployment(namespace: string, name: string, replicas: number, image: string): KubeObject {
  const labels = { app: name };
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'main', image }] },
      },
    },
  };
  return object;
}

/** A ConfigMap. */
export function configMap(namespace: string, name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name, namespace } };
}

/** A Namespace. */
export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
