import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import type { Change } from '@capstan/kube';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Snapshot } from '../snapshot.js';
import { isDeleting } from '../resources.js';
import { withEntries } from './shared.js';

/** Why a machine goes neither on nor back until somebody does something, and what. */
export interface Stuck {
  readonly reason: string;
  readonly message: string;
}

/** By it a MachineHealthCheck replaces a machine whose node is well. */
const REMEDIATE_ANNOTATION = 'cluster.x-k8s.io/remediate-machine';
/** Cluster API looks for budgets after as long. */
export const DRAIN_TIMEOUT_MS = 5 * 60_000;
const BUDGET =
  /annot evict pod as it would violate the pod's disruption budget\. The disruption budget (\S+) needs (\d+) healthy pods and has (\d+) currently/;
/** Of a line of Cluster API; with what is said around it a message stays below 200 characters. */
const MOST_OF_A_LINE = 110;

function find(machine: Machine, type: string): Condition | undefined {
  return getCondition(machine.status?.conditions as readonly Condition[] | undefined, type);
}

/** A machine whose infrastructure somebody took away, behind the back of Cluster API. */
export function hasLostInfrastructure(machine: Machine): boolean {
  const condition = find(machine, 'InfrastructureReady');
  return !isDeleting(machine) && condition?.status === 'False' && condition.reason === 'ObjectDeleted';
}

/** How long a machine that goes may still be drained before that is worth a word; undefined when it is not drained. */
export function drainLeftMs(machine: Machine, nowMs: number): number | undefined {
  const { deletionTimestamp } = machine.metadata;
  if (deletionTimestamp == null || find(machine, 'Deleting')?.reason !== 'DrainingNode') return undefined;
  return Date.parse(deletionTimestamp) + DRAIN_TIMEOUT_MS - nowMs;
}

/** The first that Cluster API says of pods that do not leave; shorter where that is a budget. */
function obstacle(text: string): string {
  const [line = 'its pods do not leave'] = text.split('\n').filter((each) => each.startsWith('* '));
  const [, name, needs, has] = BUDGET.exec(line) ?? [];
  const pods = line.replace(/^\* /, '').replace(/: .*$/, '');
  const said =
    name === undefined ? line.slice(2) : `${pods}: PodDisruptionBudget ${name} needs ${needs} pods, has ${has}`;
  return said.length > MOST_OF_A_LINE ? `${said.slice(0, MOST_OF_A_LINE - 3)}...` : said;
}

/** What keeps a machine where it is; undefined when nothing does that only somebody can mend. */
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
export function remediateMachines({ made, nodePool }: Pick<Snapshot, 'made' | 'nodePool'>): readonly Change[] {
  if (nodePool.spec.management.autoRepair !== true) return [];
  return made.machines
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
