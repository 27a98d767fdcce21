import type { GroupMapping } from '@capstan/translate';
import type { WebhookClientConfig, WebhookService } from '@capstan/translate/mirror';
import { BadConfiguration } from '../errors.js';

/** Another converter of standard kinds. */
export interface Delegate {
  /** As people call it: `capi-system/capi-webhook-service`, or its address. */
  readonly name: string;
  /** `https://host:port`. */
  readonly server: string;
  readonly path: string;
  /** PEM; absent: the CAs that the shim trusts anyway. */
  readonly caPem?: string | undefined;
}

const HTTPS_PORT = 443;
const SERVICE = /^([a-z0-9][-a-z0-9]*)\/([a-z0-9][-a-z0-9]*)(?::(\d{1,5}))?(\/.*)?$/;

/** The webhook that a definition names, as the API server would reach it. */
export function delegateOf({ caBundle, service, url }: WebhookClientConfig): Delegate | undefined {
  const caPem = pemOf(caBundle);
  const found = service === undefined ? fromUrl(url ?? '') : fromService(service);
  return found === undefined ? undefined : { ...found, ...(caPem === undefined ? {} : { caPem }) };
}

/** Delegates by the standard name of their group, from `GROUP=URL` and `GROUP=NAMESPACE/NAME[:PORT][/PATH]`. */
export function readDelegates(texts: readonly string[], mapping: GroupMapping): ReadonlyMap<string, Delegate> {
  const delegates = new Map<string, Delegate>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    const [named, target] = [text.slice(0, Math.max(0, equals)), text.slice(equals + 1)];
    const side = mapping.side(named);
    if (side === undefined)
      throw new BadConfiguration(`${text}: ${JSON.stringify(named)} is no group with a private name`);
    const group = side === 'private' ? mapping.swap(named) : named;
    if (delegates.has(group)) throw new BadConfiguration(`${text}: ${group} has a delegate already`);
    const delegate = readTarget(target);
    if (delegate === undefined)
      throw new BadConfiguration(
        `${text}: ${JSON.stringify(target)} is neither a URL with https nor a service as namespace/name[:port][/path]`,
      );
    delegates.set(group, delegate);
  }
  return delegates;
}

function readTarget(text: string): Delegate | undefined {
  if (text.includes('://')) return fromUrl(text);
  const [, namespace, name, port, path] = SERVICE.exec(text) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  return fromService({ namespace, name, path, ...(port === undefined ? {} : { port: Number(port) }) });
}

function fromService({ name, namespace, path = '/convert', port = HTTPS_PORT }: WebhookService): Delegate {
  const slashed = path.startsWith('/') ? path : `/${path}`;
  return { name: `${namespace}/${name}`, server: `https://${name}.${namespace}.svc:${port}`, path: slashed };
}

function fromUrl(text: string): Delegate | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' || url.username !== '') return undefined;
  return { name: text, server: url.origin, path: url.pathname + url.search };
}

/** A bundle that nobody has filled in is a blank line. */
function pemOf(caBundle: string | undefined): string | undefined {
  if (caBundle === undefined) return undefined;
  const pem = Buffer.from(caBundle, 'base64').toString();
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : undefined;
}
