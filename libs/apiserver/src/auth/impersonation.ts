import { apiErrors, goQuote, goStringSlice } from '@capstan/meta';
import type { ApiRequest, UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { Authorizer } from './access.js';
import { requireMode, serviceAccountOf, type ImpersonationMode, type WantedUser } from './impersonation-modes.js';

/** The group of every authenticated user. */
export const AUTHENTICATED = 'system:authenticated';
/** The group of clients without credentials. */
export const UNAUTHENTICATED = 'system:unauthenticated';
const ANONYMOUS_NAME = 'system:anonymous';
const EXTRA_PREFIX = 'impersonate-extra-';

/** The acting user, and the impersonation mode if that is not the client itself. */
export interface StandIn {
  readonly user: UserInfo;
  readonly mode?: ImpersonationMode;
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

function wantedOf({ headers }: ApiRequest): WantedUser | undefined {
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

function nameless({ uid, groups, extra }: WantedUser): Error {
  const entries = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => `${goQuote(key)}:${goSlice(list)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  const shown = `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${goSlice(groups)}, Extra:${map}}`;
  return apiErrors.badRequest(`requested ${shown} without impersonating a user name`);
}

function groupsOf({ username, groups }: WantedUser, mode: ImpersonationMode): readonly string[] {
  if (username === ANONYMOUS_NAME) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  const all = groups.length === 0 ? ownGroups(username, mode) : groups;
  return all.includes(AUTHENTICATED) || all.includes(UNAUTHENTICATED) ? all : [...all, AUTHENTICATED];
}

/** The groups that follow from a user name. */
function ownGroups(username: string, mode: ImpersonationMode): readonly string[] {
  if (mode === 'associated-node' || mode === 'arbitrary-node') return ['system:nodes'];
  const account = serviceAccountOf(username);
  return account === undefined ? [] : serviceAccountGroups(account.namespace);
}

/** The impersonated user, or the actor; throws when that is not allowed. Only the impersonated user's permissions apply. */
export function impersonated(request: ApiRequest, actor: UserInfo, info: RequestInfo, authorize: Authorizer): StandIn {
  const wanted = wantedOf(request);
  if (wanted === undefined) return { user: actor };
  if (wanted.username === '') throw nameless(wanted);
  const mode = requireMode({ actor, wanted, info }, authorize);
  const { username, uid, extra } = wanted;
  const user = {
    username,
    groups: groupsOf(wanted, mode),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return { user, mode };
}
