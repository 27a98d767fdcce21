import { Manager, matchesObject } from '@capstan/kube';
import type { CertificateAuthority, ManagerOptions, Result } from '@capstan/kube';
import { ignoreNotFound, isConflict, isNotFound, readCertificateRequest } from '@capstan/meta';
import { hasCondition, requestPemOf, SIGNING_REQUESTS, withCondition } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';
import { addCsrApproving } from './csr-approving.js';
import { isSigned, signerFault } from './signer-rules.js';

export interface SignerOptions extends ManagerOptions {
  readonly ca: CertificateAuthority;
  /** How long what it issues is good at most. Default 30 days. */
  readonly validForMs?: number | undefined;
}

const DAY_MS = 86_400_000;
const MIN_VALID_MS = 600_000;
const CONFLICT_MS = 2_000;
const USAGES: Readonly<Record<string, 'client' | 'server'>> = { 'client auth': 'client', 'server auth': 'server' };

/** What is to be done about a request. */
export type SigningDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'sign' }
  /** It is refused for good. */
  | { readonly do: 'fail'; readonly message: string };

/** Whether a request waits for a signer of ours. */
export function awaitsSigning(request: SigningRequest): boolean {
  if (!isSigned(request.spec.signerName)) return false;
  const isApproved = hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
  return isApproved && !hasCondition(request, 'Failed') && (request.status?.certificate ?? '') === '';
}

/** What the signer of a request does about it. An approval alone is not enough. */
export function decideSigning(request: SigningRequest): SigningDecision {
  if (!awaitsSigning(request)) return { do: 'nothing' };
  try {
    const message = signerFault(request, readCertificateRequest(requestPemOf(request)));
    return message === undefined ? { do: 'sign' } : { do: 'fail', message };
  } catch (error) {
    return { do: 'fail', message: error instanceof Error ? error.message : String(error) };
  }
}

/** How long a certificate is good: as asked, but ten minutes at least and no longer than the signer issues any. */
export function validityMs({ spec: { expirationSeconds } }: SigningRequest, longestMs: number): number {
  if (expirationSeconds === undefined) return longestMs;
  return Math.min(Math.max(expirationSeconds * 1000, MIN_VALID_MS), longestMs);
}

/**
 * The certificate controllers of a kube-controller-manager: `csrsigning`, which signs what was approved for clients and
 * kubelets, and `csrapproving`, which lets nodes renew their certificates.
 */
export function certificateControllers(options: SignerOptions): Manager {
  const { ca, validForMs = 30 * DAY_MS, ...rest } = options;
  const manager = new Manager(rest);
  const random = manager.random.split('serial numbers');
  const sign = (request: SigningRequest): SigningRequest => {
    const usages = (request.spec.usages ?? []).flatMap((usage) => USAGES[usage] ?? []);
    const now = manager.clock.now();
    const signing = { usages, validForMs: validityMs(request, validForMs), now, random };
    const certificate = Buffer.from(ca.sign(requestPemOf(request), signing)).toString('base64');
    return { ...request, status: { ...request.status, certificate } };
  };
  const controller = manager.controller({
    name: 'certificate-signer',
    reconcile: async ({ name }, { logger, signal }): Promise<Result | undefined> => {
      const request = await manager.cache.get<SigningRequest>(SIGNING_REQUESTS, name).catch(ignoreNotFound);
      if (request === undefined) return undefined;
      const decision = decideSigning(request);
      if (decision.do === 'nothing') return undefined;
      if (decision.do === 'fail') logger.info('certificate signing request not signed', { reason: decision.message });
      const next =
        decision.do === 'sign'
          ? sign(request)
          : withCondition(request, manager.clock, {
              type: 'Failed',
              reason: 'SignerValidationFailure',
              message: decision.message,
            });
      try {
        await manager.client.update(SIGNING_REQUESTS, next, { subresource: 'status', signal });
      } catch (error) {
        // Another client was faster, or what was read was stale: the next reconcile finds out.
        if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
        if (!isNotFound(error)) throw error;
      }
      return undefined;
    },
  });
  // Neither what waits to be approved needs a look, nor what was signed here.
  controller.for<SigningRequest>(SIGNING_REQUESTS, { predicates: [matchesObject(awaitsSigning)] });
  addCsrApproving(manager);
  return manager;
}
