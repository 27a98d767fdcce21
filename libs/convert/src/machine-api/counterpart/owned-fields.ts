/** Fields of a status that a conversion writes: they are removed where it gives none. All others are left alone. */
import type { JsonObject } from '@capstan/meta';
import type { Path } from '../../engine/path.js';
import { CONTROL_PLANE_COUNTS } from '../control-plane-status.js';
import { CLUSTER_API_GROUP } from '../names.js';

const paths = (...list: readonly string[]): readonly Path[] => list.map((path) => path.split('.'));

const failure = ['deprecated.v1beta1.failureReason', 'deprecated.v1beta1.failureMessage'];
const counts = ['replicas', 'readyReplicas', 'availableReplicas'];
const checks = paths('expectedMachines', 'currentHealthy', 'remediationsAllowed');

const clusterApi: Readonly<Record<string, readonly Path[]>> = {
  Machine: paths('phase', 'nodeRef', 'addresses', 'lastUpdated', 'initialization', ...failure),
  MachineSet: paths(...counts, 'selector', ...failure),
  MachineHealthCheck: checks,
};

const machineApi: Readonly<Record<string, readonly Path[]>> = {
  Machine: paths('phase', 'nodeRef', 'addresses', 'lastUpdated', 'errorReason', 'errorMessage'),
  MachineSet: paths(...counts, 'fullyLabeledReplicas', 'labelSelector', 'errorReason', 'errorMessage'),
  MachineHealthCheck: checks,
  ControlPlaneMachineSet: paths(...CONTROL_PLANE_COUNTS),
};

/** Of an object of either API. */
export function ownedFields({ apiVersion, kind }: JsonObject): readonly Path[] {
  const isClusterApi = typeof apiVersion === 'string' && apiVersion.startsWith(`${CLUSTER_API_GROUP}/`);
  return (isClusterApi ? clusterApi : machineApi)[String(kind)] ?? [];
}
