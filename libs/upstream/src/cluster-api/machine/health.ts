import { conditionOf } from '../conditions/conditions.js';
import { isGoing } from '../machines.js';
import { examine, isSkipped, matcherOf } from '../machine-health-check/health.js';
import type { MachineHealthCheck } from '../types.js';
import { isPaused } from '../writing/paused.js';
import type { MachineScope, MachineWork } from './scope.js';

/**
 * Finds out whether a new machine passes a health check. Written with the rest of the status, that takes no
 * write of its own for each machine. Upstream leaves it to the health check, as is every later result here.
 */
export async function findHealth({ context }: MachineWork, scope: MachineScope): Promise<void> {
  const { cluster, machine, node } = scope;
  const isReported = conditionOf(machine, 'HealthCheckSucceeded') !== undefined;
  if (isReported || node === undefined || isGoing(machine) || isSkipped(machine)) return;
  const { labels = {}, namespace = '' } = machine.metadata;
  const checks = await context.objects.list<MachineHealthCheck>('MachineHealthCheck', namespace);
  const own = checks.filter((check) => !isPaused(cluster, check) && matcherOf(check).matches(labels));
  const target = { machine, node, isNodeMissing: false };
  const findings = own.map((check) => examine(check, cluster, target, context.clock.now()));
  scope.isWell = findings.length > 0 && findings.every(({ health }) => health === 'healthy');
}
