import { compareBytes } from '@capstan/meta';
import { specOf } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import { podRequests } from './amounts.js';
import { misfit } from './fit.js';
import type { Misfit, NodeUse } from './fit.js';

/** Where a pod is to run, or why nowhere. */
export type Placement = { readonly node: string } | { readonly failure: string };

/** The fitting node with the fewest pods; of several the first by name. */
export function place(pod: Pod, nodes: Iterable<NodeUse>): Placement {
  const requests = podRequests(pod);
  const misfits: Misfit[] = [];
  let best: NodeUse | undefined;
  for (const use of nodes) {
    const found = misfit(pod, requests, use);
    if (found !== undefined) misfits.push(found);
    else if (best === undefined || isBetter(use, best)) best = use;
  }
  if (best !== undefined) return { node: best.node.metadata.name ?? '' };
  if (misfits.length === 0) return { failure: 'no nodes available to schedule pods' };
  return { failure: failureText(pod, misfits) };
}

function isBetter(a: NodeUse, b: NodeUse): boolean {
  return (
    a.pods < b.pods || (a.pods === b.pods && compareBytes(a.node.metadata.name ?? '', b.node.metadata.name ?? '') < 0)
  );
}

/** The message of the real scheduler, preemption included: ours never evicts, so preemption never helps. */
function failureText(pod: Pod, misfits: readonly Misfit[]): string {
  const why = countedReasons(
    misfits.flatMap(({ reasons }) => reasons),
    misfits.length,
  );
  const preemption =
    specOf(pod).preemptionPolicy === 'Never'
      ? 'not eligible due to preemptionPolicy=Never.'
      : countedReasons(
          misfits.map(({ resolvable }) =>
            resolvable ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
          ),
          misfits.length,
        );
  return `${why} no new claims to deallocate, preemption: ${preemption}`;
}

function countedReasons(reasons: readonly string[], nodes: number): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(compareBytes);
  return `0/${nodes} nodes are available: ${texts.join(', ')}.`;
}
