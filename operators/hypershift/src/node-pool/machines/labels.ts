import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES, TAINTS_ANNOTATION } from '@capstan/provider';
import { bring } from '../effects.js';
import type { Effect } from '../effects.js';
import type { Pool } from '../facts.js';
import { isGoing } from '../resources.js';
import { managedLabels, staleLabels, taintsText, withWords } from './shared.js';

/** Brings labels and taints to the machines themselves: through their template they would make new machines. */
export function labelMachines({ spec }: Pool, machines: readonly Machine[]): readonly Effect[] {
  const labels = managedLabels(spec);
  const taints = taintsText(spec);
  return machines
    .filter((machine) => !isGoing(machine))
    .flatMap((machine) => {
      const { metadata } = machine;
      const after = {
        ...machine,
        metadata: {
          ...metadata,
          labels: withWords(metadata.labels, { ...staleLabels(metadata.labels, labels), ...labels }),
          annotations: withWords(metadata.annotations, { [TAINTS_ANNOTATION]: taints }),
        },
      };
      return bring(MACHINES, machine, after);
    });
}
