import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ReleasedDefinition } from '../transport/releases.js';
import { CLUSTER_API_NAMESPACE, MANAGED_BY_LABEL, RELEASE_LABEL, ROLE_LABEL } from '../vocabulary.js';
import type { Role } from '../vocabulary.js';
import { builtInExclusions } from './exclusions.js';

/** The name of what is required of a CRD: by what runs, or by the release an upgrade would bring. */
export function requirementName({ definition }: ReleasedDefinition, future?: string): string {
  const { group, names } = definition.spec;
  const singular = names.singular ?? names.kind.toLowerCase();
  return `${singular}-${group}-ccapio${future === undefined ? '' : `-${future}`}`;
}

/** What this operator requires of a CRD that it does not manage. */
export function requirementFor(released: ReleasedDefinition, role: Role, release: string): CompatibilityRequirement {
  const exclusions = builtInExclusions(released);
  const { additionalVersions, component, text } = released;
  return {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: {
      name: requirementName(released, role === 'future' ? release : undefined),
      labels: { [MANAGED_BY_LABEL]: component, [ROLE_LABEL]: role, [RELEASE_LABEL]: release },
    },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: text },
        requiredVersions: {
          defaultSelection: 'StorageOnly',
          ...(additionalVersions.length === 0 ? {} : { additionalVersions: [...additionalVersions] }),
        },
        ...(exclusions.length === 0
          ? {}
          : { excludedFields: exclusions.map(({ path, versions }) => ({ path, versions: [...versions] })) }),
      },
      customResourceDefinitionSchemaValidation: { action: role === 'active' ? 'Deny' : 'Warn' },
      ...(role === 'active' ? { objectSchemaValidation: OWN_OBJECTS } : {}),
    },
  };
}

/** The platform's own objects are to be what its controllers understand, whatever the live CRD allows. */
const OWN_OBJECTS = {
  action: 'Deny',
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': CLUSTER_API_NAMESPACE } },
} as const;
