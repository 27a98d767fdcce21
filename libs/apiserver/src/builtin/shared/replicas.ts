import { invalid } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from './checks.js';
import { checkNonNegative } from './checks.js';
import { integer } from './json.js';

/** Counts in a workload's status: none negative, none above `replicas`, no more available than ready. */
export function checkReplicaCounts(
  out: Errors,
  status: Readonly<JsonObject>,
  bounded: readonly string[],
  readyName = 'readyReplicas',
): void {
  for (const key of [
    'replicas',
    ...bounded,
    'unavailableReplicas',
    'terminatingReplicas',
    'observedGeneration',
    'collisionCount',
  ]) {
    checkNonNegative(out, `status.${key}`, status[key]);
  }
  const replicas = integer(status['replicas']) ?? 0;
  const ready = integer(status['readyReplicas']) ?? 0;
  for (const key of bounded) {
    const count = integer(status[key]) ?? 0;
    if (count > replicas) out.push(invalid(`status.${key}`, count, 'cannot be greater than status.replicas'));
  }
  const available = integer(status['availableReplicas']) ?? 0;
  if (available > ready)
    out.push(invalid('status.availableReplicas', available, `cannot be greater than ${readyName}`));
}

/** The hash collision count only ever grows. */
export function checkCollisions(out: Errors, status: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const before = integer(old['collisionCount']);
  if (before === undefined) return;
  const count = integer(status['collisionCount']);
  if (count === undefined || count < before)
    out.push(invalid('status.collisionCount', count ?? 0, 'cannot be decremented'));
}
