import type { Login } from './pull-secret.js';
import type { RegistryResponse } from './transport.js';

/** Whom a registry wants to be asked for a token. */
export interface BearerChallenge {
  readonly realm: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const MOST_TOKEN_BYTES = 256 * 1024;

/** The challenge of `WWW-Authenticate: Bearer realm="…",service="…",scope="…"`; undefined when it is none. */
export function bearerChallenge(header: string | undefined): BearerChallenge | undefined {
  const [, text] = /^\s*Bearer\s+(.*)$/i.exec(header ?? '') ?? [];
  if (text === undefined) return undefined;
  const values: Record<string, string> = {};
  for (const [, name = '', quoted, plain] of text.matchAll(/(?<![\w-])([\w-]+)=(?:"([^"]*)"|([^\s,]+))/g))
    values[name.toLowerCase()] = quoted ?? plain ?? '';
  const { realm, ...parameters } = values;
  return realm === undefined || !/^https?:\/\//.test(realm) ? undefined : { realm, parameters };
}

/** `Authorization` of a login; undefined without one. */
export function basic(login: Login | undefined): string | undefined {
  if (login === undefined) return undefined;
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
}

/** Asks for a token; undefined when none is given, so that the registry's own refusal stands. */
export async function bearerToken(
  { parameters, realm }: BearerChallenge,
  login: Login | undefined,
  send: (url: string, headers: Readonly<Record<string, string>>) => Promise<RegistryResponse>,
): Promise<string | undefined> {
  const url = new URL(realm);
  for (const [name, value] of Object.entries(parameters)) if (name !== 'error') url.searchParams.set(name, value);
  const authorization = basic(login);
  const { body, status } = await send(url.href, authorization === undefined ? {} : { authorization });
  const text = await textOf(body);
  if (status !== 200) return undefined;
  const { access_token: access, token = access } = tokenOf(text);
  return typeof token === 'string' && token !== '' ? `Bearer ${token}` : undefined;
}

function tokenOf(text: string): { readonly token?: unknown; readonly access_token?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { token?: unknown };
  } catch {
    return {};
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_TOKEN_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
