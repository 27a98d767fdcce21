/** Health checks of machines: a kind of its own, and part of topologies. */
import { zeroValue } from '../engine/codec.js';
import { move, same } from '../engine/field-rules.js';
import { listOf } from '../engine/list-rules.js';
import { nested } from '../engine/record-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { ClusterApiContext, ClusterApiRule } from './common.js';
import {
  conditionRules,
  conversionData,
  optionalText,
  requiredRecord,
  requiredSeconds,
  requiredText,
  seconds,
  templateReference,
  typeAndMetadata,
} from './common.js';

/** When machines are unhealthy and what is done about it, wherever it is written. */
export const healthCheckRules: readonly ClusterApiRule[] = [
  listOf('unhealthyConditions', 'checks.unhealthyNodeConditions', [
    same('type', requiredText),
    same('status', requiredText),
    move('timeout', 'timeoutSeconds', requiredSeconds),
  ]),
  listOf('unhealthyMachineConditions', 'checks.unhealthyMachineConditions', [
    same('type'),
    same('status'),
    move('timeout', 'timeoutSeconds', requiredSeconds),
  ]),
  move('nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds', seconds),
  move('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo'),
  move('unhealthyRange', 'remediation.triggerIf.unhealthyInRange', optionalText),
  templateReference('remediationTemplate', 'remediation.templateRef'),
];

const distinguishedCount = zeroValue(0, { left: 'fill', right: 'distinguish' });

/** MachineHealthCheck, v1beta1 and v1beta2. */
export const machineHealthCheckMap = new TwoWayMap<ClusterApiContext>({
  rules: [
    ...typeAndMetadata('MachineHealthCheck'),
    nested('spec', 'spec', [same('clusterName', requiredText), same('selector', requiredRecord), ...healthCheckRules]),
    nested('status', 'status', [
      same('expectedMachines', distinguishedCount),
      same('currentHealthy', distinguishedCount),
      same('remediationsAllowed', distinguishedCount),
      same('observedGeneration'),
      same('targets'),
      ...conditionRules,
    ]),
  ],
  preserve: conversionData,
  unknown: 'warning',
});
