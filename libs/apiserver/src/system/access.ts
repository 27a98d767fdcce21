import { apiErrors, goStringSlice } from '@capstan/meta';
import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';

/** Finds out who is asking: a user, nobody in particular, or somebody with credentials that do not hold. */
export type Authenticator = (request: ApiRequest) => UserInfo | 'anonymous' | 'refused';

/** Decides whether a user may; the reason is shown to whoever may not. */
export type Authorizer = (user: UserInfo, info: RequestInfo) => { readonly allowed: boolean; readonly reason?: string };

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

/** Bearer tokens from a fixed table. A token that is not in it is refused, not taken for nobody's. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, UserInfo>): Authenticator {
  return (request) => {
    const header = request.headers['authorization'];
    if (header === undefined || header === '') return 'anonymous';
    const [scheme = '', token = ''] = header.split(' ');
    if (scheme.toLowerCase() !== 'bearer' || token === '') return 'anonymous';
    return tokens.get(token) ?? 'refused';
  };
}

/** The user of a request, or whom that user stands in for; throws Unauthorized or Forbidden. */
export function userOf(request: ApiRequest, authenticate: Authenticator | undefined): UserInfo {
  const user = authenticated(request, authenticate);
  return request.headers['impersonate-user'] === undefined && request.headers['impersonate-group'] === undefined
    ? user
    : impersonated(request, user);
}

function authenticated(request: ApiRequest, authenticate: Authenticator | undefined): UserInfo {
  if (request.user !== undefined) return request.user;
  if (authenticate === undefined) return IN_PROCESS;
  const user = authenticate(request);
  if (user === 'refused') throw apiErrors.unauthorized();
  return user === 'anonymous' ? ANONYMOUS : user;
}

/** Only administrators may act for others; whoever they act for has no more rights than that one would have. */
function impersonated(request: ApiRequest, actor: UserInfo): UserInfo {
  const username = request.headers['impersonate-user'] ?? '';
  const groups = (request.headers['impersonate-group'] ?? '').split(', ').filter((group) => group !== '');
  if (username === '') {
    const requested = `&user.DefaultInfo{Name:"", UID:"", Groups:${goStringSlice(groups)}, Extra:map[string][]string(nil)}`;
    throw apiErrors.badRequest(`requested ${requested} without impersonating a user name`);
  }
  if (!actor.groups.includes('system:masters')) {
    throw apiErrors.forbiddenRequest({
      user: actor.username,
      verb: 'impersonate',
      resource: { group: '', resource: 'users' },
      name: username,
    });
  }
  const everyone = username === ANONYMOUS.username ? 'system:unauthenticated' : 'system:authenticated';
  return { username, groups: groups.includes(everyone) ? groups : [...groups, everyone] };
}

/** Throws Forbidden unless the user may. */
export function requireAllowed(user: UserInfo, info: RequestInfo, authorize: Authorizer): void {
  const { allowed, reason } = authorize(user, info);
  if (allowed) return;
  const { verb, group, resource, subresource, namespace, name, path } = info;
  const denied = info.isResource
    ? { user: user.username, verb, resource: { group, resource }, subresource, namespace, name }
    : { user: user.username, verb, path };
  throw apiErrors.forbiddenRequest(denied, reason ?? '');
}
