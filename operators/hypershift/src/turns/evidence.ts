import { Discovery } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { hasObjects } from '@capstan/migration';
import type { GroupMapping } from '@capstan/translate';
import { NAMESPACES } from '../kinds.js';
import type { ReadEvidence } from './turns.js';

/** Evidence by every kind that the server serves: a cluster whose Cluster is not created yet may have others. */
export function evidenceOn(client: Client, mapping: GroupMapping): ReadEvidence {
  const discovery = new Discovery(client);
  return async (side, namespace, signal) => {
    // A new cluster has none yet: nothing in it needs to be readable.
    const home = await client.get(NAMESPACES, namespace, { metadataOnly: true, signal }).catch(ignoreNotFound);
    if (home === undefined) return false;
    return hasObjects({ client, discovery, mapping, side, namespace, signal });
  };
}
