import { Converger } from '@capstan/kube';
import type { Client, Reconcile } from '@capstan/kube';
import { disruptionBudget } from '../manifests.js';
import { CHECKER_NAME, FIELD_OWNER } from '../names.js';
import { planFor } from './decide.js';
import type { TopologyPlan } from './decide.js';
import { BUDGETS, DEPLOYMENTS, gather } from './gather.js';

/** How often the cluster is read: clusters that are no OpenShift have no kind that could be watched. */
const LOOK_AGAIN_MS = 60_000;

/** Keeps as many replicas as the layout of the cluster requires, also when it changes: gather, decide, act. */
export function reconcileTopology(client: Client, namespace: string): Reconcile {
  return async (_request, { signal }) => {
    const snapshot = await gather(client, namespace, signal);
    const plan = planFor(snapshot.replicas, snapshot);
    await act(client, namespace, plan, signal);
    return { requeueAfterMs: LOOK_AGAIN_MS };
  };
}

/** A budget is deleted before the replicas it would keep, and created after those it is for. */
async function act(client: Client, namespace: string, plan: TopologyPlan, signal: AbortSignal): Promise<void> {
  const converger = new Converger({ client, signal });
  if (plan.budget === 'remove') await converger.ensureAbsent(BUDGETS, CHECKER_NAME, namespace);
  if (plan.scale !== undefined) {
    const value = { spec: { replicas: plan.scale } };
    await client.patch(
      DEPLOYMENTS,
      CHECKER_NAME,
      { type: 'merge', value },
      { namespace, signal, subresource: 'scale' },
    );
  }
  if (plan.budget === 'create') {
    const object = disruptionBudget(namespace);
    await converger.perform({ verb: 'apply', kind: BUDGETS, object, fieldOwner: FIELD_OWNER });
  }
}
