import { compatibilityRequirement } from '@capstan/api/apiextensions';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { checkerManifests } from '@capstan/crd-compatibility/manifests';
import type { KubeObject } from '@capstan/meta';
import { CORE } from './groups.js';
import { CAPSTAN_IMAGE } from '../pods/capstan-images.js';

const NAMESPACE = 'openshift-compatibility-requirements-operator';

/** The CRD that the platform and the operator of hosted clusters both need. */
export const SHARED = `machines.${CORE}`;

/** Who uses it, and whose word the checker takes for what they need. */
const USERS = ['platform', 'hypershift'] as const;

/** The CRD of requirements, which is never checked itself. */
export function requirementDefinition(): KubeObject {
  return crd(compatibilityRequirement) as unknown as KubeObject;
}

/** The checker and what it needs. */
export function checkerObjects(): KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ...checkerManifests({ namespace: NAMESPACE, image: CAPSTAN_IMAGE, isSingleNode: true }),
  ];
}

/** What the users of the shared CRD need of it: all of the version it is stored in. */
export function requirements(definitions: readonly KubeObject[]): CompatibilityRequirement[] {
  const shared = definitions.find(({ metadata }) => metadata.name === SHARED);
  return USERS.map((user) => ({
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name: `machine-${CORE}-${user}`, labels: { 'app.kubernetes.io/managed-by': user } },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: JSON.stringify(shared) },
        requiredVersions: { defaultSelection: 'StorageOnly' },
      },
      customResourceDefinitionSchemaValidation: { action: 'Deny' },
    },
  }));
}

/** A change of the shared CRD that its users could not live with. */
export function breakingChange(): string {
  const { versions } = clusterApiKinds.find(({ kind }) => kind === 'Machine') ?? { versions: [] };
  const at = versions.findIndex(({ storage }) => storage === true);
  const path = `/spec/versions/${at}/schema/openAPIV3Schema/properties/spec/properties/providerID`;
  return `kubectl patch crd ${SHARED} --type json -p '${JSON.stringify([{ op: 'remove', path }])}'`;
}
