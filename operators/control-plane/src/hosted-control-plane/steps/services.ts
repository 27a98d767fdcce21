import { endpointsOf } from '../../services/decide.js';
import { ensureRoutes, ensureServices } from '../../services/reconcile.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Ensures NetworkPolicies, Services and Routes, and reads from them where the control plane is reached. */
export async function services(state: State, { routes, settled }: ControlPlaneDependencies): Promise<void> {
  const { hcp, key: owner, objects, spec } = state;
  const { generation, uid } = hcp.metadata;
  await ensureServices({ spec, objects, settled, owner, key: `${uid ?? ''} ${generation ?? 0}` });
  const { namespace = '' } = hcp.metadata;
  state.routes = await ensureRoutes(state, () => routes.in(namespace, state.signal));
  const published = endpointsOf(spec, objects.snapshot, state.routes);
  state.published = published;
  // What was reached before stays the endpoint while its address is not shown: nothing is torn down for that.
  const endpoint = published.endpoints.APIServer ?? hcp.status?.controlPlaneEndpoint;
  if (endpoint !== undefined && endpoint.host !== '') state.endpoint = endpoint;
}
