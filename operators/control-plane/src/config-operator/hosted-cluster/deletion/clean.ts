import { Converger } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { SERVICES } from '../../../kinds.js';
import { CLAIMS, VOLUMES } from '../../kinds.js';
import { decideCleanup } from './decide.js';

/** Asks what the hosted cluster has in a cloud to go; gives what is still there. */
export async function clean(guest: Client, signal: AbortSignal): Promise<readonly string[]> {
  const list = async (kind: ResourceKind): Promise<readonly KubeObject[]> => (await guest.list(kind, { signal })).items;
  const [services, claims, volumes] = await Promise.all([list(SERVICES), list(CLAIMS), list(VOLUMES)]);
  const decision = decideCleanup({ services, claims, volumes });
  const converger = new Converger({ client: guest, signal });
  for (const service of decision.services) await converger.delete(SERVICES, service);
  for (const claim of decision.claims) await converger.delete(CLAIMS, claim);
  return decision.remaining;
}
