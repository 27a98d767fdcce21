import type { ServerRelease } from '@capstan/crd-compat';
import type { Client } from '@capstan/kube';

interface VersionInfo {
  readonly minor?: string;
}

/** The release of the server, asked for once; undefined while it cannot be read, and then asked for again. */
export function serverRelease(client: Client): () => Promise<ServerRelease | undefined> {
  let known: Promise<ServerRelease | undefined> | undefined;
  const ask = async (): Promise<ServerRelease | undefined> => {
    const { body } = await client.request({ method: 'GET', target: '/version' });
    const { minor = '' } = (body.type === 'payload' ? body.value() : {}) as VersionInfo;
    const number = Number.parseInt(minor, 10);
    return Number.isNaN(number) ? undefined : { minor: number };
  };
  return () => {
    known ??= ask().catch(() => {
      known = undefined;
      return undefined;
    });
    return known;
  };
}
