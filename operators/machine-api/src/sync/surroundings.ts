/** What has to be there before anything can be copied: the Cluster and its infrastructure, by the name of the cluster. */
import type { Inputs } from '../resource/inputs.js';
import { REASONS } from '../resource/reasons.js';
import type { Problem } from '../resource/reasons.js';

/** What the message names: the command that creates both. */
const HOW = 'run capstan machine-api create-cluster';

/** What is missing; undefined when nothing is. */
export function surroundingsProblem({ surroundings, tools }: Inputs): Problem | undefined {
  const { cluster, context } = surroundings;
  const missing = (reason: Problem['reason'], message: string): Problem => ({ reason, message, isFinal: true });
  if (context === undefined)
    return missing(REASONS.clusterNameUnknown, 'Infrastructure cluster does not report status.infrastructureName');
  const { clusterName, infrastructureCluster, namespaces } = context;
  const name = `${namespaces.clusterApi}/${clusterName}`;
  if (cluster === undefined) return missing(REASONS.clusterNotFound, `Cluster ${name} does not exist: ${HOW}`);
  if (infrastructureCluster === undefined)
    return missing(REASONS.infrastructureClusterNotFound, `${tools.clusters.kind} ${name} does not exist: ${HOW}`);
  return undefined;
}
