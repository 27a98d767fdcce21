import { labels } from '../names.js';
import type { MachineDeployment } from '../types.js';

/**
 * What the admission webhook of Cluster API adds to a deployment: its machines are selected by the name of their
 * cluster too. A MachineSet does the same to itself, so without it the two would undo each other's change for ever.
 */
export function withClusterName(spec: MachineDeployment['spec']): MachineDeployment['spec'] {
  const own = { [labels.clusterName]: spec.clusterName };
  const metadata = spec.template.metadata ?? {};
  return {
    ...spec,
    selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, ...own } },
    template: { ...spec.template, metadata: { ...metadata, labels: { ...metadata.labels, ...own } } },
  };
}
