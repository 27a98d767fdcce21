import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES, MANAGED_LABEL_PREFIX, TAINTS_ANNOTATION } from '@capstan/hosting';
import type { Change } from '@capstan/kube';
import type { Pool } from '../snapshot.js';
import { isDeleting } from '../resources.js';
import { managedLabels, staleLabels, taintsText, withEntries } from './shared.js';

/** Sets labels and taints on existing machines, whatever template they were created from; new ones have them from it. */
export function labelMachines({ spec }: Pool, machines: readonly Machine[]): readonly Change[] {
  const labels = managedLabels(spec);
  const count = Object.keys(labels).length;
  const taints = taintsText(spec);
  const changes: Change[] = [];
  for (const machine of machines) {
    const { metadata } = machine;
    const isTainted = metadata.annotations?.[TAINTS_ANNOTATION] === taints;
    if (isDeleting(machine) || (isTainted && isLabelled(metadata.labels ?? {}, labels, count))) continue;
    const after = {
      ...machine,
      metadata: {
        ...metadata,
        labels: withEntries(metadata.labels, { ...staleLabels(metadata.labels, labels), ...labels }),
        annotations: withEntries(metadata.annotations, { [TAINTS_ANNOTATION]: taints }),
      },
    };
    changes.push({ verb: 'patch', kind: MACHINES, before: machine, after });
  }
  return changes;
}

/** Whether of the labels that nodes get there are exactly the wanted ones, of which there are so many. */
function isLabelled(
  there: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  count: number,
): boolean {
  let found = 0;
  for (const key of Object.keys(there)) {
    if (!key.startsWith(MANAGED_LABEL_PREFIX)) continue;
    if (wanted[key] !== there[key]) return false;
    found += 1;
  }
  return found === count;
}
