import { apiErrors, nameIsDnsSubdomain } from '@capstan/meta';
import type { UserInfo } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import type { AccessAttributes, Authorizer } from './access.js';

/** The user to impersonate, as the headers name it. */
export interface WantedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A way to be allowed to; the finer ones also ask what for. */
export type ImpersonationMode = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const NODE_PREFIX = 'system:node:';
const NODE_NAME_KEY = 'authentication.kubernetes.io/node-name';

/** Namespace and name of the service account that is called so. */
export function serviceAccountOf(username: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

function nodeOf(username: string): string | undefined {
  if (!username.startsWith(NODE_PREFIX)) return undefined;
  const name = username.slice(NODE_PREFIX.length);
  return nameIsDnsSubdomain(name, false).length === 0 ? name : undefined;
}

/** A request to impersonate a user. */
export interface Wish {
  readonly actor: UserInfo;
  readonly wanted: WantedUser;
  /** What the actor wants to do as the other. */
  readonly info: RequestInfo;
}

function nodeModes(node: string, actor: UserInfo): ImpersonationMode[] {
  const [own, ...others] = actor.extra?.[NODE_NAME_KEY] ?? [];
  const isOwn = own === node && others.length === 0 && serviceAccountOf(actor.username) !== undefined;
  return isOwn ? ['associated-node', 'arbitrary-node'] : ['arbitrary-node'];
}

/** The modes that fit who is wanted, the finest first. Everything but the name of a node or an account is the server's. */
function modesFor({ wanted, actor }: Wish): ImpersonationMode[] {
  const { username, uid, groups, extra } = wanted;
  const node = nodeOf(username);
  const isAccount = serviceAccountOf(username) !== undefined;
  if (node === undefined && !isAccount) return ['user-info', 'legacy'];
  if (uid !== '' || groups.length > 0 || Object.keys(extra).length > 0) return ['legacy'];
  return [...(node === undefined ? (['serviceaccount'] as const) : nodeModes(node, actor)), 'legacy'];
}

/** The mode by which the actor may stand in for the other; throws the first refusal when there is none. */
export function requireMode(wish: Wish, authorize: Authorizer): ImpersonationMode {
  let refused: Error | undefined;
  for (const mode of modesFor(wish)) {
    const refusal = refusalOf(mode, wish, authorize);
    if (refusal === undefined) return mode;
    refused ??= refusal;
  }
  throw refused ?? apiErrors.internal('all impersonation modes failed');
}

function refusalOf(mode: ImpersonationMode, { actor, wanted, info }: Wish, authorize: Authorizer): Error | undefined {
  const asked = mode === 'legacy' ? [] : [{ ...info, verb: `impersonate-on:${mode}:${info.verb}` }];
  for (const check of [...asked, ...checksOf(mode, wanted)]) {
    const { allowed, reason } = authorize(actor, check);
    if (!allowed) return forbidden(actor, check, reason ?? '');
  }
  return undefined;
}

function forbidden(actor: UserInfo, check: AccessAttributes, reason: string): Error {
  const { verb, group, resource, subresource, namespace, name, path } = check;
  const user = actor.username;
  return apiErrors.forbiddenRequest(
    check.isResource
      ? { user, verb, resource: { group, resource }, subresource, namespace, name }
      : { user, verb, path },
    reason,
  );
}

/** Everything the actor must be allowed to be, one by one. */
function checksOf(mode: ImpersonationMode, wanted: WantedUser): AccessAttributes[] {
  const verb = mode === 'legacy' ? 'impersonate' : `impersonate:${mode}`;
  const own = { isResource: true, verb, version: 'v1', namespace: '', subresource: '', path: '' };
  const review = { ...own, group: 'authentication.k8s.io' };
  const base = mode === 'legacy' ? { ...own, group: '' } : review;
  return [
    { ...base, ...nameCheck(mode, wanted.username) },
    ...wanted.groups.map((name) => ({ ...base, resource: 'groups', name })),
    ...Object.entries(wanted.extra).flatMap(([subresource, list]) =>
      list.map((name) => ({ ...review, resource: 'userextras', subresource, name })),
    ),
    ...(wanted.uid === '' ? [] : [{ ...review, resource: 'uids', name: wanted.uid }]),
  ];
}

function nameCheck(mode: ImpersonationMode, username: string): { resource: string; name: string; namespace?: string } {
  const account = serviceAccountOf(username);
  if (account !== undefined) return { resource: 'serviceaccounts', ...account };
  // Whichever node it runs on: a right to one's own node is not a right to a certain one.
  if (mode === 'associated-node') return { resource: 'nodes', name: '*' };
  const node = mode === 'arbitrary-node' ? nodeOf(username) : undefined;
  return node === undefined ? { resource: 'users', name: username } : { resource: 'nodes', name: node };
}
