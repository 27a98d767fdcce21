import type { Client, Reconcile } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { decide } from './decide.js';
import type { Gatherer } from './gather.js';
import type { CapiMetrics } from './metrics.js';
import type { Written } from './snapshot.js';
import { writeStatus } from './status.js';
import { observe } from './steps/observe.js';
import { write, WritesFailed } from './steps/write.js';

/** What the one ClusterAPI object is reconciled with. */
export interface ReconcileOptions {
  readonly gatherer: Gatherer;
  readonly client: Client;
  readonly clock: Clock;
  readonly release: string;
  readonly metrics: CapiMetrics;
}

/** Reconciles ClusterAPI/cluster: gather, decide, act, one status. With both feature gates off nothing is written. */
export function reconcileClusterApi(options: ReconcileOptions): Reconcile {
  const { client, gatherer, metrics } = options;
  const written = new Map<string, Written>();
  return async (_request, { signal }) => {
    const snapshot = gatherer.gather(written);
    if (!snapshot.mode.active && !snapshot.mode.future) return;
    const plan = decide(snapshot);
    const failures = await write(client, plan, { signal, written, metrics });
    if (failures.length === 0 && plan.isObserved) await observe(client, snapshot, signal);
    await writeStatus({ snapshot, plan, failures }, options, signal);
    if (failures.length > 0) throw new WritesFailed(failures);
  };
}
