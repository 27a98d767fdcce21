import { controllerOf, isControlledBy, matcherFromSet } from '@capstan/meta';
import type { LastObserved } from '../../runtime/last-observed.js';
import { controllerReferenceTo, withOwner } from '../owners.js';
import type { Announce, ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineDeployment, MachineSet } from '../types.js';
import type { Unsettled } from '../writing/unsettled.js';

/** What a reconciliation of a set knows so far. */
export interface SetScope {
  readonly cluster: Cluster;
  readonly set: MachineSet;
  /** The deployment it belongs to, if any. */
  deployment?: MachineDeployment | undefined;
  /** Undefined when they could not be listed. */
  machines?: Machine[] | undefined;
  isBootstrapMissing?: boolean | undefined;
  isInfrastructureMissing?: boolean | undefined;
  /** Why it may not grow. */
  preflight?: readonly string[] | undefined;
}

export interface SetWork {
  readonly context: ControllerContext;
  readonly announce: Announce;
  /** Machines whose creation is unconfirmed. */
  readonly unsettled: Unsettled;
  /** With what machines were found to be as their set wants them, by uid. */
  readonly synced: LastObserved;
}

/** Lists the machines of a set, adopting those that match and have no controller. */
export async function findMachines({ context, announce }: SetWork, scope: SetScope): Promise<void> {
  const { set } = scope;
  const matcher = matcherFromSet(set.spec.selector.matchLabels ?? {});
  const found: Machine[] = [];
  for (const machine of await context.objects.list<Machine>('Machine', set.metadata.namespace ?? '', matcher)) {
    if (controllerOf(machine) !== undefined) {
      if (isControlledBy(machine, set)) found.push(machine);
      continue;
    }
    const name = JSON.stringify(machine.metadata.name ?? '');
    try {
      const ownerReferences = withOwner(machine.metadata.ownerReferences, controllerReferenceTo(set));
      const owned = { ...machine, metadata: { ...machine.metadata, ownerReferences } };
      found.push(await context.objects.patch('Machine', machine, owned));
      announce(set, { type: 'Normal', reason: 'SuccessfulAdopt', message: `Adopted Machine ${name}` });
    } catch (error) {
      const message = `Failed to adopt Machine ${name}: ${String(error)}`;
      announce(set, { type: 'Warning', reason: 'FailedAdopt', message });
    }
  }
  scope.machines = found;
}
