import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { privateCrd, STANDARD } from './fixture.js';

function definition(kind: string, scope: 'Cluster' | 'Namespaced'): KubeObject {
  const plural = kind.toLowerCase().replace(/y$/u, 'ie').concat('s');
  const group = `infrastructure.${STANDARD}`;
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } };
  const version = { name: 'v1beta2', served: true, storage: true, schema, subresources: { status: {} } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { kind, plural, singular: kind.toLowerCase() }, versions: [version] },
  };
}

/** The CRDs of a provider with an identity that clusters share, under both groups. */
export function sharingProvider(): readonly KubeObject[] {
  const provider = [definition('TestIdentity', 'Cluster'), definition('TestCluster', 'Namespaced')];
  return [...provider, ...provider.map(privateCrd)];
}

export const identitiesOf = (group: string): ResourceKind => ({
  group: `infrastructure.${group}`,
  version: 'v1beta2',
  plural: 'testidentities',
  namespaced: false,
  kind: 'TestIdentity',
});
export const sharingClustersOf = (group: string): ResourceKind => ({
  ...identitiesOf(group),
  plural: 'testclusters',
  namespaced: true,
  kind: 'TestCluster',
});
