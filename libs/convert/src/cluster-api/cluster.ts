/** Clusters and their topologies. */
import { zeroValue } from '../engine/codec.js';
import { move, same, warned } from '../engine/field-rules.js';
import { mapToList } from '../engine/map-rules.js';
import { listOf } from '../engine/list-rules.js';
import { nested, optionalNested } from '../engine/record-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { ClusterApiContext, ClusterApiRule } from './common.js';
import {
  conditionRules,
  contractReference,
  conversionData,
  deletionTimeouts,
  failureRules,
  gates,
  optionalNumber,
  optionalText,
  requiredRecord,
  requiredText,
  typeAndMetadata,
} from './common.js';
import { healthCheckRules } from './health-check.js';
import { initialized, rolloutStrategy } from './machine.js';

function variables(path: string): ClusterApiRule {
  return listOf<ClusterApiContext>(path, path, [
    same('name', requiredText),
    warned('left', 'definitionFrom', 'v1beta2 finds the definition of a variable by itself'),
    same('value'),
  ]);
}

const healthCheck: ClusterApiRule = nested('machineHealthCheck', 'healthCheck', [
  move('enable', 'enabled'),
  ...healthCheckRules,
]);

const controlPlane: readonly ClusterApiRule[] = [
  same('metadata', requiredRecord),
  same('replicas'),
  same('rollout'),
  healthCheck,
  ...deletionTimeouts,
  same('taints'),
  gates('readinessGates'),
  variables('variables.overrides'),
];

const machineDeployment: readonly ClusterApiRule[] = [
  same('metadata', requiredRecord),
  same('class', requiredText),
  same('name', requiredText),
  same('failureDomain', optionalText),
  same('replicas'),
  healthCheck,
  move('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
  ...deletionTimeouts,
  same('taints'),
  same('minReadySeconds'),
  gates('readinessGates'),
  same('rollout.after'),
  ...rolloutStrategy,
  variables('variables.overrides'),
];

const machinePool: readonly ClusterApiRule[] = [
  same('metadata', requiredRecord),
  same('class', requiredText),
  same('name', requiredText),
  same('failureDomains'),
  ...deletionTimeouts,
  same('taints'),
  same('minReadySeconds'),
  same('replicas'),
  variables('variables.overrides'),
];

const topology: readonly ClusterApiRule[] = [
  move('class', 'classRef.name', requiredText),
  move('classNamespace', 'classRef.namespace', optionalText),
  same('version', requiredText),
  warned('left', 'rolloutAfter', 'v1beta2 has no such field, and v1beta1 never used it'),
  nested('controlPlane', 'controlPlane', controlPlane),
  listOf('workers.machineDeployments', 'workers.machineDeployments', machineDeployment),
  listOf('workers.machinePools', 'workers.machinePools', machinePool),
  variables('variables'),
];

const clusterSpec: readonly ClusterApiRule[] = [
  same('paused', zeroValue(false, { left: 'omit', right: 'distinguish' })),
  same('clusterNetwork.apiServerPort', optionalNumber),
  same('clusterNetwork.services.cidrBlocks'),
  same('clusterNetwork.pods.cidrBlocks'),
  same('clusterNetwork.serviceDomain'),
  same('controlPlaneEndpoint.host', requiredText),
  same('controlPlaneEndpoint.port', zeroValue(0, { left: 'fill', right: 'omit' })),
  contractReference('controlPlaneRef'),
  contractReference('infrastructureRef'),
  optionalNested('topology', 'topology', topology),
  gates('availabilityGates'),
];

const clusterStatus: readonly ClusterApiRule[] = [
  // The original writes a nameless domain without a name, and keeps the last of those with one name.
  mapToList('failureDomains', 'failureDomains', { key: 'name', emptyKey: 'omit', duplicates: 'last' }, [
    same('controlPlane', zeroValue(false, { left: 'omit', right: 'fill' })),
    same('attributes'),
  ]),
  ...failureRules,
  same('phase'),
  move('infrastructureReady', 'initialization.infrastructureProvisioned', initialized),
  move('controlPlaneReady', 'initialization.controlPlaneInitialized', initialized),
  ...conditionRules,
  same('observedGeneration'),
  move('v1beta2.controlPlane', 'controlPlane'),
  move('v1beta2.workers', 'workers'),
];

/** Cluster, v1beta1 and v1beta2. */
export const clusterMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('Cluster'),
    nested('spec', 'spec', clusterSpec),
    nested('status', 'status', clusterStatus),
  ],
  preserve: conversionData,
  unknown: 'warning',
});
