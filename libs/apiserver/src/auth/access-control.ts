import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { Store } from '../store/index.js';
import {
  ANONYMOUS,
  adminsOnly,
  bearerToken,
  authenticated,
  requireAllowed,
  type Authenticator,
  type Authorizer,
} from './access.js';
import { impersonated, type StandIn } from './impersonation.js';
import { escalationGuard, type WriteGuard } from './escalation.js';
import { NodeAuthorizer } from './node-authorizer.js';
import { nodeNameOf } from './node-identity.js';
import { MASTERS, RbacIndex, type ResolvedRules } from './rbac.js';
import { rulesOf } from './rules.js';
import type { ServiceAccountTokens, Verified } from './service-account-tokens.js';

export interface AccessOptions {
  readonly store: Store;
  readonly authenticate?: Authenticator | undefined;
  /** Decides instead of what `authorization` names. */
  readonly authorize?: Authorizer | undefined;
  readonly authorization: 'admins-only' | 'rbac';
  readonly tokens: ServiceAccountTokens;
}

const EVERYTHING = rulesOf([
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]);
const INVALID = 'invalid bearer token';
const NODE_RULES_UNKNOWN = 'node authorizer does not support user rule resolution';

/** Who is asking, and what they may. */
export class AccessControl {
  readonly authorize: Authorizer;
  readonly tokens: ServiceAccountTokens;
  /** Absent where roles do not count. */
  readonly #rbac: RbacIndex | undefined;
  readonly #fixed: Authenticator | undefined;
  readonly #authenticate: Authenticator | undefined;

  constructor({ store, authenticate, authorize, authorization, tokens }: AccessOptions) {
    const rbac = authorization === 'rbac' ? new RbacIndex(store) : undefined;
    this.#rbac = rbac;
    this.authorize = authorize ?? (rbac === undefined ? adminsOnly : nodesAndRoles(new NodeAuthorizer(store), rbac));
    this.tokens = tokens;
    this.#fixed = authenticate;
    this.#authenticate = authenticate && withServiceAccounts(authenticate, tokens);
  }

  /** The user of a request; throws Unauthorized. */
  actor(request: ApiRequest): UserInfo {
    return authenticated(request, this.#authenticate);
  }

  /** Whom the user of a request stands in for, or that user; throws Forbidden. */
  standIn(request: ApiRequest, actor: UserInfo, info: RequestInfo): StandIn {
    return impersonated(request, actor, info, this.authorize);
  }

  /** Whose bearer token it is and for which of the audiences (the server's own by default) it is valid. */
  review(given: string, audiences: readonly string[]): Verified {
    const wanted = audiences.length === 0 ? this.tokens.audiences : audiences;
    const request: ApiRequest = { method: 'GET', target: '/', headers: { authorization: `Bearer ${given}` } };
    const token = bearerToken(request);
    // Who shows what would be no token in a request is nobody, and as such known.
    if (token === undefined) return { user: ANONYMOUS, audiences: wanted };
    // Fixed tokens are meant for this server alone.
    const shared = this.tokens.audiences.filter((audience) => wanted.includes(audience));
    if (shared.length > 0) {
      const user = this.#fixed?.(request);
      if (user !== undefined && typeof user !== 'string') return { user, audiences: shared };
    }
    const verified = this.tokens.verify(token, wanted);
    if (verified === undefined) return { error: INVALID };
    return 'error' in verified ? { error: `[${INVALID}, ${verified.error}]` } : verified;
  }

  /** Everything the user may do in a namespace. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    if (this.#rbac !== undefined) {
      const ofRoles = this.#rbac.rulesFor(user, namespace);
      return nodeNameOf(user) === undefined ? ofRoles : { ...ofRoles, incomplete: NODE_RULES_UNKNOWN };
    }
    return { rules: user.groups.includes(MASTERS) ? EVERYTHING : [], missing: [] };
  }

  /** What else must hold for a write whose verb is allowed. */
  guard(user: UserInfo, info: RequestInfo): WriteGuard {
    const rbac = this.#rbac;
    const { authorize } = this;
    const escalation = rbac === undefined ? undefined : escalationGuard({ user, info, rbac, authorize });
    return (next, old) => {
      // A PUT or an apply that makes the object is a create besides.
      if (old === undefined && info.verb !== 'create') requireAllowed(user, { ...info, verb: 'create' }, authorize);
      escalation?.(next, old);
    };
  }
}

/** What a real server decides with `--authorization-mode=Node,RBAC`. */
function nodesAndRoles(nodes: NodeAuthorizer, rbac: RbacIndex): Authorizer {
  return (user, asked) => {
    const node = nodeNameOf(user);
    if (node === undefined) return rbac.authorize(user, asked);
    const first = nodes.authorize(node, asked);
    if (first.allowed) return first;
    const second = rbac.authorize(user, asked);
    if (second.allowed) return second;
    return { allowed: false, reason: [first.reason, second.reason].filter(Boolean).join('\n') };
  };
}

/** Looks for a service account in what the first does not know. */
function withServiceAccounts(first: Authenticator, tokens: ServiceAccountTokens): Authenticator {
  return (request) => {
    const found = first(request);
    const token = found === 'refused' ? bearerToken(request) : undefined;
    if (token === undefined) return found;
    const verified = tokens.verify(token);
    return verified === undefined || 'error' in verified ? 'refused' : verified.user;
  };
}
