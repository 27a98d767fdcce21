import { CLUSTER_ANNOTATION, clusterKeyOf } from '@capstan/hosting';
import type { OwnerRule } from '@capstan/kube';
import { extended } from '@capstan/meta';
import { NotOurs, OwnedElsewhere } from '../errors.js';

/**
 * Objects of one HostedCluster carry its `namespace/name` in an annotation; everything in its control plane namespace is its
 * own, marked or not.
 */
export function hostedClusterOwner(owner: string, controlPlaneNamespace: string): OwnerRule {
  return {
    mark: (desired) => {
      const annotations = extended(desired.metadata.annotations ?? {}, { [CLUSTER_ANNOTATION]: owner });
      return extended(desired, { metadata: extended(desired.metadata, { annotations }) });
    },
    owns: (object) => {
      const holder = clusterKeyOf(object);
      return holder === undefined ? object.metadata.namespace === controlPlaneNamespace : holder === owner;
    },
    refusal: (kind, object) => {
      const holder = clusterKeyOf(object);
      return holder === undefined
        ? new NotOurs(kind, object.metadata)
        : new OwnedElsewhere(kind, object.metadata, holder);
    },
  };
}
