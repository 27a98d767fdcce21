import type { EventChannel } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { LastObserved } from '../../runtime/last-observed.js';
import type { External } from '../external/external-objects.js';
import type { Announce, ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineDeployment, MachineSet, Node } from '../types.js';

/** What a reconciliation of a machine knows so far. */
export interface MachineScope {
  readonly cluster: Cluster;
  readonly machine: Machine;
  readonly set?: MachineSet | undefined;
  readonly deployment?: MachineDeployment | undefined;
  bootstrap?: External | undefined;
  isBootstrapMissing?: boolean | undefined;
  infrastructure?: External | undefined;
  isInfrastructureMissing?: boolean | undefined;
  node?: Node | undefined;
  /** Why the node could not be looked for. */
  nodeError?: { readonly error: unknown } | undefined;
  /** For every health check that selects it, none of which has reported it yet. */
  isWell?: boolean | undefined;
  deleting?: { readonly reason: string; readonly message: string } | undefined;
}

export interface MachineWork {
  readonly context: ControllerContext;
  readonly announce: Announce;
  /** Sends events for the objects of providers. */
  readonly foreign: EventChannel;
  /** Sends events for nodes. */
  readonly nodes: EventChannel<Node>;
  /** Machines not to be reconciled before a time, by key, whatever happens to them. */
  readonly deferred: Map<string, number>;
  /** What machines were decided on, by key. */
  readonly looks: LastObserved;
  /** Whether the taints of a machine go to its node. */
  readonly propagatesTaints: boolean;
  /** How long a cluster may not be reached before nodes count as unknown. */
  readonly remoteConditionsGraceMs: number;
}

export const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** The conditions of a machine that only this controller writes. */
export const OWNED_CONDITIONS = {
  owned: [
    'Paused',
    'Available',
    'Ready',
    'BootstrapConfigReady',
    'InfrastructureReady',
    'NodeReady',
    'NodeHealthy',
    'Deleting',
    'Updating',
  ],
  ownedOld: ['Ready', 'BootstrapReady', 'InfrastructureReady', 'DrainingSucceeded'],
} as const;
