import { decideComponents } from '../decide.js';
import { inputsKey, platformFindings } from '../inputs.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Decides the components of the control plane, those of its platform included. */
export async function platform(
  state: State,
  { plans, platforms, proxy: readProxy, settings }: ControlPlaneDependencies,
): Promise<void> {
  const { endpoint, hcp, key, payload, signal, spec } = state;
  const proxy = await readProxy(signal);
  if (payload !== undefined)
    state.plan = plans.of(key, inputsKey(hcp, payload, endpoint), () =>
      decideComponents(hcp, spec, { payload, endpoint, platforms, proxy, settings }),
    );
  const found = state.plan?.platform ?? platformFindings(hcp, spec, platforms);
  if ('problem' in found) state.invalid.push(found.problem);
  state.isPartial = !('components' in found);
}
