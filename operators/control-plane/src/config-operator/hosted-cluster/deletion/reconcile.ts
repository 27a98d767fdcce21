import type { HostedControlPlane } from '@capstan/api/hypershift';
import { CLEANUP_ANNOTATION } from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { isConditionTrue } from '@capstan/meta';
import { cloudResourcesDestroyed } from '../conditions.js';
import { writeStatus } from '../status.js';
import type { StatusWriter } from '../status.js';
import { clean } from './clean.js';

const CLEAN_AGAIN_MS = 2_000;

/** Deletes what the hosted cluster has in a cloud, where that was requested. */
export async function reconcileDeletion(
  hcp: HostedControlPlane,
  options: StatusWriter & { readonly guest: { readonly client: Client } },
  signal: AbortSignal,
): Promise<{ requeueAfterMs: number } | undefined> {
  if (hcp.metadata.annotations?.[CLEANUP_ANNOTATION] !== 'true') return undefined;
  if (isConditionTrue(hcp.status?.conditions, 'CloudResourcesDestroyed')) return undefined;
  const remaining = await clean(options.guest.client, signal);
  await writeStatus(hcp, options, { conditions: [cloudResourcesDestroyed(remaining)] });
  return remaining.length === 0 ? undefined : { requeueAfterMs: CLEAN_AGAIN_MS };
}
