import type { KubeObject } from '@capstan/meta';
import { CORE_GROUP, kindOf } from './objects.js';
import type { InfrastructurePlatform } from './platforms.table.js';

/** A CRD that takes any spec and any status, in all the versions given, the first of them stored. */
export function openDefinition(group: string, kind: string, versions: readonly string[], labels = {}): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const openAPIV3Schema = { type: 'object', properties: { spec: open, status: open } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema },
        subresources: { status: {} },
      })),
    },
  };
}

/** CRDs of a platform's kinds that take any spec: enough for the contract, not for a user's mistakes. */
export function infrastructureDefinitions(row: InfrastructurePlatform): KubeObject[] {
  const versions = [row.version, ...row.otherVersions];
  const labels = { [`${CORE_GROUP}/v1beta1`]: row.version };
  return (['Cluster', 'Machine', 'MachineTemplate'] as const).map((what) =>
    openDefinition(row.group, kindOf(row, what).kind, versions, labels),
  );
}
