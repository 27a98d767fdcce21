import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, mark } from '../conditions/conditions.js';
import type { CoreKind } from '../kinds.js';
import { annotations } from '../names.js';
import type { Cluster, Conditioned } from '../types.js';
import type { PatchHelperOptions } from './patch-helper.js';
import { PatchHelper } from './patch-helper.js';

/** Whether an object is not to be touched. */
export function isPaused(cluster: Cluster, object: Conditioned): boolean {
  return cluster.spec?.paused === true || object.metadata.annotations?.[annotations.paused] !== undefined;
}

/** The Paused condition of an object. */
export function pausedCondition(cluster: Cluster, object: Conditioned): ConditionText {
  const messages: string[] = [];
  if (cluster.spec?.paused === true) messages.push('Cluster spec.paused is set to true');
  if (object.metadata.annotations?.[annotations.paused] !== undefined)
    messages.push(`${object.kind} has the cluster.x-k8s.io/paused annotation`);
  return messages.length > 0
    ? { type: 'Paused', status: 'True', reason: 'Paused', message: messages.join(', ') }
    : { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' };
}

/** What is to be done about the condition: nothing, change it along with the rest, or write it and stop for now. */
export function pausedStep(object: Conditioned, next: ConditionText): 'none' | 'along' | 'write' {
  const known = conditionOf(object, 'Paused');
  // No client waits for a new object to be reported as not paused: no write of its own.
  if (known === undefined && next.status === 'False') return 'along';
  const isSame =
    known !== undefined &&
    known.status === next.status &&
    known.reason === next.reason &&
    known.message === (next.message ?? '');
  if (!isSame) return 'write';
  if ((known.observedGeneration ?? 0) === (object.metadata.generation ?? 0)) return 'none';
  return next.status === 'True' ? 'write' : 'along';
}

/** Keeps the condition Paused; true when the reconciliation is to stop here. */
export async function stopsForPause<T extends Conditioned>(
  kind: CoreKind,
  { cluster, object, now }: { readonly cluster: Cluster; readonly object: T; readonly now: string },
  options: PatchHelperOptions,
): Promise<boolean> {
  const next = pausedCondition(cluster, object);
  const step = pausedStep(object, next);
  if (step === 'none') return next.status === 'True';
  const helper = step === 'write' ? new PatchHelper(kind, object, options) : undefined;
  mark(object, next, now);
  await helper?.patch(object, { owned: ['Paused'], ownedOld: [] });
  return helper !== undefined;
}
