import { goQuote, pushAll } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import type { Store, StoreEvent } from '../store/index.js';
import { RBAC_GROUP } from '../bootstrap/roles.js';
import type { AccessAttributes, Decision } from './access.js';
import { ClusterRoles } from './cluster-roles.js';
import { ruleAllows, rulesOf, type PolicyRule } from './rules.js';

/** Members may do everything, whatever the roles say. */
export const MASTERS = 'system:masters';

const ROLES = `${RBAC_GROUP}/roles`;
const CLUSTER_ROLES = `${RBAC_GROUP}/clusterroles`;
const ROLE_BINDINGS = `${RBAC_GROUP}/rolebindings`;
const CLUSTER_ROLE_BINDINGS = `${RBAC_GROUP}/clusterrolebindings`;

/** Which role a binding gives. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A slot for a role of a namespace, whether or not that exists: grants hold on to it. */
interface RoleSlot {
  rules: readonly PolicyRule[] | undefined;
}

interface Grant {
  readonly binding: string;
  /** Empty for those of the whole cluster. */
  readonly namespace: string;
  readonly role: RoleRef;
  /** Where the rules are, when the role is one of the namespace. */
  readonly local: RoleSlot;
  /** For the reason of an allowance: `Group "system:authenticated"`. */
  readonly subject: string;
  /** The decision for everything it allows; created when it first does. */
  decision: Decision | undefined;
}

/** Rules and what kept further ones from being found. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  /** Roles that bindings name and nobody made. */
  readonly missing: readonly RoleRef[];
  /** Why there may be more. */
  readonly incomplete?: string;
}

/** `role.rbac.authorization.k8s.io "x" not found` */
export function missingRoleText({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.${RBAC_GROUP} ${goQuote(name)} not found`;
}

/** Several errors as one text. */
export function joinedTexts(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

const NO_GRANTS: readonly Grant[] = [];
const ALLOWED: Decision = { allowed: true };
const DENIED: Decision = { allowed: false };

/** Whom a binding is for. */
interface Grantee {
  readonly isGroup: boolean;
  readonly name: string;
}

/** The grants of one scope by subject. Users and groups are kept apart, so that no key has to be made to ask. */
class Grants {
  readonly #users = new Map<string, readonly Grant[]>();
  readonly #groups = new Map<string, readonly Grant[]>();

  add({ isGroup, name }: Grantee, grant: Grant): void {
    const grants = isGroup ? this.#groups : this.#users;
    grants.set(name, [...(grants.get(name) ?? NO_GRANTS), grant]);
  }

  remove({ isGroup, name }: Grantee, binding: string): void {
    const grants = isGroup ? this.#groups : this.#users;
    const left = grants.get(name)?.filter((grant) => grant.binding !== binding) ?? [];
    if (left.length === 0) grants.delete(name);
    else grants.set(name, left);
  }

  ofUser(name: string): readonly Grant[] {
    return this.#users.get(name) ?? NO_GRANTS;
  }

  ofGroup(name: string): readonly Grant[] {
    return this.#groups.get(name) ?? NO_GRANTS;
  }
}

/** The stored roles and bindings, indexed by whom they concern, always as new as the store. */
export class RbacIndex {
  readonly #store: Store;
  readonly #clusterRoles: ClusterRoles;
  readonly #roles = new Map<string, RoleSlot>();
  readonly #clusterGrants = new Grants();
  readonly #grants = new Map<string, Grants>();

  constructor(store: Store) {
    this.#store = store;
    this.#clusterRoles = new ClusterRoles();
    this.#follow(CLUSTER_ROLES, (object, isThere) => this.#clusterRoles.set(object, isThere));
    this.#follow(ROLES, (object, isThere) => {
      const { namespace = '', name = '' } = object.metadata;
      this.#slot(namespace, name).rules = isThere ? rulesOf(object['rules']) : undefined;
    });
    this.#follow(CLUSTER_ROLE_BINDINGS, (object, isThere) => this.#setBinding(this.#clusterGrants, object, isThere));
    this.#follow(ROLE_BINDINGS, (object, isThere) => {
      const { namespace = '' } = object.metadata;
      let grants = this.#grants.get(namespace);
      if (grants === undefined) this.#grants.set(namespace, (grants = new Grants()));
      this.#setBinding(grants, object, isThere);
    });
  }

  /** Whether the roles of the user allow it; the reason names the binding, or what could not be looked up. */
  authorize(user: UserInfo, asked: AccessAttributes): Decision {
    if (user.groups.includes(MASTERS)) return ALLOWED;
    const missing: RoleRef[] = [];
    let found = this.#search(this.#clusterGrants, user, asked, missing);
    const local = asked.namespace === '' ? undefined : this.#grants.get(asked.namespace);
    if (found === undefined && local !== undefined) found = this.#search(local, user, asked, missing);
    if (found !== undefined)
      return (found.decision ??= { allowed: true, reason: `RBAC: allowed by ${grantText(found)}` });
    if (missing.length === 0) return DENIED;
    return { allowed: false, reason: `RBAC: ${joinedTexts(missing.map(missingRoleText))}` };
  }

  /** Everything a user may do in a namespace (empty: cluster-wide alone), in the order of the bindings' names. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const grants = this.#grantsOf(user, namespace).sort(
      (a, b) => byText(a.namespace, b.namespace) || byText(a.binding, b.binding),
    );
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    // A binding may reach a user in more than one way.
    const seen = new Set<string>();
    for (const grant of grants) {
      const key = `${grant.namespace}/${grant.binding}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const found = this.#rulesOfGrant(grant);
      if (found === undefined) missing.push(grant.role);
      else pushAll(rules, found);
    }
    return { rules, missing };
  }

  /** The rules a binding in the namespace would give; undefined when there is no such role. */
  rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return kind === 'ClusterRole' ? this.#clusterRoles.rules(name) : this.#roles.get(`${namespace}/${name}`)?.rules;
  }

  /** The first grant of the user that allows it. The hot path: nothing is made on the way. */
  #search(grants: Grants, user: UserInfo, asked: AccessAttributes, missing: RoleRef[]): Grant | undefined {
    let found = this.#firstAllowing(grants.ofUser(user.username), asked, missing);
    for (let at = 0; found === undefined && at < user.groups.length; at += 1)
      found = this.#firstAllowing(grants.ofGroup(user.groups[at] ?? ''), asked, missing);
    return found;
  }

  #firstAllowing(grants: readonly Grant[], asked: AccessAttributes, missing: RoleRef[]): Grant | undefined {
    for (const grant of grants) {
      const rules = this.#rulesOfGrant(grant);
      if (rules === undefined) missing.push(grant.role);
      else for (const rule of rules) if (ruleAllows(rule, asked)) return grant;
    }
    return undefined;
  }

  #rulesOfGrant({ role, local }: Grant): readonly PolicyRule[] | undefined {
    return role.kind === 'ClusterRole' ? this.#clusterRoles.rules(role.name) : local.rules;
  }

  #grantsOf({ username, groups }: UserInfo, namespace: string): Grant[] {
    const local = namespace === '' ? undefined : this.#grants.get(namespace);
    return [this.#clusterGrants, local].flatMap((grants) =>
      grants === undefined ? [] : [...grants.ofUser(username), ...groups.flatMap((group) => grants.ofGroup(group))],
    );
  }

  #slot(namespace: string, name: string): RoleSlot {
    const key = `${namespace}/${name}`;
    let slot = this.#roles.get(key);
    if (slot === undefined) this.#roles.set(key, (slot = { rules: undefined }));
    return slot;
  }

  #setBinding(grants: Grants, object: KubeObject, isThere: boolean): void {
    const { name = '', namespace = '' } = object.metadata;
    const ref = object['roleRef'] as { kind?: string; name?: string } | undefined;
    const role = { kind: ref?.kind ?? '', name: ref?.name ?? '' };
    for (const subject of (object['subjects'] ?? []) as Subject[]) {
      const { grantee, text } = subjectOf(subject, namespace);
      if (!isThere) grants.remove(grantee, name);
      else
        grants.add(grantee, {
          binding: name,
          namespace,
          role,
          local: this.#slot(namespace, role.name),
          subject: text,
          decision: undefined,
        });
    }
  }

  /** Shows every object that is there and every one that comes; before a change the state that goes. */
  #follow(resource: string, set: (object: KubeObject, isThere: boolean) => void): void {
    for (const stored of this.#store.list(resource).items) set(stored.object(), true);
    const listener = ({ type, current, previous }: StoreEvent): void => {
      if (previous !== undefined) set(previous.object(), false);
      if (type !== 'delete') set(current.object(), true);
    };
    this.#store.subscribe(listener, { resource });
  }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function subjectOf(subject: Subject, bindingNamespace: string): { grantee: Grantee; text: string } {
  const { kind, name } = subject;
  if (kind !== 'ServiceAccount')
    return { grantee: { isGroup: kind === 'Group', name }, text: `${kind} ${goQuote(name)}` };
  const namespace = subject.namespace || bindingNamespace;
  return {
    grantee: { isGroup: false, name: `system:serviceaccount:${namespace}:${name}` },
    text: `ServiceAccount ${goQuote(`${name}/${namespace}`)}`,
  };
}

function grantText({ binding, namespace, role, subject }: Grant): string {
  const [kind, name] = namespace === '' ? ['ClusterRoleBinding', binding] : ['RoleBinding', `${binding}/${namespace}`];
  return `${kind} ${goQuote(name)} of ${role.kind} ${goQuote(role.name)} to ${subject}`;
}
