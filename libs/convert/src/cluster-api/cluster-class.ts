/** Classes of clusters. */
import { zeroValue } from '../engine/codec.js';
import { always, move, same } from '../engine/field-rules.js';
import { listOf } from '../engine/list-rules.js';
import { nested } from '../engine/record-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { ClusterApiContext, ClusterApiRule } from './common.js';
import {
  conditionRules,
  conversionData,
  deletionTimeouts,
  emptyReference,
  gates,
  optionalText,
  requiredRecord,
  requiredText,
  templateReference,
  typeAndMetadata,
} from './common.js';
import { healthCheckRules } from './health-check.js';
import { initialized, rolloutStrategy } from './machine.js';
import { variableSchema } from './variable-schema.js';

const flag = zeroValue(false, { left: 'fill', right: 'fill' });
const distinguishedFlag = zeroValue(false, { left: 'omit', right: 'distinguish' });

/** A template that v1beta1 always refers to, if only by the namespace the class is in. */
function classTemplate(left: string, right: string): ClusterApiRule[] {
  return [templateReference(left, right), always('left', left, ({ root }) => emptyReference(root))];
}

const healthCheck: ClusterApiRule = nested('machineHealthCheck', 'healthCheck', healthCheckRules);
const naming: ClusterApiRule = move('namingStrategy.template', 'naming.template', optionalText);

const controlPlane: readonly ClusterApiRule[] = [
  same('metadata', requiredRecord),
  ...classTemplate('ref', 'templateRef'),
  templateReference('machineInfrastructure.ref', 'machineInfrastructure.templateRef'),
  healthCheck,
  naming,
  ...deletionTimeouts,
  same('taints'),
  gates('readinessGates'),
];

/** What classes of MachineDeployments and of MachinePools share. */
const workerClass: readonly ClusterApiRule[] = [
  same('class', requiredText),
  move('template.metadata', 'metadata', requiredRecord),
  ...classTemplate('template.bootstrap.ref', 'bootstrap.templateRef'),
  ...classTemplate('template.infrastructure.ref', 'infrastructure.templateRef'),
  naming,
  ...deletionTimeouts,
  same('taints'),
  same('minReadySeconds'),
];

const machineDeployment: readonly ClusterApiRule[] = [
  ...workerClass,
  healthCheck,
  move('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
  same('failureDomain', optionalText),
  gates('readinessGates'),
  ...rolloutStrategy,
];

/** A definition of a variable. */
const definition: readonly ClusterApiRule[] = [
  same('required', flag),
  move('metadata', 'deprecatedV1Beta1Metadata', requiredRecord),
  same('schema.openAPIV3Schema', variableSchema),
  always('left', 'schema.openAPIV3Schema', () => ({})),
];

const byName = { key: 'name' };

const statusVariable: readonly ClusterApiRule[] = [
  same('name', requiredText),
  same('definitionsConflict', initialized),
  listOf('definitions', 'definitions', [same('from', requiredText), ...definition], { key: 'from' }),
];

const patchDefinition: readonly ClusterApiRule[] = [
  same('selector.apiVersion', requiredText),
  same('selector.kind', requiredText),
  same('selector.matchResources.controlPlane', distinguishedFlag),
  same('selector.matchResources.infrastructureCluster', distinguishedFlag),
  same('selector.matchResources.machineDeploymentClass'),
  same('selector.matchResources.machinePoolClass'),
  always('left', 'selector.matchResources', () => ({})),
  listOf('jsonPatches', 'jsonPatches', [
    same('op', requiredText),
    same('path', requiredText),
    same('value'),
    same('valueFrom.variable', optionalText),
    same('valueFrom.template', optionalText),
  ]),
];

const patch: readonly ClusterApiRule[] = [
  same('name', requiredText),
  same('description'),
  same('enabledIf', optionalText),
  listOf('definitions', 'definitions', patchDefinition),
  move('external.generateExtension', 'external.generatePatchesExtension', optionalText),
  move('external.validateExtension', 'external.validateTopologyExtension', optionalText),
  same('external.discoverVariablesExtension', optionalText),
  same('external.settings'),
];

/** ClusterClass, v1beta1 and v1beta2. */
export const clusterClassMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('ClusterClass'),
    nested('spec', 'spec', [
      gates('availabilityGates'),
      ...classTemplate('infrastructure.ref', 'infrastructure.templateRef'),
      move('infrastructureNamingStrategy.template', 'infrastructure.naming.template', optionalText),
      nested('controlPlane', 'controlPlane', controlPlane),
      listOf('workers.machineDeployments', 'workers.machineDeployments', machineDeployment),
      listOf('workers.machinePools', 'workers.machinePools', [...workerClass, same('failureDomains')]),
      listOf('variables', 'variables', [same('name', requiredText), ...definition], byName),
      listOf('patches', 'patches', patch, byName),
      always('left', 'workers', () => ({})),
      same('upgrade'),
      same('kubernetesVersions'),
    ]),
    nested('status', 'status', [
      listOf('variables', 'variables', statusVariable, byName),
      ...conditionRules,
      same('observedGeneration'),
    ]),
    always('left', 'status', () => ({})),
  ],
  preserve: conversionData,
  unknown: 'warning',
});
