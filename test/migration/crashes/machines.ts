import type { KubeObject } from '@capstan/meta';
import { ownedBy } from '../fixture.js';

/** A Machine of the set with an instance of its own. */
export function machineOf(set: KubeObject, name: string, spec: object): Omit<KubeObject, 'apiVersion' | 'kind'> {
  const metadata = {
    name,
    namespace: set.metadata.namespace ?? '',
    labels: { set: 'workers', 'cluster.x-k8s.io/cluster-name': 'infra-a' },
    finalizers: ['machine.cluster.x-k8s.io'],
    ownerReferences: ownedBy(set),
  };
  const status = { phase: 'Running', nodeRef: { name: `node-of-${name}` } };
  return { metadata, spec: { ...spec, providerID: `aws:///us-east-1a/i-${name}` }, status } as never;
}
