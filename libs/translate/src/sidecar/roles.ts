import type { KubeObject } from '@capstan/meta';
import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import { translate } from '../requests/translator.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** Whether an object is a Role or a ClusterRole. */
export function isRole({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'rbac.authorization.k8s.io/v1' && (kind === 'Role' || kind === 'ClusterRole');
}

/**
 * A role of a program as the server must have it for a proxy that asks in its place: the same, of private groups. It is
 * translated the way it would be if the program itself created it through the proxy. A rule for all groups is refused: it
 * would grant the platform's own, and private groups are rules themselves, which no list of groups can stand for.
 */
export function privateRole(role: KubeObject, mapping: GroupMapping): KubeObject {
  refuseAllGroups(role);
  const target = role.kind === 'Role' ? `${RBAC}/namespaces/any/roles` : `${RBAC}/clusterroles`;
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const request = translate(mapping).request({ method: 'POST', target, headers });
  if ('refuse' in request) throw new TypeError(`roles are not translated: ${request.refuse.status}`);
  const body = request.body();
  if (body === 'pass') return role;
  const chunks = [...body.push(Buffer.from(JSON.stringify(role))), ...body.end()];
  return JSON.parse(Buffer.concat(chunks).toString()) as KubeObject;
}

function refuseAllGroups(role: KubeObject): void {
  const rules = (role['rules'] ?? []) as readonly { readonly apiGroups?: readonly string[] | null }[];
  const at = rules.findIndex(({ apiGroups }) => apiGroups?.includes('*') === true);
  if (at < 0) return;
  const called = `${role.kind} ${role.metadata.name ?? ''}`;
  throw new TranslationError(
    'HIDDEN',
    `${called}: rules[${at}].apiGroups has "*", which grants the platform's own Cluster API as well; list the groups that the component needs`,
  );
}
