import { reconcileComponent } from '../../component/reconcile.js';
import { ControlPlaneError } from '../../errors.js';
import { inputsKey } from '../inputs.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Reconciles each component; one that fails does not stop the others. */
export async function components(state: State, dependencies: ControlPlaneDependencies): Promise<void> {
  const { endpoint, hcp, key, now, objects, payload, plan, signal } = state;
  // Without an address the certificate of the API server would be issued twice.
  if (plan === undefined || payload === undefined || endpoint === undefined) return;
  const { client, clock, progress, settled } = dependencies;
  const scope = {
    client,
    objects,
    settled,
    progress,
    owner: key,
    key: inputsKey(hcp, payload, endpoint),
    inputs: plan.inputs,
    generation: hcp.metadata.generation ?? 1,
    now,
    clock,
    signal,
  };
  state.components = [];
  for (const part of plan.components) {
    const { component, dueMs = Infinity, error } = await reconcileComponent(part, scope);
    state.components.push(component);
    state.dueMs = Math.min(state.dueMs ?? Infinity, dueMs);
    if (error !== undefined && !(error instanceof ControlPlaneError)) state.errors.push(error);
  }
}
