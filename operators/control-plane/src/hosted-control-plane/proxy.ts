import type { Client } from '@capstan/kube';
import { hasNativeSidecars } from '@capstan/translate/sidecar';
import type { ApiProxy } from '../component/definition.js';
import type { ProxySettings } from '../settings.js';

/** How the API proxy is added to pods, undefined where it is not: read once from the settings and the API server. */
export type ReadProxy = (signal: AbortSignal) => Promise<ApiProxy | undefined>;

/** Reads it; a server that cannot be read is asked again the next time. */
export function proxyReader(settings: ProxySettings | undefined, client: Pick<Client, 'request'>): ReadProxy {
  let known: ApiProxy | undefined;
  return async (signal) => {
    if (settings === undefined) return undefined;
    const { image, native } = settings;
    known ??= { image, native: native ?? (await serverHasNativeSidecars(client, signal)) };
    return known;
  };
}

async function serverHasNativeSidecars(client: Pick<Client, 'request'>, signal: AbortSignal): Promise<boolean> {
  const { body } = await client.request({ method: 'GET', target: '/version', signal });
  const { major = '', minor = '' } = (body.type === 'payload' ? body.value() : {}) as Partial<Record<string, string>>;
  return hasNativeSidecars({ major, minor });
}
