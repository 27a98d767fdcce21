import { lookUp } from '@capstan/meta';
import { conditionOf, isFalse } from '../conditions/conditions.js';
import { isGoing } from '../machines.js';
import { annotations } from '../names.js';
import type { Machine } from '../types.js';

/** What is to go first when a set shrinks. */

const TEN_DAYS_MS = 864_000_000;
const MUST = 100;
const FIRST = 80;
const BETTER = 50;
const COULD = 20;

/** A set asks for an order that does not exist. */
export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder';
}

function isHealthy(machine: Machine): boolean {
  return (
    machine.status?.nodeRef !== undefined &&
    !isFalse(machine, 'NodeHealthy') &&
    conditionOf(machine, 'HealthCheckSucceeded')?.status !== 'False'
  );
}

/** The older the more, towards a limit. */
function byAge({ metadata }: Machine, nowMs: number): number {
  const age = nowMs - Date.parse(metadata.creationTimestamp ?? '');
  return age >= 0 ? BETTER * (1 - Math.exp(-age / TEN_DAYS_MS)) : 0;
}

const ORDERS: Readonly<Record<string, (machine: Machine, nowMs: number) => number>> = {
  Random: () => COULD,
  Newest: (machine, nowMs) => BETTER - byAge(machine, nowMs),
  Oldest: byAge,
};

/** How much a machine asks to be deleted. */
export function deletePriority(machine: Machine, order: string | undefined, nowMs: number): number {
  const rank = lookUp(ORDERS, order === undefined || order === '' ? 'Random' : order);
  if (rank === undefined)
    throw new UnknownOrder(`Unsupported deletion order ${order ?? ''}. Must be one of 'Random', 'Newest', or 'Oldest'`);
  if (isGoing(machine)) return MUST;
  if (machine.metadata.annotations?.[annotations.deleteMachine] !== undefined) return FIRST;
  return isHealthy(machine) ? rank(machine, nowMs) : BETTER;
}

/** The machines to delete, so many of them. */
export function machinesToDelete(
  machines: readonly Machine[],
  count: number,
  { order, nowMs }: { readonly order: string | undefined; readonly nowMs: number },
): Machine[] {
  if (count <= 0) return [];
  return machines
    .map((machine) => ({ machine, priority: deletePriority(machine, order, nowMs) }))
    .toSorted(
      (a, b) => b.priority - a.priority || ((a.machine.metadata.name ?? '') < (b.machine.metadata.name ?? '') ? -1 : 1),
    )
    .slice(0, count)
    .map(({ machine }) => machine);
}
