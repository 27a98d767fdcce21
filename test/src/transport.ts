import { anonymous, fixedCredentials, HttpTransport } from '@capstan/kube';
import type { ServerAccess } from '@capstan/tools';

/** A transport to a server, authenticated by its token where it has one. */
export function transportTo({ caPem, token, url }: ServerAccess): HttpTransport {
  const credentials =
    token === undefined ? anonymous() : fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
}
