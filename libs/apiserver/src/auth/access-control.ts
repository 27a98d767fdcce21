import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { Store } from '../store/index.js';
import { adminsOnly, requireAllowed, userOf, type Authenticator, type Authorizer } from '../system/access.js';
import { escalationGuard, type WriteGuard } from './escalation.js';
import { RbacIndex } from './rbac.js';

export interface AccessOptions {
  readonly store: Store;
  readonly authenticate: Authenticator | undefined;
  /** Decides instead of what `authorization` names. */
  readonly authorize: Authorizer | undefined;
  readonly authorization: 'admins-only' | 'rbac';
}

/** Who is asking, and what they may. */
export class AccessControl {
  readonly authorize: Authorizer;
  /** Absent where roles do not count. */
  readonly rbac: RbacIndex | undefined;
  readonly #authenticate: Authenticator | undefined;

  constructor({ store, authenticate, authorize, authorization }: AccessOptions) {
    const rbac = authorization === 'rbac' ? new RbacIndex(store) : undefined;
    this.rbac = rbac;
    this.authorize = authorize ?? (rbac === undefined ? adminsOnly : (user, asked) => rbac.authorize(user, asked));
    this.#authenticate = authenticate;
  }

  /** The user of a request, or whom that user stands in for; throws Unauthorized or Forbidden. */
  userOf(request: ApiRequest, info: RequestInfo): UserInfo {
    return userOf(request, info, this.#authenticate, this.authorize);
  }

  /** What else must hold for a write whose verb is allowed. */
  guard(user: UserInfo, info: RequestInfo): WriteGuard {
    const { rbac, authorize } = this;
    const escalation = rbac === undefined ? undefined : escalationGuard({ user, info, rbac, authorize });
    return (next, old) => {
      // A PUT or an apply that makes the object is a create besides.
      if (old === undefined && info.verb !== 'create') requireAllowed(user, { ...info, verb: 'create' }, authorize);
      escalation?.(next, old);
    };
  }
}
