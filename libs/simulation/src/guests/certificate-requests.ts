import { canonicalHash, isAlreadyExists } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { sleep, timestamp } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';

/** Requests for certificates. */
export const SIGNING_REQUESTS: ResourceKind = {
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  namespaced: false,
  kind: 'CertificateSigningRequest',
};
/** Signs for clients of the API server. */
export const API_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
/** Signs for kubelets as clients. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
/** Signs for kubelets as servers. */
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

/** A request for a certificate, as far as programs look at it. */
export interface SigningRequest extends KubeObject {
  readonly spec: {
    /** Base64 of the PEM. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
    readonly groups?: readonly string[];
    readonly expirationSeconds?: number;
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly certificate?: string;
  };
}

/** Whether the request has been decided on that way. */
export function hasCondition({ status }: SigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

/** A request with one more condition, which is true. */
export function withCondition(
  request: SigningRequest,
  clock: Clock,
  condition: { readonly type: 'Approved' | 'Failed'; readonly reason: string; readonly message: string },
): SigningRequest {
  const at = timestamp(clock);
  const added = { ...condition, status: 'True', lastUpdateTime: at, lastTransitionTime: at };
  return { ...request, status: { ...request.status, conditions: [...(request.status?.conditions ?? []), added] } };
}

/** The PEM of a request. */
export function requestPemOf({ spec }: SigningRequest): string {
  return Buffer.from(spec.request, 'base64').toString('utf8');
}

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

/** Looked at again after the first, then ever longer up to the second. */
const POLL_MS = [1_000, 3_000] as const;
const PATIENCE_MS = 15 * 60_000;

/** Asks for a certificate and waits for it; undefined when it was denied or nobody cared. */
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
  const until = clock.monotonic() + PATIENCE_MS;
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
