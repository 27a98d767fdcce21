/** Machines and what makes machines. */
import type { Codec } from '../engine/codec.js';
import { restoredFirst, zeroValue } from '../engine/codec.js';
import { move, preserved, same, warned } from '../engine/field-rules.js';
import { listOf } from '../engine/list-rules.js';
import { nested } from '../engine/record-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { ClusterApiContext, ClusterApiRule } from './common.js';
import {
  conditionRules,
  conversionData,
  count,
  failureRules,
  machineSpecRules,
  newReplicaCounts,
  nodeReference,
  oldCount,
  optionalNumber,
  optionalText,
  requiredRecord,
  requiredText,
  typeAndMetadata,
} from './common.js';

/** A condition that v1beta1 can only hold as a plain boolean which is always written. */
export const initialized = zeroValue(false, { left: 'fill', right: 'distinguish' });

/** v1beta1 does not know the phase of a machine that is changed in place. */
const updatingIsRunning = (value: unknown): unknown => (value === 'Updating' ? 'Running' : value);
const phase: Codec = restoredFirst('right', {
  forward: (value) => value,
  backward: updatingIsRunning,
  normal: { left: updatingIsRunning },
});

const machineStatus: readonly ClusterApiRule[] = [
  nodeReference('nodeRef'),
  same('nodeInfo'),
  same('lastUpdated'),
  ...failureRules,
  listOf('addresses', 'addresses', [same('type', requiredText), same('address', requiredText)]),
  same('phase', phase),
  same('certificatesExpiryDate'),
  move('bootstrapReady', 'initialization.bootstrapDataSecretCreated', initialized),
  move('infrastructureReady', 'initialization.infrastructureProvisioned', initialized),
  same('observedGeneration'),
  same('deletion'),
  ...conditionRules,
  preserved('right', 'failureDomain'),
];

/** Machine, v1beta1 and v1beta2. */
export const machineMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('Machine'),
    nested('spec', 'spec', [...machineSpecRules, preserved('right', 'minReadySeconds')]),
    nested('status', 'status', machineStatus),
  ],
  preserve: conversionData,
  unknown: 'warning',
});

/** A template of machines with its selector and names: what MachineSet and MachineDeployment share. */
const machineTemplate: readonly ClusterApiRule[] = [
  same('clusterName', requiredText),
  same('replicas'),
  same('selector', requiredRecord),
  same('template.metadata', requiredRecord),
  nested('template.spec', 'template.spec', machineSpecRules),
  move('machineNamingStrategy.template', 'machineNaming.template', optionalText),
];

/** MachineSet, v1beta1 and v1beta2. Nothing of it has to be put aside. */
export const machineSetMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('MachineSet'),
    nested('spec', 'spec', [
      ...machineTemplate,
      move('minReadySeconds', 'template.spec.minReadySeconds', optionalNumber),
      move('deletePolicy', 'deletion.order', optionalText),
    ]),
    nested('status', 'status', [
      same('selector'),
      same('replicas', count),
      oldCount('fullyLabeledReplicas'),
      oldCount('readyReplicas'),
      oldCount('availableReplicas'),
      same('observedGeneration'),
      ...failureRules,
      ...conditionRules,
      ...newReplicaCounts,
    ]),
  ],
  unknown: 'warning',
});

/** How machines are replaced, in a MachineDeployment as in a topology. */
export const rolloutStrategy: readonly ClusterApiRule[] = [
  move('strategy.type', 'rollout.strategy.type', optionalText),
  move('strategy.rollingUpdate.maxUnavailable', 'rollout.strategy.rollingUpdate.maxUnavailable'),
  move('strategy.rollingUpdate.maxSurge', 'rollout.strategy.rollingUpdate.maxSurge'),
  move('strategy.rollingUpdate.deletePolicy', 'deletion.order', optionalText),
];

/** MachineDeployment, v1beta1 and v1beta2. */
export const machineDeploymentMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('MachineDeployment'),
    nested('spec', 'spec', [
      ...machineTemplate,
      ...rolloutStrategy,
      move('rolloutAfter', 'rollout.after'),
      move('strategy.remediation.maxInFlight', 'remediation.maxInFlight'),
      move('minReadySeconds', 'template.spec.minReadySeconds'),
      same('paused', zeroValue(false, { left: 'omit', right: 'distinguish' })),
      warned('left', 'revisionHistoryLimit', 'v1beta2 has no limit of old MachineSets'),
      warned('left', 'progressDeadlineSeconds', 'v1beta2 has no such field, and v1beta1 never used it'),
    ]),
    nested('status', 'status', [
      same('observedGeneration'),
      same('selector'),
      same('replicas', count),
      oldCount('updatedReplicas'),
      oldCount('readyReplicas'),
      oldCount('availableReplicas'),
      oldCount('unavailableReplicas'),
      same('phase'),
      ...conditionRules,
      ...newReplicaCounts,
    ]),
  ],
  preserve: conversionData,
  unknown: 'warning',
});

/** MachinePool, v1beta1 and v1beta2. */
export const machinePoolMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('MachinePool'),
    nested('spec', 'spec', [
      same('clusterName', requiredText),
      same('replicas'),
      same('template.metadata', requiredRecord),
      nested('template.spec', 'template.spec', machineSpecRules),
      move('minReadySeconds', 'template.spec.minReadySeconds'),
      same('providerIDList'),
      same('failureDomains'),
    ]),
    nested('status', 'status', [
      same('nodeRefs'),
      same('replicas', count),
      move('readyReplicas', 'deprecated.v1beta1.readyReplicas', optionalNumber),
      move('availableReplicas', 'deprecated.v1beta1.availableReplicas', optionalNumber),
      move('unavailableReplicas', 'deprecated.v1beta1.unavailableReplicas', optionalNumber),
      ...failureRules,
      same('phase'),
      move('bootstrapReady', 'initialization.bootstrapDataSecretCreated', initialized),
      move('infrastructureReady', 'initialization.infrastructureProvisioned', initialized),
      same('observedGeneration'),
      ...conditionRules,
      ...newReplicaCounts,
    ]),
  ],
  preserve: conversionData,
  unknown: 'warning',
});

/** MachineDrainRule, v1beta1 and v1beta2. */
export const machineDrainRuleMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('MachineDrainRule'),
    same('spec.drain.behavior', requiredText),
    same('spec.drain.order'),
    same('spec.machines'),
    same('spec.pods'),
  ],
  unknown: 'warning',
});
