import { DEPLOYMENTS, POD_MONITORS } from '../../kinds.js';
import { ensureSurroundings } from '../../sidecar/surroundings.js';
import type { State } from '../state.js';

/** Opens the proxies of a control plane on private types to those who ask for their health, and has them scraped. */
export async function proxies({ controlPlane, converger, dependencies, namespace }: State): Promise<void> {
  const { cache, sidecar } = dependencies;
  if (sidecar === undefined) return;
  const { items: deployments } = await cache.list(DEPLOYMENTS, { namespace });
  const isMonitored = cache.canRead(POD_MONITORS);
  await ensureSurroundings({ converger, namespace, deployments, controlPlane, isMonitored });
}
