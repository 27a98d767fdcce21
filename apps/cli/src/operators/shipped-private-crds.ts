import { SHIM_NAME } from '@capstan/conversion-shim/manifests';
import type { HypershiftOptions } from '@capstan/hypershift';
import { clientVersion } from '../client-version.js';
import { FIELD_OWNER } from '../install/cluster.js';

/** The private CRDs as `capstan install` applies them: the operator on private types restores those that change. */
export const SHIPPED_PRIVATE_CRDS: NonNullable<HypershiftOptions['privateCrds']> = {
  version: clientVersion(),
  fieldOwner: FIELD_OWNER,
  shim: SHIM_NAME,
  shimSecret: `${SHIM_NAME}-serving-cert`,
  // Large: only the operator on private types loads them.
  render: async (place) => (await import('../install/private-crds.js')).renderPrivateCrds(place),
};
