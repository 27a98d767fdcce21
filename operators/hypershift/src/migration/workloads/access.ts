import { patchFrom } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { privateRole } from '@capstan/translate/sidecar';
import type { GroupMapping } from '@capstan/translate';
import { ROLES } from '../../kinds.js';
import type { Migration } from '../model.js';

interface Role extends KubeObject {
  readonly rules?: readonly Rule[] | null;
}

interface Rule {
  readonly apiGroups?: readonly string[];
}

/** The Role with each rule about standard groups a second time, about the private ones. */
export function withPrivateRules(role: Role, mapping: GroupMapping): Role {
  const rules = role.rules ?? [];
  const standard = rules.filter((rule) => isAbout(rule, mapping, 'standard'));
  if (standard.length === 0) return role;
  const { rules: swapped } = privateRole({ ...role, rules: standard }, mapping) as Role;
  const added = (swapped ?? []).filter((rule) => !rules.some((each) => deepEqual(each, rule)));
  return added.length === 0 ? role : { ...role, rules: [...rules, ...added] };
}

/**
 * The Role with each rule about private groups about the standard ones instead. An operator that wrote it through the proxy
 * meanwhile has left no other: its components start before that operator has written it again.
 */
export function withoutPrivateRules(role: Role, mapping: GroupMapping): Role {
  const rules = role.rules ?? [];
  const kept = rules.filter((rule) => !isAbout(rule, mapping, 'private'));
  if (kept.length === rules.length) return role;
  const back = rules
    .filter((rule) => isAbout(rule, mapping, 'private'))
    .map((rule) => standardRule(rule, mapping))
    .filter((rule) => !kept.some((each) => deepEqual(each, rule)));
  return { ...role, rules: [...kept, ...back] };
}

function standardRule({ apiGroups = [], ...rule }: Rule, mapping: GroupMapping): Rule {
  const standard = apiGroups.map((group) => (mapping.side(group) === 'private' ? mapping.swap(group) : group));
  return { ...rule, apiGroups: standard };
}

function isAbout({ apiGroups = [] }: Rule, mapping: GroupMapping, side: 'private' | 'standard'): boolean {
  return apiGroups.some((group) => mapping.side(group) === side);
}

/** Adds or removes the rules about private groups in every Role of the control plane. */
export async function privateAccess(
  { namespace, parts: { client, mapping }, signal }: Migration,
  change: 'add' | 'remove',
): Promise<void> {
  const { items } = await client.list<Role>(ROLES, { namespace, signal });
  for (const before of items) {
    const after = change === 'add' ? withPrivateRules(before, mapping) : withoutPrivateRules(before, mapping);
    await patchFrom(client, ROLES, { before, after }, { optimisticLock: true, signal });
  }
}
