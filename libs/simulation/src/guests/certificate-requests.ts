import { sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { canonicalHash, isAlreadyExists } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { hasCondition, SIGNING_REQUESTS } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';

export interface AskOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly requestPem: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  /** Called with the name of the request once it is made. */
  readonly asked?: ((name: string) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** The first interval between reads, and the longest. */
const POLL_MS = [1_000, 3_000] as const;
const MAX_WAIT_MS = 15 * 60_000;

/** Requests a certificate and waits for it; undefined when it was denied, or not issued in time. */
export async function askForCertificate(options: AskOptions): Promise<string | undefined> {
  const { client, clock, requestPem, signal, signerName, usages } = options;
  // Named by its content: asked again after a lost answer it is the same request.
  const name = `node-csr-${canonicalHash(requestPem).slice(0, 40)}`;
  const request = Buffer.from(requestPem).toString('base64');
  const object = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request, signerName, usages },
  };
  await client.create(SIGNING_REQUESTS, object, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await options.asked?.(name);
  const until = clock.monotonic() + MAX_WAIT_MS;
  const [first, longest] = POLL_MS;
  let wait: number = first;
  while (clock.monotonic() < until && (await sleep(clock, wait, signal)) === 'elapsed') {
    wait = Math.min(2 * wait, longest);
    const asked = await client.get<SigningRequest>(SIGNING_REQUESTS, name, { signal });
    const { certificate = '' } = asked.status ?? {};
    if (certificate !== '') return Buffer.from(certificate, 'base64').toString('utf8');
    if (hasCondition(asked, 'Denied') || hasCondition(asked, 'Failed')) return undefined;
  }
  return undefined;
}
