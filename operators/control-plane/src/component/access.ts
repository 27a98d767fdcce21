import { COMPONENT_LABEL } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import type { PolicyRule } from '@capstan/provider';
import { ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS } from '../kinds.js';
import type { ResourceKind } from '@capstan/kube';

const RBAC = 'rbac.authorization.k8s.io';

/** An object and the kind it is of. */
export type KindAndObject = readonly [kind: ResourceKind, object: KubeObject];

/** The account of a component in the management cluster, and what it may do in the namespace of its control plane. */
export function accessOf(name: string, namespace: string, rules: readonly PolicyRule[]): readonly KindAndObject[] {
  const metadata = { name, labels: { [COMPONENT_LABEL]: name } };
  return [
    [SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }],
    [ROLES, { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules: rules.map((rule) => ({ ...rule })) }],
    [
      ROLE_BINDINGS,
      {
        apiVersion: `${RBAC}/v1`,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: RBAC, kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      },
    ],
  ];
}
