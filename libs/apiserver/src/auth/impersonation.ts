import { apiErrors, goQuote, goStringSlice } from '@capstan/meta';
import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { AccessAttributes, Authorizer } from '../system/access.js';

/** Whoever has credentials. */
export const AUTHENTICATED = 'system:authenticated';
/** Whoever has none. */
export const UNAUTHENTICATED = 'system:unauthenticated';
const ANONYMOUS_NAME = 'system:anonymous';
const EXTRA_PREFIX = 'impersonate-extra-';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

interface Wanted {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** A header that came several times arrives as one. */
function values(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(', ').filter((value) => value !== '');
}

function extraKey(header: string): string {
  const key = header.slice(EXTRA_PREFIX.length);
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key;
  }
}

function wantedOf({ headers }: ApiRequest): Wanted | undefined {
  const extra: Record<string, readonly string[]> = {};
  let isWanted = false;
  for (const name in headers) {
    if (!name.startsWith('impersonate-') || headers[name] === undefined) continue;
    isWanted = true;
    if (name.startsWith(EXTRA_PREFIX)) extra[extraKey(name)] = values(headers[name]);
  }
  if (!isWanted) return undefined;
  return {
    username: headers['impersonate-user'] ?? '',
    uid: headers['impersonate-uid'] ?? '',
    groups: values(headers['impersonate-group']),
    extra,
  };
}

function goSlice(list: readonly string[]): string {
  return list.length === 0 ? '[]string(nil)' : goStringSlice(list);
}

function nameless({ uid, groups, extra }: Wanted): Error {
  const entries = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => `${goQuote(key)}:${goSlice(list)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  const shown = `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${goSlice(groups)}, Extra:${map}}`;
  return apiErrors.badRequest(`requested ${shown} without impersonating a user name`);
}

/** Everything the actor must be allowed to impersonate, one by one. */
function checksOf(wanted: Wanted): AccessAttributes[] {
  const base = {
    isResource: true,
    verb: 'impersonate',
    version: 'v1',
    group: '',
    namespace: '',
    subresource: '',
    path: '',
  };
  const review = { ...base, group: 'authentication.k8s.io' };
  const [, namespace, account] = SERVICE_ACCOUNT.exec(wanted.username) ?? [];
  const user =
    namespace === undefined || account === undefined
      ? { ...base, resource: 'users', name: wanted.username }
      : { ...base, resource: 'serviceaccounts', namespace, name: account };
  return [
    user,
    ...wanted.groups.map((name) => ({ ...base, resource: 'groups', name })),
    ...Object.entries(wanted.extra).flatMap(([subresource, list]) =>
      list.map((name) => ({ ...review, resource: 'userextras', subresource, name })),
    ),
    ...(wanted.uid === '' ? [] : [{ ...review, resource: 'uids', name: wanted.uid }]),
  ];
}

function groupsOf({ username, groups }: Wanted): readonly string[] {
  if (username === ANONYMOUS_NAME) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  const [, namespace] = SERVICE_ACCOUNT.exec(username) ?? [];
  const all = groups.length === 0 && namespace !== undefined ? serviceAccountGroups(namespace) : groups;
  return all.includes(AUTHENTICATED) || all.includes(UNAUTHENTICATED) ? all : [...all, AUTHENTICATED];
}

/** Whom the actor stands in for, or the actor; throws when that is not allowed. The stand-in has only the other's rights. */
export function impersonated(request: ApiRequest, actor: UserInfo, info: RequestInfo, authorize: Authorizer): UserInfo {
  const wanted = wantedOf(request);
  if (wanted === undefined) return actor;
  if (wanted.username === '') throw nameless(wanted);
  for (const check of checksOf(wanted)) {
    const { allowed, reason } = authorize(actor, check);
    if (allowed) continue;
    // Newer servers name the finer right they asked for before the older one.
    const mode = SERVICE_ACCOUNT.test(wanted.username) ? 'serviceaccount' : 'user-info';
    const { group, resource, subresource, namespace, name, path } = info;
    const denied = { user: actor.username, verb: `impersonate-on:${mode}:${info.verb}` };
    throw apiErrors.forbiddenRequest(
      info.isResource
        ? { ...denied, resource: { group, resource }, subresource, namespace, name }
        : { ...denied, path },
      reason ?? '',
    );
  }
  const { username, uid, extra } = wanted;
  return {
    username,
    groups: groupsOf(wanted),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
