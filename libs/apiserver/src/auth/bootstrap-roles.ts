import type { JsonObject, KubeObject } from '@capstan/meta';
import { CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS } from './bootstrap-roles.table.js';
import { RBAC_GROUP } from './rbac.js';

/** A role or binding and where it goes. */
export interface BootstrapObject {
  readonly plural: string;
  readonly object: KubeObject;
}

const AGGREGATE = `${RBAC_GROUP}/aggregate-to-`;

function lines(table: string): string[] {
  return table.split('\n').filter((line) => line !== '');
}

function words(line: string): string[] {
  return line.trim().split(' ');
}

function list(text = ''): string[] {
  return text.split(',').map((each) => (each === '-' ? '' : each));
}

function ruleOf(line: string): JsonObject {
  const [verbs, second, resources, names] = words(line);
  if (resources === undefined) return { verbs: list(verbs), nonResourceURLs: list(second) };
  return {
    verbs: list(verbs),
    apiGroups: list(second),
    resources: list(resources),
    ...(names === undefined ? {} : { resourceNames: list(names) }),
  };
}

function made(kind: string, name: string, namespace: string | undefined): KubeObject {
  return {
    kind,
    apiVersion: `${RBAC_GROUP}/v1`,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
  };
}

function rolesOf(table: string, kind: string, plural: string): BootstrapObject[] {
  const out: BootstrapObject[] = [];
  let rules: JsonObject[] = [];
  for (const line of lines(table)) {
    if (line.startsWith(' ')) {
      rules.push(ruleOf(line));
      continue;
    }
    const parts = words(line);
    const namespace = kind === 'Role' ? parts.shift() : undefined;
    const [name = '', ...traits] = parts;
    const object = made(kind, name, namespace);
    const isMadeOfOthers = traits.find((trait) => trait.startsWith('='));
    if (isMadeOfOthers !== undefined) {
      const matchLabels = { [`${AGGREGATE}${isMadeOfOthers.slice(1)}`]: 'true' };
      object['aggregationRule'] = { clusterRoleSelectors: [{ matchLabels }] };
      object['rules'] = null;
    } else object['rules'] = rules = [];
    for (const trait of traits)
      if (trait.startsWith('+'))
        Object.assign(object.metadata.labels ?? {}, { [`${AGGREGATE}${trait.slice(1)}`]: 'true' });
    out.push({ plural, object });
  }
  return out;
}

function subjectOf(text: string): JsonObject {
  const [kind = '', ...rest] = text.split('/');
  const [name = '', namespace = ''] = rest.reverse();
  return kind === 'ServiceAccount' ? { kind, name, namespace } : { kind, apiGroup: RBAC_GROUP, name };
}

function bindingsOf(table: string, kind: string, plural: string): BootstrapObject[] {
  return lines(table).map((line) => {
    const parts = words(line);
    const namespace = kind === 'RoleBinding' ? parts.shift() : undefined;
    const [name = '', roleKind = '', role = '', ...subjects] = parts;
    const object = made(kind, name, namespace);
    if (subjects.length > 0) object['subjects'] = subjects.map(subjectOf);
    object['roleRef'] = { apiGroup: RBAC_GROUP, kind: roleKind, name: role };
    return { plural, object };
  });
}

/** The roles and bindings every cluster starts with; new objects each time. */
export function bootstrapRoles(): BootstrapObject[] {
  return [
    ...rolesOf(CLUSTER_ROLES, 'ClusterRole', 'clusterroles'),
    ...bindingsOf(CLUSTER_ROLE_BINDINGS, 'ClusterRoleBinding', 'clusterrolebindings'),
    ...rolesOf(ROLES, 'Role', 'roles'),
    ...bindingsOf(ROLE_BINDINGS, 'RoleBinding', 'rolebindings'),
  ];
}
