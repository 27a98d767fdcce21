import type { Problem } from './problem.js';

/** Characters that a label or the name of a namespace may have. */
const MAX_LABEL = 63;

/** The names that a hosted cluster takes on the management cluster. */
export interface ClusterPlace {
  readonly controlPlaneNamespace: string;
  readonly infraID: string;
  /** The namespace exists and belongs to that HostedCluster, `namespace/name`, or to none. */
  readonly namespaceHolder?: { readonly hostedCluster: string | undefined } | undefined;
  /** Another HostedCluster with that infraID, as `namespace/name`. */
  readonly infraHolder?: string | undefined;
}

/** Why a hosted cluster cannot have its namespace and infraID; checked by the operator, and by the client that creates it. */
export function placeProblems(place: ClusterPlace): Problem[] {
  const { controlPlaneNamespace: namespace, infraHolder, infraID, namespaceHolder } = place;
  const problems: Problem[] = [];
  if (namespace.length > MAX_LABEL)
    problems.push({
      path: 'metadata.name',
      message: `the control plane namespace would be ${namespace}, which has ${namespace.length} characters and may have ${MAX_LABEL}: choose a shorter name or namespace`,
    });
  if (infraID.length > MAX_LABEL)
    problems.push({
      path: 'spec.infraID',
      message: `it has ${infraID.length} characters, and a label that carries it may have ${MAX_LABEL}: create the cluster again with a shorter one`,
    });
  if (namespaceHolder !== undefined) {
    const { hostedCluster } = namespaceHolder;
    const whose =
      hostedCluster === undefined
        ? 'was not created by this operator'
        : `belongs to the HostedCluster ${hostedCluster}`;
    problems.push({
      path: 'metadata.name',
      message: `the control plane namespace ${namespace} exists and ${whose}: choose another name or namespace for this cluster`,
    });
  }
  if (infraHolder !== undefined)
    problems.push({
      path: 'spec.infraID',
      message: `the infrastructure ${infraID} belongs to the HostedCluster ${infraHolder}: create this cluster again with an infraID of its own`,
    });
  return problems;
}
