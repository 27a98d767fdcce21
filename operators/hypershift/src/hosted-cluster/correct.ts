import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import { annotated, correctionOf, HOSTED_CLUSTERS, turnOf } from '@capstan/hosting';
import type { CapiEvidence } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import { cutText, formatTime } from '@capstan/meta';
import { MigrationError } from '@capstan/migration';
import { conditionsWith, UNREADABLE_REASON } from './conditions.js';
import type { HostedClusterDependencies } from './state.js';
import { reportUndecided } from './undecided.js';
import { replaceStatus } from './steps/write-status.js';

/**
 * Marks a HostedCluster by the objects of its control plane, and corrects annotations that contradict each other. Returns
 * it when it is this operator's from now on, before anything is created for it; undefined when it is not.
 */
export async function correct(
  dependencies: HostedClusterDependencies,
  before: HostedCluster,
  { signal, state }: { readonly state: 'invalid' | 'unmarked'; readonly signal: AbortSignal },
): Promise<HostedCluster | undefined> {
  const { logger, recorder, turns } = dependencies;
  const evidence = await readEvidence(dependencies, before, signal);
  if (evidence === undefined) return undefined;
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
    // It is looked at again and again, until a user decides: reported once.
    const isNew = await reportUndecided(dependencies, before, { problem: correction.problem, signal });
    if (isNew) report(`${correction.problem}; nothing is changed`);
    return undefined;
  }
  // The event must not be emitted for a write that was refused.
  const after = await new Converger({ client: turns.client, signal }).patch(
    HOSTED_CLUSTERS,
    before,
    annotated(before, correction.changes),
  );
  if (state === 'invalid') report(correction.because);
  else logger.info('HostedCluster marked', { ...found, because: correction.because });
  return turnOf(turns.mode, after).do === 'reconcile' ? after : undefined;
}

/** Which groups have objects; undefined, and a condition, where that cannot be read. */
async function readEvidence(
  dependencies: HostedClusterDependencies,
  hostedCluster: HostedCluster,
  signal: AbortSignal,
): Promise<CapiEvidence | undefined> {
  try {
    return await dependencies.turns.evidence(hostedCluster, signal);
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const finding = {
      type: 'ReconciliationActive',
      status: 'False',
      reason: UNREADABLE_REASON,
      message: cutText(error.message),
    } as const;
    const conditions = conditionsWith(hostedCluster, [finding], formatTime(dependencies.clock.now()));
    const status = { ...hostedCluster.status, conditions } as unknown as HostedClusterStatus;
    await replaceStatus({ dependencies, signal }, hostedCluster, status);
    return undefined;
  }
}
