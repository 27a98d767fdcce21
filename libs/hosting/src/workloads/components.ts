import type { KubeObject } from '@capstan/meta';

/** How long a new component may start without a status: most are available by then, and one write is enough. */
const FIRST_STATUS_MS = 10_000;
/** Reasons of a component that is starting and healthy as far as is known. */
const STARTING: ReadonlySet<string> = new Set([
  'NotFound',
  'WaitingForAvailable',
  'WaitingForDependencies',
  'WaitingForOperands',
  'WaitingForRolloutComplete',
]);

interface WithConditions {
  readonly conditions?: readonly { readonly reason: string }[];
}

/** When the first status of a ControlPlaneComponent is due to be written; undefined when that is now. */
export function firstStatusDueMs(
  { metadata, status: before }: Pick<KubeObject, 'metadata'> & { readonly status?: WithConditions | undefined },
  { conditions = [] }: WithConditions,
  nowMs: number,
): number | undefined {
  if (before?.conditions !== undefined || conditions.some(({ reason }) => !STARTING.has(reason))) return undefined;
  const createdMs = Date.parse(metadata.creationTimestamp ?? '');
  // Clocks may differ: a component that seems to be created later gets its status at once, or it might get none.
  return createdMs <= nowMs && nowMs < createdMs + FIRST_STATUS_MS ? createdMs + FIRST_STATUS_MS : undefined;
}
