import type { MigrationSettings } from './settings.js';
import type { StepAction } from './model.js';
import type { FailureReason } from './reasons.js';
import {
  carryChangesBack,
  giveBack,
  removeCopies,
  removeSidecars,
  restart,
  revert,
  stopPrivate,
} from './rollback/steps.js';
import { operatorImage, restoreOperatorImage } from './steps/cpo-image.js';
import { commit, compare, release, removeOriginals } from './steps/finish.js';
import { acknowledge, acknowledgeRollback, baseline, pause, scaleDown, settle } from './steps/hold.js';
import { access, copy } from './steps/move.js';
import { scaleUp, sidecars, unpause, verify } from './steps/resume.js';

/** A step of a migration, and what happens when it has waited too long. */
export interface Step {
  readonly name: string;
  /** As the user reads it, while the step is under way. */
  readonly title: string;
  readonly run: StepAction;
  readonly limit?: { readonly ms: keyof MigrationSettings; readonly reason: FailureReason } | undefined;
  /** A step that has waited too long is left as it is. */
  readonly isBestEffort?: boolean | undefined;
}

/** Of steps that wait for nothing: a request of theirs that is refused for good must not keep a cluster locked. */
const REFUSED: Step['limit'] = { ms: 'stepLimitMs', reason: 'step-failed' };

/** From standard to private types. Every step but the commit can be undone; all can be done again. */
export const FORWARD: readonly Step[] = [
  {
    name: 'acknowledge',
    title: 'stop both operators',
    run: acknowledge,
    limit: { ms: 'acknowledgeLimitMs', reason: 'acknowledge-timeout' },
  },
  {
    name: 'settle',
    title: 'wait for deletions',
    run: settle,
    limit: { ms: 'deletionLimitMs', reason: 'deletion-timeout' },
  },
  {
    name: 'cpo-image',
    title: 'check the control plane operator',
    run: operatorImage,
    limit: { ms: 'operatorImageLimitMs', reason: 'cpo-unsupported' },
  },
  { name: 'baseline', title: 'record health', run: baseline, limit: REFUSED },
  { name: 'pause', title: 'pause Cluster API', run: pause, limit: REFUSED },
  {
    name: 'scale-down',
    title: 'scale down',
    run: scaleDown,
    limit: { ms: 'scaleDownLimitMs', reason: 'scale-down-timeout' },
  },
  { name: 'access', title: 'grant permissions', run: access, limit: REFUSED },
  {
    name: 'copy',
    title: 'copy objects',
    run: copy,
    limit: { ms: 'copyLimitMs', reason: 'resource-conversion-failed' },
  },
  { name: 'sidecars', title: 'add sidecars', run: sidecars, limit: REFUSED },
  {
    name: 'scale-up',
    title: 'scale up',
    run: scaleUp,
    limit: { ms: 'scaleUpLimitMs', reason: 'deployment-timeout' },
  },
  { name: 'unpause', title: 'unpause Cluster API', run: unpause, limit: REFUSED },
  {
    name: 'verify',
    title: 'verify health',
    run: verify,
    limit: { ms: 'healthLimitMs', reason: 'health-check-timeout' },
  },
  { name: 'compare', title: 'compare originals', run: compare, limit: REFUSED },
  { name: 'commit', title: 'commit', run: commit, limit: REFUSED },
];

/** What is left once the cluster is on private types: retried until it is done. */
export const FINISH: readonly Step[] = [
  { name: 'remove-originals', title: 'delete standard objects', run: removeOriginals },
  { name: 'release', title: 'release the lock', run: release },
];

/** Back to standard types, from wherever the migration failed: retried until it is done. */
export const ROLLBACK: readonly Step[] = [
  { name: 'acknowledge', title: 'stop both operators', run: acknowledgeRollback },
  { name: 'stop-private', title: 'stop private controllers', run: stopPrivate },
  { name: 'carry-back', title: 'carry changes back', run: carryChangesBack },
  { name: 'revert', title: 'return to standard types', run: revert },
  { name: 'remove-sidecars', title: 'remove sidecars', run: removeSidecars },
  { name: 'restore-image', title: 'restore the control plane operator', run: restoreOperatorImage },
  {
    name: 'restart',
    title: 'start standard controllers',
    run: restart,
    limit: { ms: 'scaleUpLimitMs', reason: 'deployment-timeout' },
    isBestEffort: true,
  },
  { name: 'remove-copies', title: 'delete private objects', run: removeCopies },
  { name: 'give-back', title: 'release the lock', run: giveBack },
];

/** The steps of each phase. */
export const STEPS_OF = { forward: FORWARD, finish: FINISH, rollback: ROLLBACK } as const;
