import { conditionsOf, MIGRATION_CONDITION, readStep } from '@capstan/hosting';
import { getCondition } from '@capstan/meta';
import type { Migration, StepWait, Waiting } from './model.js';

/** Which step of how many. */
export interface NamedPlace {
  readonly step: { readonly name: string; readonly title: string };
  readonly at: number;
  readonly of: number;
}

/**
 * Since when a step waits. The condition has when it began to: a limit would never be reached by an operator that ends again and
 * again, if each of its processes counted from none.
 */
export function waitOf(migration: Migration, place: NamedPlace): StepWait {
  const { memory, parts } = migration;
  const { name } = place.step;
  const known = memory.waits.get(name);
  if (known !== undefined) return known;
  const nowMs = parts.clock.now();
  const beganMs = reportedBegin(migration, place) ?? nowMs;
  const wait: StepWait = { here: parts.clock.monotonic(), beganMs, beforeMs: nowMs - beganMs };
  memory.waits.set(name, wait);
  return wait;
}

/** As the condition has it; undefined where it is of another step, or cannot be. */
function reportedBegin({ hostedCluster, journal, parts }: Migration, { at, of, step }: NamedPlace): number | undefined {
  const condition = getCondition(conditionsOf(hostedCluster), MIGRATION_CONDITION);
  const reported = readStep(condition?.message ?? '');
  if (reported?.since === undefined || reported.title !== step.title) return undefined;
  if (reported.at !== at + 1 || reported.of !== of) return undefined;
  const beganMs = Date.parse(reported.since);
  return beganMs >= Date.parse(journal.startedAt) && beganMs <= parts.clock.now() ? beganMs : undefined;
}

/** How long a step has waited: in all, and in this process. */
export interface Waited {
  readonly allMs: number;
  readonly hereMs: number;
}

export function waitedFor({ beforeMs, here }: StepWait, monotonicMs: number): Waited {
  const hereMs = monotonicMs - here;
  return { hereMs, allMs: hereMs + beforeMs };
}

/** So long a new process waits in any case: leases have to expire before those it waits for begin as well. */
const RESUMED_MS = 180_000;
/** An operator that has not ended a step in that time beyond its limit was not only away. */
const AWAY_MS = 3_600_000;

/**
 * Whether a step has waited for too long. While no operator ran, nothing that it waits for was missed: a process that begins
 * within the wait gives it some time, unless far too much is over; and what is healthy by then stays.
 */
export function isOver({ allMs, hereMs }: Waited, limitMs: number, waiting?: Pick<Waiting, 'isHealthy'>): boolean {
  if (allMs < limitMs) return false;
  const isResumed = allMs > hereMs && hereMs < limitMs;
  if (!isResumed) return true;
  return waiting?.isHealthy !== true && (hereMs >= RESUMED_MS || allMs >= limitMs + AWAY_MS);
}
