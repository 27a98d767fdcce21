import type { OwnerRule } from '@capstan/kube';
import { extended } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ANNOTATION } from '@capstan/provider';
import { NotOurs, OwnedElsewhere } from '../errors.js';

/** `namespace/name` of the HostedCluster that an object was created for. */
export function ownerOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[CLUSTER_ANNOTATION];
}

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
      const holder = ownerOf(object);
      return holder === undefined ? object.metadata.namespace === controlPlaneNamespace : holder === owner;
    },
    refusal: (kind, object) => {
      const holder = ownerOf(object);
      return holder === undefined
        ? new NotOurs(kind, object.metadata)
        : new OwnedElsewhere(kind, object.metadata, holder);
    },
  };
}
