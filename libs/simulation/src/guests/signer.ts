import { Manager, matchesObject, timestamp } from '@capstan/kube';
import type { CertificateAuthority, ManagerOptions, Result } from '@capstan/kube';
import { isConflict, isNotFound } from '@capstan/meta';
import { CLIENT_SIGNER, hasCondition, requestPemOf, SERVING_SIGNER, SIGNING_REQUESTS } from './certificate-requests.js';
import type { SigningRequest } from './certificate-requests.js';

export interface SignerOptions extends ManagerOptions {
  readonly authority: CertificateAuthority;
  /** How long what it issues is good. Default 30 days. */
  readonly validForMs?: number | undefined;
}

const DAY_MS = 86_400_000;
const CONFLICT_MS = 2_000;
const USAGES: Readonly<Record<string, 'client' | 'server'>> = { 'client auth': 'client', 'server auth': 'server' };

/** What is to be done about a request. */
export type SigningDecision = 'nothing' | 'sign';

/** Whether a signer of kubelets signs. */
export function decideSigning(request: SigningRequest): SigningDecision {
  const { signerName } = request.spec;
  if (signerName !== CLIENT_SIGNER && signerName !== SERVING_SIGNER) return 'nothing';
  if (!hasCondition(request, 'Approved') || hasCondition(request, 'Failed')) return 'nothing';
  return (request.status?.certificate ?? '') === '' ? 'sign' : 'nothing';
}

/** Signs what was approved for kubelets, as the controller manager of a cluster does. */
export function certificateSigner(options: SignerOptions): Manager {
  const { authority, validForMs = 30 * DAY_MS, ...rest } = options;
  const manager = new Manager(rest);
  const random = manager.random.split('serial numbers');
  const issue = (request: SigningRequest): object => {
    const seconds = request.spec.expirationSeconds;
    const usages = (request.spec.usages ?? []).flatMap((usage) => USAGES[usage] ?? []);
    const wantedMs = seconds === undefined ? validForMs : Math.min(seconds * 1000, validForMs);
    try {
      const now = manager.clock.now();
      const pem = authority.sign(requestPemOf(request), { usages, validForMs: wantedMs, now, random });
      return { certificate: Buffer.from(pem).toString('base64') };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const at = timestamp(manager.clock);
      const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
      const times = { lastUpdateTime: at, lastTransitionTime: at };
      return { conditions: [...(request.status?.conditions ?? []), { ...failed, ...times }] };
    }
  };
  const controller = manager.controller({
    name: 'certificate-signer',
    reconcile: async ({ name }, { signal }): Promise<Result | undefined> => {
      const request = await manager.cache.get<SigningRequest>(SIGNING_REQUESTS, name).catch(absent);
      if (request === undefined || decideSigning(request) !== 'sign') return undefined;
      const signed = { ...request, status: { ...request.status, ...issue(request) } };
      try {
        await manager.client.update(SIGNING_REQUESTS, signed, { subresource: 'status', signal });
      } catch (error) {
        // Somebody was faster, or what was read was old: another look tells which.
        if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
        if (!isNotFound(error)) throw error;
      }
      return undefined;
    },
  });
  // Neither what waits to be approved needs a look, nor what was signed here.
  controller.for<SigningRequest>(SIGNING_REQUESTS, {
    predicates: [matchesObject((request) => decideSigning(request) === 'sign')],
  });
  return manager;
}

function absent(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
