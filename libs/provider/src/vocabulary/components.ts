import type { KubeObject } from '@capstan/meta';

/** How long a new component may be on its way before that is told: most have arrived by then, and one write says it all. */
const UNTOLD_MS = 10_000;
/** What is said of a component with which nothing is wrong but that it is not there yet. */
const ON_THE_WAY: ReadonlySet<string> = new Set([
  'NotFound',
  'WaitingForAvailable',
  'WaitingForDependencies',
  'WaitingForOperands',
  'WaitingForRolloutComplete',
]);

interface Told {
  readonly conditions?: readonly { readonly reason: string }[];
}

/** From when on the first status of a ControlPlaneComponent is to be told; undefined when it is now. */
export function toldFromMs(
  { metadata, status: before }: Pick<KubeObject, 'metadata'> & { readonly status?: Told | undefined },
  { conditions = [] }: Told,
  nowMs: number,
): number | undefined {
  if (before?.conditions !== undefined || conditions.some(({ reason }) => !ON_THE_WAY.has(reason))) return undefined;
  const madeMs = Date.parse(metadata.creationTimestamp ?? '');
  // Clocks may differ: what seems to be made later is told at once, or it might never be.
  return madeMs <= nowMs && nowMs < madeMs + UNTOLD_MS ? madeMs + UNTOLD_MS : undefined;
}
