import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import type { Change } from '@capstan/kube';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Snapshot } from '../snapshot.js';
import { isDeleting } from '../resources.js';
import { withEntries } from './shared.js';

/** Why a machine makes no progress until the user acts, and what to do. */
export interface Stuck {
  readonly reason: string;
  readonly message: string;
}

/** A MachineHealthCheck replaces a machine with it although its node is healthy. */
const REMEDIATE_ANNOTATION = 'cluster.x-k8s.io/remediate-machine';
/** How long a drain may last before it is reported; Cluster API checks budgets after as long. */
export const DRAIN_TIMEOUT_MS = 5 * 60_000;
const BUDGET =
  /annot evict pod as it would violate the pod's disruption budget\. The disruption budget (\S+) needs (\d+) healthy pods and has (\d+) currently/;
/** Characters of a line of Cluster API; with the text around it a message stays below 200. */
const MOST_OF_A_LINE = 110;

function find(machine: Machine, type: string): Condition | undefined {
  return getCondition(machine.status?.conditions as readonly Condition[] | undefined, type);
}

/** A machine whose infrastructure was deleted, though not by Cluster API. */
export function hasLostInfrastructure(machine: Machine): boolean {
  const condition = find(machine, 'InfrastructureReady');
  return !isDeleting(machine) && condition?.status === 'False' && condition.reason === 'ObjectDeleted';
}

/** After how long the drain of a machine is reported; undefined when it is not being drained. */
export function drainLeftMs(machine: Machine, nowMs: number): number | undefined {
  const { deletionTimestamp } = machine.metadata;
  if (deletionTimestamp == null || find(machine, 'Deleting')?.reason !== 'DrainingNode') return undefined;
  return Date.parse(deletionTimestamp) + DRAIN_TIMEOUT_MS - nowMs;
}

/** The first line of Cluster API about pods that cannot be evicted; shortened for a PodDisruptionBudget. */
function obstacle(text: string): string {
  const [line = 'its pods do not leave'] = text.split('\n').filter((each) => each.startsWith('* '));
  const [, name, needs, has] = BUDGET.exec(line) ?? [];
  const pods = line.replace(/^\* /, '').replace(/: .*$/, '');
  const detail =
    name === undefined ? line.slice(2) : `${pods}: PodDisruptionBudget ${name} needs ${needs} pods, has ${has}`;
  return detail.length > MOST_OF_A_LINE ? `${detail.slice(0, MOST_OF_A_LINE - 3)}...` : detail;
}

/** Why a machine is stuck; undefined when it is not, or needs no user to go on. */
export function stuckOf(
  machine: Machine,
  { nodePool, nowMs }: Pick<Snapshot, 'nodePool' | 'nowMs'>,
): Stuck | undefined {
  if (hasLostInfrastructure(machine)) {
    const { message, reason } = find(machine, 'InfrastructureReady') ?? { message: '', reason: '' };
    const isRepaired = nodePool.spec.management.autoRepair === true;
    const advice = isRepaired ? 'it is replaced' : 'delete the Machine, or set spec.management.autoRepair';
    return { reason, message: `${message}: ${advice}` };
  }
  const leftMs = drainLeftMs(machine, nowMs);
  if (leftMs === undefined || leftMs > 0) return undefined;
  const since = machine.metadata.deletionTimestamp ?? '';
  const text = obstacle(find(machine, 'Deleting')?.message ?? '');
  return { reason: 'DrainingNode', message: `since ${since}: ${text}: help them, or set spec.nodeDrainTimeout` };
}

/** Machines without infrastructure that are to be repaired: their nodes may be well, and a health check looks at nodes. */
export function remediateMachines({ existing, nodePool }: Pick<Snapshot, 'existing' | 'nodePool'>): readonly Change[] {
  if (nodePool.spec.management.autoRepair !== true) return [];
  return existing.machines
    .filter(
      (machine) => hasLostInfrastructure(machine) && machine.metadata.annotations?.[REMEDIATE_ANNOTATION] === undefined,
    )
    .map((machine) => {
      const annotations = withEntries(machine.metadata.annotations, { [REMEDIATE_ANNOTATION]: '' });
      return {
        verb: 'patch',
        kind: MACHINES,
        before: machine,
        after: { ...machine, metadata: { ...machine.metadata, annotations } },
      };
    });
}
