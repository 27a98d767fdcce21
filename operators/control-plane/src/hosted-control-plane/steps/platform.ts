import { decideComponents } from '../decide.js';
import { inputsKey, platformFindings } from '../inputs.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Decides the components of the control plane, those of its platform included. */
export function platform(state: State, { plans, platforms, settings }: ControlPlaneDependencies): void {
  const { endpoint, hcp, key, payload, spec } = state;
  if (payload !== undefined)
    state.plan = plans.of(key, inputsKey(hcp, payload, endpoint), () =>
      decideComponents(hcp, spec, { payload, endpoint, platforms, settings }),
    );
  const found = state.plan?.platform ?? platformFindings(hcp, spec, platforms);
  if ('problem' in found) state.invalid.push(found.problem);
  state.isPartial = !('components' in found);
}
