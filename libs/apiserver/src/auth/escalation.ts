import { apiErrors, deepEqual, goQuote } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { Authorizer } from './access.js';
import { MASTERS, type RbacIndex, type RoleRef } from './rbac.js';
import { RBAC_GROUP } from '../bootstrap/roles.js';
import { goQuotedList, missingRules, rightsText, rulesOf, type PolicyRule } from './rules.js';

/** Who writes which role or binding, and how to find out what they may. */
export interface EscalationContext {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly rbac: RbacIndex;
  readonly authorize: Authorizer;
}

/** Sees an object before it is written, and what it replaces; throws to refuse. */
export type WriteGuard = (next: KubeObject, old: KubeObject | undefined) => void;

const FULL_AUTHORITY: readonly PolicyRule[] = rulesOf([
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]);
/** What the garbage collector writes to let an object go. */
const COLLECTED_FIELDS = ['ownerReferences', 'finalizers', 'managedFields', 'resourceVersion'];

/** The guard of a write of roles or bindings: no user grants permissions they lack. Undefined: nothing to guard. */
export function escalationGuard(context: EscalationContext): WriteGuard | undefined {
  const { user, info } = context;
  if (info.group !== RBAC_GROUP || info.subresource !== '' || user.groups.includes(MASTERS)) return undefined;
  switch (info.resource) {
    case 'roles':
    case 'clusterroles':
      return (next, old) => guardRole(context, next, old);
    case 'rolebindings':
    case 'clusterrolebindings':
      return (next, old) => guardBinding(context, next, old);
    default:
      return undefined;
  }
}

function guardRole(context: EscalationContext, next: KubeObject, old: KubeObject | undefined): void {
  const { user, info, authorize } = context;
  if (isOnlyCollected(next, old) || authorize(user, { ...info, verb: 'escalate' }).allowed) return;
  const isAggregated = next['aggregationRule'] != null || old?.['aggregationRule'] != null;
  const { name = '' } = next.metadata;
  if (isAggregated && lacking(context, FULL_AUTHORITY) !== undefined)
    throw refusal(info, name, 'must have cluster-admin privileges to use the aggregationRule');
  refuseLacking(context, name, rulesOf(next['rules']));
}

function guardBinding(context: EscalationContext, next: KubeObject, old: KubeObject | undefined): void {
  if (isOnlyCollected(next, old)) return;
  const { user, info, rbac, authorize } = context;
  const ref = next['roleRef'] as Partial<RoleRef> | undefined;
  const role = { kind: ref?.kind ?? '', name: ref?.name ?? '' };
  const resource = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (authorize(user, { ...info, verb: 'bind', resource, name: role.name }).allowed) return;
  const rules = rbac.rulesOfRole(role, info.namespace);
  // The role is looked for under the resource of the request.
  if (rules === undefined) throw apiErrors.notFound({ group: RBAC_GROUP, resource: info.resource }, role.name);
  refuseLacking(context, next.metadata.name ?? '', rules);
}

function refuseLacking(context: EscalationContext, name: string, rules: readonly PolicyRule[]): void {
  const reason = lacking(context, rules);
  if (reason !== undefined) throw refusal(context.info, name, reason);
}

function refusal(info: RequestInfo, name: string, reason: string): Error {
  return apiErrors.forbidden({ group: RBAC_GROUP, resource: info.resource }, name, reason);
}

/** What the user would give away without having it, in the server's words. */
function lacking({ user, info, rbac }: EscalationContext, rules: readonly PolicyRule[]): string | undefined {
  const owned = rbac.rulesFor(user, info.namespace);
  const missing = missingRules(owned.rules, rules);
  if (missing.length === 0) return undefined;
  const unresolved = owned.missing.map((role) => `${info.resource}.${RBAC_GROUP} ${goQuote(role.name)} not found`);
  const errors = unresolved.length === 0 ? '' : `; resolution errors: [${unresolved.join(' ')}]`;
  const who = `user ${goQuote(user.username)} (groups=${goQuotedList(user.groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${rightsText(missing)}${errors}`;
}

/** The garbage collector must be able to delete objects without holding their permissions. */
function isOnlyCollected(next: KubeObject, old: KubeObject | undefined): boolean {
  if (old === undefined) return false;
  const strip = ({ metadata, ...rest }: KubeObject): unknown => {
    const kept = Object.entries(metadata).filter(([key]) => !COLLECTED_FIELDS.includes(key));
    return { ...rest, metadata: Object.fromEntries(kept) };
  };
  return deepEqual(strip(next), strip(old));
}
