/** Cluster API v1beta1 and v1beta2: the core kinds, and the webhook that converts them. */
import type { JsonObject } from '@capstan/meta';
import type { TwoWayMap } from '../engine/two-way-map.js';
import type { KindConversion, ReviewOptions } from '../review/conversion-review.js';
import { answerConversionReview } from '../review/conversion-review.js';
import type { HubConversion } from '../review/converted-kinds.js';
import { hubConversions } from '../review/converted-kinds.js';
import { clusterClassMap } from './cluster-class.js';
import { clusterMap } from './cluster.js';
import type { ClusterApiContext } from './common.js';
import { coreGroup } from './common.js';
import { machineHealthCheckMap } from './health-check.js';
import { machineDeploymentMap, machineDrainRuleMap, machineMap, machinePoolMap, machineSetMap } from './machine.js';

export { clusterApiFields } from './fields.js';
export type { ClusterApiContext } from './common.js';
export { contractContext, definitionNames } from './contract.js';
export type { DefinitionLabels } from './contract.js';

const maps: Readonly<Record<string, TwoWayMap<ClusterApiContext>>> = {
  Cluster: clusterMap,
  ClusterClass: clusterClassMap,
  Machine: machineMap,
  MachineDeployment: machineDeploymentMap,
  MachineDrainRule: machineDrainRuleMap,
  MachineHealthCheck: machineHealthCheckMap,
  MachinePool: machinePoolMap,
  MachineSet: machineSetMap,
};

/** The core kinds; left is v1beta1, right is v1beta2. */
export const clusterApiConversions: readonly KindConversion<ClusterApiContext>[] = Object.entries(maps).map(
  ([kind, map]) => ({ group: coreGroup, kind, versions: { left: 'v1beta1', right: 'v1beta2' }, map }),
);

type OnWarning = ReviewOptions<ClusterApiContext>['onWarning'];

function optionsOf(context: ClusterApiContext, onWarning: OnWarning): ReviewOptions<ClusterApiContext> {
  const options = { kinds: clusterApiConversions, context };
  return onWarning === undefined ? options : { ...options, onWarning };
}

/** What to mount on `/convert`: `server.converting('/convert', clusterApiConverter(context))`. */
export function clusterApiConverter(context: ClusterApiContext, onWarning?: OnWarning): HubConversion[] {
  return hubConversions(optionsOf(context, onWarning));
}

/** Answers a ConversionReview about core kinds without a server. `undefined` when it is no review. */
export function convertClusterApi(
  review: unknown,
  context: ClusterApiContext,
  onWarning?: OnWarning,
): JsonObject | undefined {
  return answerConversionReview(review, optionsOf(context, onWarning));
}
