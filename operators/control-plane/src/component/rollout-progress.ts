import { isRolledOut } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';

/** A StatefulSet without progress for so long is stuck; the default of `progressDeadlineSeconds` of Deployments. */
export const PROGRESS_DEADLINE_MS = 600_000;

interface Observed {
  readonly workload: Workload;
  /** Of the last progress. */
  readonly sinceMs: number;
}

/**
 * When rollouts last made progress, by control plane and component. Kubernetes reports that of Deployments alone. A
 * process that starts gives every rollout the whole deadline again.
 */
export class RolloutProgress {
  readonly #observed = new Map<string, Map<string, Observed>>();

  /** When the rollout last made progress, as far as this process has observed it. */
  since(owner: string, name: string, workload: Workload, nowMs: number): number {
    const ofOwner = this.#observed.get(owner) ?? new Map<string, Observed>();
    this.#observed.set(owner, ofOwner);
    const before = ofOwner.get(name);
    const sinceMs = before === undefined || hasProgressed(before.workload, workload) ? nowMs : before.sinceMs;
    ofOwner.set(name, { workload, sinceMs });
    return sinceMs;
  }

  forget(owner: string): void {
    this.#observed.delete(owner);
  }
}

const COUNTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

/**
 * Whether a rollout has moved on: another one began, or more pods are updated, ready or available. One that was complete
 * begins again when it no longer is.
 */
export function hasProgressed(before: Workload, after: Workload): boolean {
  if (isRolledOut(before) || identityOf(before) !== identityOf(after)) return true;
  return COUNTS.some((count) => (after.status?.[count] ?? 0) > (before.status?.[count] ?? 0));
}

/** Identifies one rollout of one object. */
function identityOf({ metadata: { generation, uid }, status }: Workload): string {
  return `${uid ?? ''} ${generation ?? 0} ${status?.updateRevision ?? ''}`;
}
