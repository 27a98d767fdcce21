import type { JsonSchema, Rule } from '@capstan/api/model';

import { openshift, openshiftModule } from './openshift.js';
import type { Addition, DraftGroup, RuleAddition } from './sources.js';

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
const members = ['machines_v1beta1_machine_openshift_io', 'machines_v1beta2_cluster_x_k8s_io'];
const reason = 'control plane machines may be of Cluster API: an infrastructure template and names of failure domains';

const taint: JsonSchema = {
  type: 'object',
  required: ['effect', 'key', 'propagation'],
  properties: {
    effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
    key: text(317),
    propagation: { type: 'string', enum: ['Always', 'OnInitialization'] },
    value: { type: 'string', maxLength: 63 },
  },
};

/** The spec that machines of Cluster API have, as far as one template serves them all. */
const spec: JsonSchema = {
  type: 'object',
  required: ['clusterName', 'infrastructureRef'],
  properties: {
    bootstrap: { type: 'object', properties: { dataSecretName: text(253) } },
    clusterName: text(63),
    deletion: {
      type: 'object',
      properties: { nodeDeletionTimeoutSeconds: { type: 'integer', format: 'int32', minimum: 0 } },
    },
    failureDomain: text(256),
    infrastructureRef: {
      type: 'object',
      required: ['apiGroup', 'kind', 'name'],
      properties: { apiGroup: text(253), kind: text(63), name: text(253) },
    },
    taints: { type: 'array', maxItems: 64, items: taint, 'x-kubernetes-list-type': 'atomic' },
  },
};

const gate = 'MachineAPIMigration';
const authorities = ['MachineAPI', 'ClusterAPI'];
const chosen: JsonSchema = { type: 'string', enum: authorities };

const noDefault = (path: string): Addition => ({
  path,
  schema: chosen,
  replaces: true,
  gate,
  reason: 'a default would decide for MachineAPI where a counterpart of Cluster API exists: admission decides',
});

/** The fields of which API acts, in kinds whose authors do not have it. */
function authorityFields(version: string): readonly Addition[] {
  const why = 'health checks and control planes are handed over like the machines they manage';
  const field = (path: string, schema: JsonSchema): Addition => ({
    path: `${version}.${path}`,
    schema,
    gate,
    reason: why,
  });
  const transition: Rule = {
    rule: "self == 'Migrating' || self == oldSelf || oldSelf == 'Migrating'",
    message:
      'The authoritativeAPI field must not transition directly from MachineAPI to ClusterAPI or vice versa. It must transition through Migrating.',
  };
  return [
    field('spec.authoritativeAPI', chosen),
    field('status.authoritativeAPI', {
      type: 'string',
      enum: [...authorities, 'Migrating'],
      'x-kubernetes-validations': [transition],
    }),
    field('status.synchronizedAPI', chosen),
    field('status.synchronizedGeneration', { type: 'integer', format: 'int64', minimum: 0 }),
  ];
}

/** That of its authors is for `status` alone, and is not asked where a write leaves out the whole status. */
const keptWithStatus = (version: string): RuleAddition => ({
  path: version,
  rules: [
    {
      message: 'authoritativeAPI may not be removed once set',
      rule: '!has(oldSelf.status) || !has(oldSelf.status.authoritativeAPI) || has(self.status)',
    },
  ],
  gate,
  reason: 'an object without authority would be adopted again, by both APIs in turn',
});

/** The rules that Machines and MachineSets have for the same fields. */
function authorityRules(version: string): RuleAddition {
  const rules: readonly Rule[] = [
    {
      fieldPath: '.synchronizedGeneration',
      message:
        'synchronizedGeneration must not decrease unless authoritativeAPI is transitioning from Migrating to another value',
      reason: 'FieldValueInvalid',
      rule: "!has(oldSelf.synchronizedGeneration) || (has(self.synchronizedGeneration) && self.synchronizedGeneration >= oldSelf.synchronizedGeneration) || (oldSelf.authoritativeAPI == 'Migrating' && self.authoritativeAPI != 'Migrating')",
    },
    {
      message: 'authoritativeAPI may not be removed once set',
      rule: 'has(self.authoritativeAPI) || !has(oldSelf.authoritativeAPI)',
    },
  ];
  return { path: `${version}.status`, rules, gate, reason: 'its fields change as those of Machines do' };
}

/** Rules that are ours in machines and their sets. */
const machineRules: readonly RuleAddition[] = [keptWithStatus('v1beta1')];

/** What is otherwise in machines. */
const machineAdditions: readonly Addition[] = [noDefault('v1beta1.spec.authoritativeAPI')];

/** What is otherwise in sets of machines. */
const machineSetAdditions: readonly Addition[] = [
  noDefault('v1beta1.spec.authoritativeAPI'),
  noDefault('v1beta1.spec.template.spec.authoritativeAPI'),
];

/** What is ours in health checks. */
const healthCheckAdditions: readonly Addition[] = authorityFields('v1beta1');

/** Rules that are ours in health checks. */
const healthCheckRules: readonly RuleAddition[] = [authorityRules('v1beta1'), keptWithStatus('v1beta1')];

/** Rules that are ours in sets of control plane machines. */
const controlPlaneRules: readonly RuleAddition[] = [
  authorityRules('v1'),
  keptWithStatus('v1'),
  {
    path: 'v1.spec.template',
    rules: [
      {
        message:
          'machines_v1beta2_cluster_x_k8s_io configuration is required when machineType is machines_v1beta2_cluster_x_k8s_io, and forbidden otherwise',
        rule: "has(self.machineType) && self.machineType == 'machines_v1beta2_cluster_x_k8s_io' ?  has(self.machines_v1beta2_cluster_x_k8s_io) : !has(self.machines_v1beta2_cluster_x_k8s_io)",
      },
    ],
    gate,
    reason,
  },
];

/** What is ours in sets of control plane machines. */
const controlPlaneAdditions: readonly Addition[] = [
  ...authorityFields('v1'),
  noDefault('v1.spec.template.machines_v1beta1_machine_openshift_io.spec.authoritativeAPI'),
  {
    path: 'v1.spec.template.machineType',
    schema: { type: 'string', enum: members },
    required: true,
    replaces: true,
    gate,
    reason,
  },
  {
    path: 'v1.spec.template.machines_v1beta2_cluster_x_k8s_io',
    schema: {
      type: 'object',
      required: ['metadata', 'spec'],
      properties: {
        failureDomains: { type: 'array', maxItems: 100, items: text(256), 'x-kubernetes-list-type': 'atomic' },
        metadata: { type: 'object', required: ['labels'], properties: { annotations: texts, labels: texts } },
        spec,
      },
    },
    gate,
    reason,
  },
];

const healthChecks = openshift('machine/v1beta1', '0000_10_machine-api_01_machinehealthchecks');

/** The kinds of Machine API. */
export const machineGroup: DraftGroup = {
  folder: 'machine',
  module: openshiftModule,
  names: {
    'Machine.spec.lifecycleHooks': 'LifecycleHooks',
    'Machine.spec.lifecycleHooks.preDrain': 'LifecycleHook',
    'Machine.spec.metadata': 'TemplateMetadata',
    'Machine.spec.taints': 'Taint',
    'Machine.status.addresses': 'MachineAddress',
    'Machine.status.lastOperation': 'LastOperation',
    'Machine.status.nodeRef': 'ObjectReference',
    'Machine.status.conditions': 'MachineCondition',
    'MachineSet.spec.template': 'MachineTemplate',
    'MachineHealthCheck.spec.unhealthyConditions': 'UnhealthyCondition',
    'ControlPlaneMachineSet.spec.template': 'ControlPlaneMachineSetTemplate',
    'ControlPlaneMachineSet.spec.template.machines_v1beta1_machine_openshift_io.failureDomains': 'FailureDomains',
    'ControlPlaneMachineSet.spec.selector.matchExpressions': 'LabelRequirement',
  },
  kinds: [
    ...[
      { name: 'machine-api_01_machines', additions: machineAdditions },
      { name: 'machine-api_01_machinesets', additions: machineSetAdditions },
    ].map(({ additions, name }) => ({
      file: openshift('machine/v1beta1', `0000_10_${name}-Default`),
      gates: { MachineAPIMigration: openshift('machine/v1beta1', `0000_10_${name}-TechPreviewNoUpgrade`) },
      additions,
      moreRules: machineRules,
    })),
    {
      file: healthChecks,
      // Its authors have no variant of it: what the gate brings is ours.
      gates: { MachineAPIMigration: healthChecks },
      additions: healthCheckAdditions,
      moreRules: healthCheckRules,
    },
    {
      file: openshift('machine/v1', '0000_10_control-plane-machine-set_01_controlplanemachinesets-Default'),
      gates: {
        MachineAPIMigration: openshift(
          'machine/v1',
          '0000_10_control-plane-machine-set_01_controlplanemachinesets-TechPreviewNoUpgrade',
        ),
      },
      additions: controlPlaneAdditions,
      moreRules: controlPlaneRules,
    },
  ],
};
