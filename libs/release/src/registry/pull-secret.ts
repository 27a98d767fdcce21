import { ReleaseError } from '../errors.js';
import type { ImageReference } from './reference.js';

/** A name and a password, as HTTP has them. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

interface AuthEntry {
  readonly auth?: unknown;
  readonly username?: unknown;
  readonly password?: unknown;
}

/** Reads the text of `.dockerconfigjson`. */
export function parsePullSecret(text: string): ReadonlyMap<string, Login> {
  const auths = authsOf(text);
  const logins = new Map<string, Login>();
  for (const [where, entry] of Object.entries(auths)) {
    const login = loginOf(entry);
    if (login !== undefined) logins.set(hostOf(where), login);
  }
  return logins;
}

/** The login of the most specific entry: `registry/team/app` before `registry/team` before `registry`. */
export function loginFor(
  logins: ReadonlyMap<string, Login>,
  { registry, repository }: ImageReference,
): Login | undefined {
  const parts = [registry, ...repository.split('/')];
  for (let length = parts.length; length > 0; length -= 1) {
    const found = logins.get(parts.slice(0, length).join('/'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function authsOf(text: string): Record<string, AuthEntry> {
  try {
    const { auths } = JSON.parse(text) as { auths?: Record<string, AuthEntry> };
    if (typeof auths === 'object' && auths !== null && !Array.isArray(auths)) return auths;
  } catch (error) {
    // The text itself is secret: no word of it goes into a message.
    throw unreadable('is not JSON', error);
  }
  throw unreadable('has no "auths"');
}

function unreadable(what: string, cause?: unknown): ReleaseError {
  return new ReleaseError(
    'InvalidPullSecret',
    `the pull secret ${what}; it must hold {"auths":{"registry":{"auth":"…"}}}`,
    { cause },
  );
}

function loginOf(entry: AuthEntry): Login | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { auth, password, username } = entry;
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  if (typeof auth !== 'string') return undefined;
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Entries are also written as URLs, in an older habit with a version at the end. */
function hostOf(where: string): string {
  return where
    .replace(/^https?:\/\//, '')
    .replace(/\/v[12]\/?$/, '')
    .replace(/\/$/, '');
}
