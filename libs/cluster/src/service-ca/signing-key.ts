import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { Clock, Random } from '@capstan/meta';
import { createCa, loadCa } from '@capstan/kube';
import type { CertificateAuthority, Client } from '@capstan/kube';
import { NAMESPACES, SECRETS } from '../workload/resources.js';
import type { Secret } from './serving.js';

export const CA_NAMESPACE = 'openshift-service-ca';
export const CA_SECRET = 'signing-key';
const DAY_MS = 86_400_000;
const VALID_FOR_MS = 790 * DAY_MS;
/** Certificates live two years; a CA that ends before them is worth less each day. */
const MIN_LEFT_MS = 30 * DAY_MS;

/** Whether a CA will last a while. */
export function isLasting({ endsAt }: CertificateAuthority, nowMs: number): boolean {
  return endsAt - nowMs > MIN_LEFT_MS;
}

/** The CA kept in a secret; undefined when there is none, or none of use. */
export function readCa(secret: Secret | undefined, nowMs: number): CertificateAuthority | undefined {
  const decoded = (key: string): string => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
  try {
    const ca = loadCa({ certPem: decoded('tls.crt'), keyPem: decoded('tls.key') });
    return isLasting(ca, nowMs) ? ca : undefined;
  } catch {
    return undefined;
  }
}

export interface SigningKeyOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
}

/** The CA of the cluster's services: the one that is kept, or a new one that is kept from now on. */
export async function ensureCa({ client, clock, random }: SigningKeyOptions): Promise<CertificateAuthority> {
  const existing = await client.get<Secret>(SECRETS, CA_SECRET, { namespace: CA_NAMESPACE }).catch(ignoreNotFound);
  const now = clock.now();
  const kept = readCa(existing, now);
  if (kept !== undefined) return kept;
  const commonName = `openshift-service-serving-signer@${Math.floor(now / 1000)}`;
  const fresh = createCa({ commonName, now, validForMs: VALID_FOR_MS, random });
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: CA_SECRET, namespace: CA_NAMESPACE, ...existing?.metadata },
    type: existing?.type ?? 'kubernetes.io/tls',
    data: { ...existing?.data, 'tls.crt': encoded(fresh.certPem), 'tls.key': encoded(fresh.keyPem) },
  };
  if (existing !== undefined) {
    await client.update(SECRETS, secret);
    return fresh;
  }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: CA_NAMESPACE } };
  await client.create(NAMESPACES, namespace).catch(ignoreExisting);
  try {
    await client.create(SECRETS, secret);
    return fresh;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // Another was quicker, and there is only one CA.
    return ensureCa({ client, clock, random });
  }
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
