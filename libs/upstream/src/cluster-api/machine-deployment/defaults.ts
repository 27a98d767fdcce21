import { labels } from '../names.js';
import type { MachineDeployment } from '../types.js';

/**
 * What the original's admission adds to a deployment: its machines are told by the name of their cluster too. A
 * MachineSet does the same to itself, so without it the two would change each other's mind for ever.
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
