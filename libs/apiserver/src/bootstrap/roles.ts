import type { JsonObject } from '@capstan/meta';
import type { Founding } from './bootstrap-object.js';
import { CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS } from './roles.table.js';

/** The API group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
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

const ANNOTATIONS = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };

/** A manager that sets a list or a reference here owns all of it; of an aggregation rule the field inside. */
function fieldsOf(body: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const key of Object.keys(body)) {
    if (body[key] === null) continue;
    fields[`f:${key}`] = key === 'aggregationRule' ? { '.': {}, 'f:clusterRoleSelectors': {} } : {};
  }
  return fields;
}

interface Named {
  readonly kind: string;
  readonly plural: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

function founding(named: Named, aggregatedTo: readonly string[], body: JsonObject): Founding {
  const labels: Record<string, string> = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
  for (const role of aggregatedTo) labels[`${AGGREGATE}${role}`] = 'true';
  return { group: RBAC_GROUP, ...named, labels, annotations: ANNOTATIONS, body, fields: fieldsOf(body) };
}

function rolesOf(table: string, kind: string, plural: string): Founding[] {
  const out: Founding[] = [];
  let rules: JsonObject[] = [];
  for (const line of lines(table)) {
    if (line.startsWith(' ')) {
      rules.push(ruleOf(line));
      continue;
    }
    const parts = words(line);
    const namespace = kind === 'Role' ? parts.shift() : undefined;
    const [name = '', ...traits] = parts;
    const isMadeOfOthers = traits.find((trait) => trait.startsWith('='));
    const aggregatedTo = traits.filter((trait) => trait.startsWith('+')).map((trait) => trait.slice(1));
    rules = [];
    const body: JsonObject = { rules: isMadeOfOthers === undefined ? rules : null };
    if (isMadeOfOthers !== undefined) {
      const matchLabels = { [`${AGGREGATE}${isMadeOfOthers.slice(1)}`]: 'true' };
      body['aggregationRule'] = { clusterRoleSelectors: [{ matchLabels }] };
    }
    out.push(founding({ kind, plural, name, namespace }, aggregatedTo, body));
  }
  return out;
}

function subjectOf(text: string): JsonObject {
  const [kind = '', ...rest] = text.split('/');
  const [name = '', namespace = ''] = rest.reverse();
  return kind === 'ServiceAccount' ? { kind, name, namespace } : { kind, apiGroup: RBAC_GROUP, name };
}

function bindingsOf(table: string, kind: string, plural: string): Founding[] {
  return lines(table).map((line) => {
    const parts = words(line);
    const namespace = kind === 'RoleBinding' ? parts.shift() : undefined;
    const [name = '', roleKind = '', role = '', ...subjects] = parts;
    const roleRef = { apiGroup: RBAC_GROUP, kind: roleKind, name: role };
    const body = subjects.length === 0 ? { roleRef } : { subjects: subjects.map(subjectOf), roleRef };
    return founding({ kind, plural, name, namespace }, [], body);
  });
}

let known: readonly Founding[] | undefined;

/** The roles and bindings every cluster starts with. */
export function bootstrapRoles(): readonly Founding[] {
  known ??= [
    ...rolesOf(CLUSTER_ROLES, 'ClusterRole', 'clusterroles'),
    ...bindingsOf(CLUSTER_ROLE_BINDINGS, 'ClusterRoleBinding', 'clusterrolebindings'),
    ...rolesOf(ROLES, 'Role', 'roles'),
    ...bindingsOf(ROLE_BINDINGS, 'RoleBinding', 'rolebindings'),
  ];
  return known;
}
