import { CLUSTER_ANNOTATION, MANAGED_BY_LABEL } from '@capstan/hosting';
import type { Desired, OwnerRule } from '@capstan/kube';
import { canonicalHash, setControllerReference } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';

/** The operator in the label of everything it creates. */
export const MANAGER = 'control-plane-operator';
/** Hash of the last desired state: shows that a field is no longer desired. */
export const DESIRED_HASH_ANNOTATION = 'capstan.dev/wanted';

/** Whose objects are reconciled. */
export interface Owner {
  /** The HostedControlPlane. */
  readonly object: KubeObject;
  /** `namespace/name` of the HostedCluster. */
  readonly cluster: string;
}

/** Whether the object was created by this operator for that owner. */
export function isOurs({ metadata }: KubeObject, { object }: Owner): boolean {
  const isOwner = ({ controller, uid }: OwnerReference): boolean =>
    controller === true && uid === (object.metadata.uid ?? '');
  return metadata.labels?.[MANAGED_BY_LABEL] === MANAGER && metadata.ownerReferences?.some(isOwner) === true;
}

/** Objects of a control plane have its HostedControlPlane for a controller, a label, and a hash of their desired state. */
export function controlPlaneOwner(owner: Owner): OwnerRule {
  return {
    mark: (desired) => marked(desired, owner),
    owns: (object) => isOurs(object, owner),
    refusal: (kind, { metadata }) =>
      new ControlPlaneError(
        'Collision',
        `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''} exists and was not created for this control plane: delete or rename it`,
      ),
  };
}

function marked(desired: Desired, { cluster, object }: Owner): Desired {
  const { annotations, labels } = desired.metadata;
  const complete = {
    ...desired,
    metadata: {
      ...desired.metadata,
      namespace: object.metadata.namespace ?? '',
      labels: { ...labels, [MANAGED_BY_LABEL]: MANAGER },
      annotations: { ...annotations, [CLUSTER_ANNOTATION]: cluster },
    },
  } as KubeObject & Desired;
  const hash = canonicalHash(complete).slice(0, 16);
  const owned = setControllerReference(complete, object);
  return {
    ...owned,
    metadata: { ...owned.metadata, annotations: { ...owned.metadata.annotations, [DESIRED_HASH_ANNOTATION]: hash } },
  } as Desired;
}
