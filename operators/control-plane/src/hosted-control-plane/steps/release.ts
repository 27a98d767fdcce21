import { textsOf } from '../../pki/kubeconfigs.js';
import { controlPlaneImage } from '../inputs.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Reads the release of the control plane. */
export async function release(state: State, { pullSecret, releases }: ControlPlaneDependencies): Promise<void> {
  const { key, signal, spec } = state;
  const secret = pullSecret(state.hcp.metadata.namespace ?? '');
  const texts = secret === undefined ? {} : textsOf(secret);
  const found = await releases.lookup(key, controlPlaneImage(spec), { pullSecret: texts['.dockerconfigjson'], signal });
  if ('payload' in found) state.payload = found.payload;
  else state.releaseError = found.error;
}
