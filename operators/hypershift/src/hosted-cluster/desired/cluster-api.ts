import type { HostedCluster } from '@capstan/api/hypershift';
import { EXTERNALLY_MANAGED_ANNOTATION, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { Desired, ResourceKind } from '@capstan/kube';
import type { HostedClusterInputs, InfrastructureCluster } from '@capstan/provider';

/** The name of the infrastructure cluster. */
export function infrastructureName(
  { namedBy }: InfrastructureCluster,
  { hostedCluster, infraID }: HostedClusterInputs,
): string {
  return namedBy === 'infra-id' ? infraID : (hostedCluster.metadata.name ?? '');
}

/** The infrastructure cluster. Who made the infrastructure is not Cluster API where it is external. */
export function infrastructureCluster(cluster: InfrastructureCluster, inputs: HostedClusterInputs): Desired {
  const endpoint = cluster.takesEndpoint ? inputs.controlPlane?.status?.controlPlaneEndpoint : undefined;
  const isKnown = endpoint !== undefined && endpoint.host !== '';
  return {
    metadata: {
      name: infrastructureName(cluster, inputs),
      namespace: inputs.controlPlaneNamespace,
      annotations: cluster.isExternal ? { [EXTERNALLY_MANAGED_ANNOTATION]: 'external' } : {},
    },
    spec: {
      ...cluster.spec(inputs),
      ...(isKnown ? { controlPlaneEndpoint: { host: endpoint.host, port: endpoint.port } } : {}),
    },
  };
}

/** The Cluster, made once: from then on it is Cluster API's, and only whether it is paused is ours. */
export function capiCluster(
  { metadata, spec }: HostedCluster,
  infrastructure: { readonly kind: ResourceKind; readonly name: string },
  { isThere, namespace }: { readonly isThere: boolean; readonly namespace: string },
): Desired {
  const { kind, name } = infrastructure;
  const references = {
    controlPlaneRef: { apiGroup: HOSTED_CONTROL_PLANES.group, kind: HOSTED_CONTROL_PLANES.kind, name: metadata.name },
    infrastructureRef: { apiGroup: kind.group, kind: kind.kind, name },
  };
  return {
    metadata: { name: spec?.infraID ?? '', namespace },
    // Absent is unpaused too, and what nobody asked for is not written.
    spec: { ...(isThere ? {} : references), paused: undefined },
  };
}
