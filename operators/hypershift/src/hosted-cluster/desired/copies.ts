import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { exactly } from '@capstan/kube';
import type { Desired } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { formatApiVersion } from '@capstan/meta';

/** A copy of a Secret or ConfigMap in another namespace. */
export function copyOf(source: KubeObject, { name, namespace }: { name: string; namespace: string }): Desired {
  const { binaryData, data, type } = source;
  return { metadata: { name, namespace }, type, data: exactly(data), binaryData: exactly(binaryData) };
}

/** A Secret of the control plane for users, in the namespace of the HostedCluster and deleted with it. */
export function accessSecret(
  { metadata }: HostedCluster,
  name: string,
  data: Readonly<Record<string, unknown>>,
): Desired {
  const owner = {
    apiVersion: formatApiVersion(HOSTED_CLUSTERS),
    kind: HOSTED_CLUSTERS.kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
  };
  return {
    metadata: { name, namespace: metadata.namespace, labels: metadata.labels, ownerReferences: [owner] },
    type: 'Opaque',
    data: exactly(data),
  };
}
