import type { Snapshot } from './snapshot.js';
import { CLUSTER_API_NAMESPACE, CLUSTER_APIS, DEFINITIONS, REQUIREMENTS, SINGLETON } from '../vocabulary.js';

interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

/** What support gathers when it asks about this operator. */
export function relatedObjects({ releases }: Snapshot): RelatedObject[] {
  const names = new Set([...releases.active.definitions.keys(), ...releases.future.definitions.keys()]);
  return [
    { group: '', resource: 'namespaces', name: CLUSTER_API_NAMESPACE },
    { group: CLUSTER_APIS.group, resource: CLUSTER_APIS.plural, name: SINGLETON },
    { group: REQUIREMENTS.group, resource: REQUIREMENTS.plural, name: '' },
    ...[...names].sort().map((name) => ({ group: DEFINITIONS.group, resource: DEFINITIONS.plural, name })),
  ];
}
