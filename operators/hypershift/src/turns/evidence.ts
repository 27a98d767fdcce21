import type { Client } from '@capstan/kube';
import { Discovery } from '@capstan/kube';
import { takeInventory } from '@capstan/migration';
import type { GroupMapping } from '@capstan/translate';
import type { ReadEvidence } from './turns.js';

/** Evidence by every kind that the server serves: a cluster whose Cluster is not created yet may have others. */
export function evidenceOn(client: Client, mapping: GroupMapping): ReadEvidence {
  const discovery = new Discovery(client);
  return async (side, namespace, signal) => {
    const objects = await takeInventory({ client, discovery, mapping, side, namespace, signal });
    return objects.some(({ kind }) => kind.source.namespaced);
  };
}
