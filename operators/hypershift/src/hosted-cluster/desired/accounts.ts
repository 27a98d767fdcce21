import { COMPONENT_LABEL } from '@capstan/hosting';
import type { PolicyRule } from '@capstan/provider';
import type { Desired, ResourceKind } from '@capstan/kube';
import { exactly } from '@capstan/kube';
import { CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS, SERVICE_ACCOUNTS } from '../../kinds.js';
import { DEFINITION_RULES } from './rules.js';

const RBAC = 'rbac.authorization.k8s.io';
/** Shared by all clusters; what it allows is the same for each. */
export const DEFINITION_READERS = 'hypershift-cluster-api';

/** The binding by which the programs of a control plane read CRDs. */
export function definitionBindingName(namespace: string): string {
  return `${DEFINITION_READERS}-${namespace}`;
}

/** The account of a component, and what it may do in its namespace. */
export function account(
  name: string,
  namespace: string,
  rules: readonly PolicyRule[],
): readonly (readonly [ResourceKind, Desired])[] {
  const metadata = { name, namespace, labels: { [COMPONENT_LABEL]: name } };
  return [
    [SERVICE_ACCOUNTS, { metadata }],
    [ROLES, { metadata, rules: exactly(rules) }],
    [
      ROLE_BINDINGS,
      {
        metadata,
        roleRef: { apiGroup: RBAC, kind: 'Role', name },
        subjects: exactly([{ kind: 'ServiceAccount', name, namespace }]),
      },
    ],
  ];
}

/** What allows reading CRDs; the role has no owner, for it outlives every cluster. */
export function definitionReaders(): Desired {
  return {
    metadata: { name: DEFINITION_READERS, labels: { [COMPONENT_LABEL]: 'cluster-api' } },
    rules: exactly(DEFINITION_RULES),
  };
}

/** Lets accounts of a control plane namespace read CRDs. */
export function definitionBinding(namespace: string, accounts: readonly string[]): readonly [ResourceKind, Desired] {
  const subjects = accounts.map((name) => ({ kind: 'ServiceAccount', name, namespace }));
  return [
    CLUSTER_ROLE_BINDINGS,
    {
      metadata: { name: definitionBindingName(namespace), labels: { [COMPONENT_LABEL]: 'cluster-api' } },
      roleRef: { apiGroup: RBAC, kind: CLUSTER_ROLES.kind, name: DEFINITION_READERS },
      subjects: exactly(subjects),
    },
  ];
}
