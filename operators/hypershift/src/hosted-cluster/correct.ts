import type { HostedCluster } from '@capstan/api/hypershift';
import { annotated, correctionOf, HOSTED_CLUSTERS, turnOf } from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import type { HostedClusterDependencies } from './state.js';

/**
 * Marks a HostedCluster by the objects of its control plane, and corrects annotations that contradict each other. Returns
 * it when it is this operator's from now on, before anything is created for it; undefined when it is not.
 */
export async function correct(
  { logger, recorder, turns }: HostedClusterDependencies,
  before: HostedCluster,
  { signal, state }: { readonly state: 'invalid' | 'unmarked'; readonly signal: AbortSignal },
): Promise<HostedCluster | undefined> {
  const evidence = await turns.evidence(before, signal);
  const correction = correctionOf(before, evidence);
  const { name = '', namespace, uid = '' } = before.metadata;
  const found = { namespace, name, standard: evidence.standard, private: evidence.private };
  const report = (action: string): void => {
    logger.warn('Invalid annotation state detected', { ...found, action });
    const { apiVersion, kind } = before;
    const message = `The annotations of the migration are invalid: ${action}`;
    recorder.record(
      { apiVersion, kind, name, namespace, uid },
      { type: 'Warning', reason: 'InvalidAnnotationState', message },
    );
  };
  if ('problem' in correction) {
    report(`${correction.problem}; nothing is changed`);
    return undefined;
  }
  // The event must not be emitted for a write that was refused.
  const after = await patchFrom(
    turns.client,
    HOSTED_CLUSTERS,
    { before, after: annotated(before, correction.changes) },
    { optimisticLock: true, signal },
  );
  if (state === 'invalid') report(correction.because);
  else logger.info('HostedCluster marked', { ...found, because: correction.because });
  return turnOf(turns.mode, after).do === 'reconcile' ? after : undefined;
}
