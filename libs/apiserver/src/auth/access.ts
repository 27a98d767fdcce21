import { apiErrors } from '@capstan/meta';
import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';

/** Identifies the client: a user, anonymous without credentials, refused with invalid ones. */
export type Authenticator = (request: ApiRequest) => UserInfo | 'anonymous' | 'refused';

/** What a client wants to do. */
export type AccessAttributes = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path'
> &
  Partial<Pick<RequestInfo, 'fieldSelector'>>;

/** Whether it is allowed, and why. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Decides whether a user is allowed to; the reason is shown to users who are not. */
export type Authorizer = (user: UserInfo, asked: AccessAttributes) => Decision;

export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
/** Calls within the process that name no user are the server's own. */
export const IN_PROCESS: UserInfo = {
  username: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

const PUBLIC_PATHS = /^\/(?:healthz|livez|readyz|version)(?:\/|$)/;

/** Administrators may do everything, all others only look at health and version. */
export const adminsOnly: Authorizer = (user, info) => ({
  allowed:
    user.groups.includes('system:masters') || (!info.isResource && info.verb === 'get' && PUBLIC_PATHS.test(info.path)),
});

/** The bearer token of a request. */
export function bearerToken(request: ApiRequest): string | undefined {
  const [scheme = '', token = ''] = (request.headers['authorization'] ?? '').trim().split(' ');
  return scheme.toLowerCase() !== 'bearer' || token === '' ? undefined : token;
}

/** Bearer tokens from a fixed table. A token that is not in it is refused, not taken for nobody's. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, UserInfo>): Authenticator {
  return (request) => {
    const token = bearerToken(request);
    return token === undefined ? 'anonymous' : (tokens.get(token) ?? 'refused');
  };
}

/** The user of a request; throws Unauthorized. */
export function authenticated(request: ApiRequest, authenticate: Authenticator | undefined): UserInfo {
  if (request.user !== undefined) return request.user;
  if (authenticate === undefined) return IN_PROCESS;
  const user = authenticate(request);
  if (user === 'refused') throw apiErrors.unauthorized();
  return user === 'anonymous' ? ANONYMOUS : user;
}

/** What is made of decisions besides obeying them. */
export type DecisionObserver = (decision: Decision) => void;

/** Throws Forbidden unless the user may. */
export function requireAllowed(
  user: UserInfo,
  info: RequestInfo,
  authorize: Authorizer,
  observe?: DecisionObserver,
): void {
  const decision = authorize(user, info);
  observe?.(decision);
  const { allowed, reason } = decision;
  if (allowed) return;
  const { verb, group, resource, subresource, namespace, name, path } = info;
  const denied = info.isResource
    ? { user: user.username, verb, resource: { group, resource }, subresource, namespace, name }
    : { user: user.username, verb, path };
  throw apiErrors.forbiddenRequest(denied, reason ?? '');
}
