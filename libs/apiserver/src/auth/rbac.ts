import { goQuote } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import type { Store, StoreEvent } from '../store/index.js';
import type { AccessAttributes, Decision } from '../system/access.js';
import { ClusterRoles } from './cluster-roles.js';
import { ruleAllows, rulesOf, type PolicyRule } from './rules.js';

/** The API group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
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

interface Grant {
  readonly binding: string;
  /** Empty for those of the whole cluster. */
  readonly namespace: string;
  readonly role: RoleRef;
  /** For the reason of an allowance: `Group "system:authenticated"`. */
  readonly subject: string;
}

/** Rules and what kept further ones from being found. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  /** Roles that bindings name and nobody made. */
  readonly missing: readonly RoleRef[];
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

/** The grants of one scope by subject: `U` and a user name, or `G` and a group. */
class Grants {
  readonly #bySubject = new Map<string, Grant[]>();

  add(key: string, grant: Grant): void {
    const list = this.#bySubject.get(key);
    if (list === undefined) this.#bySubject.set(key, [grant]);
    else list.push(grant);
  }

  remove(key: string, binding: string): void {
    const left = this.#bySubject.get(key)?.filter((grant) => grant.binding !== binding) ?? [];
    if (left.length === 0) this.#bySubject.delete(key);
    else this.#bySubject.set(key, left);
  }

  of(key: string): readonly Grant[] {
    return this.#bySubject.get(key) ?? NO_GRANTS;
  }
}

/** The stored roles and bindings, indexed by whom they concern, always as new as the store. */
export class RbacIndex {
  readonly #store: Store;
  readonly #clusterRoles: ClusterRoles;
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterGrants = new Grants();
  readonly #grants = new Map<string, Grants>();

  constructor(store: Store) {
    this.#store = store;
    this.#clusterRoles = new ClusterRoles();
    this.#follow(CLUSTER_ROLES, (object, isThere) => this.#clusterRoles.set(object, isThere));
    this.#follow(ROLES, (object, isThere) => {
      const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
      if (isThere) this.#roles.set(key, rulesOf(object['rules']));
      else this.#roles.delete(key);
    });
    this.#follow(CLUSTER_ROLE_BINDINGS, (object, isThere) => this.#setBinding(this.#clusterGrants, object, isThere));
    this.#follow(ROLE_BINDINGS, (object, isThere) => {
      const { namespace = '' } = object.metadata;
      let grants = this.#grants.get(namespace);
      if (grants === undefined) this.#grants.set(namespace, (grants = new Grants()));
      this.#setBinding(grants, object, isThere);
    });
  }

  /** Whether the roles of the user allow it; the reason tells by which binding, or what could not be looked up. */
  authorize(user: UserInfo, asked: AccessAttributes): Decision {
    if (user.groups.includes(MASTERS)) return { allowed: true };
    const missing: string[] = [];
    for (const grant of this.#grantsOf(user, asked.namespace)) {
      const rules = this.rulesOfRole(grant.role, grant.namespace);
      if (rules === undefined) missing.push(missingRoleText(grant.role));
      else if (rules.some((rule) => ruleAllows(rule, asked)))
        return { allowed: true, reason: `RBAC: allowed by ${grantText(grant)}` };
    }
    return missing.length === 0 ? { allowed: false } : { allowed: false, reason: `RBAC: ${joinedTexts(missing)}` };
  }

  /** Everything a user may do in a namespace (empty: cluster-wide alone), in the order of the bindings' names. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const grants = [...this.#grantsOf(user, namespace)].sort(
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
      const found = this.rulesOfRole(grant.role, grant.namespace);
      if (found === undefined) missing.push(grant.role);
      else rules.push(...found);
    }
    return { rules, missing };
  }

  /** The rules a binding in the namespace would give; undefined when there is no such role. */
  rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return kind === 'ClusterRole' ? this.#clusterRoles.rules(name) : this.#roles.get(`${namespace}/${name}`);
  }

  *#grantsOf(user: UserInfo, namespace: string): Generator<Grant, void, void> {
    yield* this.#clusterGrants.of(`U${user.username}`);
    for (const group of user.groups) yield* this.#clusterGrants.of(`G${group}`);
    const local = namespace === '' ? undefined : this.#grants.get(namespace);
    if (local === undefined) return;
    yield* local.of(`U${user.username}`);
    for (const group of user.groups) yield* local.of(`G${group}`);
  }

  #setBinding(grants: Grants, object: KubeObject, isThere: boolean): void {
    const { name = '', namespace = '' } = object.metadata;
    const ref = object['roleRef'] as { kind?: string; name?: string } | undefined;
    const role = { kind: ref?.kind ?? '', name: ref?.name ?? '' };
    for (const subject of (object['subjects'] ?? []) as Subject[]) {
      const { key, text } = subjectOf(subject, namespace);
      if (!isThere) grants.remove(key, name);
      else grants.add(key, { binding: name, namespace, role, subject: text });
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

function subjectOf(subject: Subject, bindingNamespace: string): { key: string; text: string } {
  const { kind, name } = subject;
  if (kind === 'Group') return { key: `G${name}`, text: `Group ${goQuote(name)}` };
  if (kind === 'User') return { key: `U${name}`, text: `User ${goQuote(name)}` };
  const namespace = subject.namespace || bindingNamespace;
  return {
    key: `Usystem:serviceaccount:${namespace}:${name}`,
    text: `ServiceAccount ${goQuote(`${name}/${namespace}`)}`,
  };
}

function grantText({ binding, namespace, role, subject }: Grant): string {
  const [kind, name] = namespace === '' ? ['ClusterRoleBinding', binding] : ['RoleBinding', `${binding}/${namespace}`];
  return `${kind} ${goQuote(name)} of ${role.kind} ${goQuote(role.name)} to ${subject}`;
}
