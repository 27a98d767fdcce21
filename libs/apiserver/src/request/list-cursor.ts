import { JsonSyntaxError, apiErrors, parseJson } from '@capstan/meta';

const TOKEN_VERSION = 'meta.k8s.io/v1';
const BASE64URL = /^[A-Za-z0-9_-]*$/;

/** Where a paged list goes on. */
export interface ListCursor {
  /** The snapshot all pages belong to; -1: whatever is newest. */
  readonly revision: number;
  /** `namespace/name` or `name` after which to go on. */
  readonly after: { readonly namespace: string; readonly name: string };
}

/** Encodes a cursor as clients carry it around. */
export function encodeCursor(cursor: ListCursor, prefixNamespace: string): string {
  const { namespace, name } = cursor.after;
  // The key is relative to what the list covers, as the real server's.
  const key = namespace === '' || prefixNamespace !== '' ? name : `${namespace}/${name}`;
  const json = JSON.stringify({ v: TOKEN_VERSION, rv: cursor.revision, start: `/${key}\u0000` });
  return Buffer.from(json, 'utf8').toString('base64url');
}

function refuse(reason: string): Error {
  return apiErrors.badRequest(`invalid continue token: continue key is not valid: ${reason}`);
}

/** Decodes a cursor; every malformation is a 400 with the real server's words. */
export function decodeCursor(token: string, namespace: string, namespaced: boolean): ListCursor {
  if (!BASE64URL.test(token)) {
    const at = [...token].findIndex((character) => !BASE64URL.test(character));
    throw refuse(`illegal base64 data at input byte ${at}`);
  }
  // A single character holds no whole byte.
  if (token.length % 4 === 1) throw refuse(`illegal base64 data at input byte ${token.length - 1}`);
  const parsed = parseToken(Buffer.from(token, 'base64url'));
  if (parsed.v !== TOKEN_VERSION)
    throw refuse(`server does not recognize this encoded version ${typeof parsed.v === 'string' ? parsed.v : ''}`);
  const revision = Number(parsed.rv ?? 0);
  if (revision === 0 || !Number.isSafeInteger(revision))
    throw refuse(`incorrect encoded start resourceVersion (version ${TOKEN_VERSION})`);
  const start = typeof parsed.start === 'string' ? parsed.start : '';
  if (start === '') throw refuse(`encoded start key empty (version ${TOKEN_VERSION})`);
  // Older servers' tokens begin without the slash.
  const key = start.replace(/^\//, '').replace(/\u0000$/, '');
  return { revision, after: keyOf(key, namespace, namespaced) };
}

function parseToken(bytes: Uint8Array): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    const { value } = parseJson(bytes);
    return value !== null && typeof value === 'object' ? value : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refuse(error.message);
    throw error;
  }
}

function keyOf(key: string, namespace: string, namespaced: boolean): { namespace: string; name: string } {
  if (!namespaced) return { namespace: '', name: key };
  if (namespace !== '') return { namespace, name: key };
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
