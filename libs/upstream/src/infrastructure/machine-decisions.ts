import { hasFinalizer } from '@capstan/kube';
import type { Instance } from '../cloud/instance.js';
import { isInfrastructureReady, isPaused } from './objects.js';
import type { Cluster, InfrastructureMachine, Machine } from './objects.js';
import type { InfrastructurePlatform } from './platforms.table.js';
import { reasonOf } from './status.js';

/** All that a decision about an infrastructure machine rests on. */
export interface MachineInputs {
  readonly row: InfrastructurePlatform;
  readonly infra: InfrastructureMachine;
  readonly owner: Machine | undefined;
  readonly cluster: Cluster | undefined;
  /** Its instance; undefined when the cloud shows none. */
  readonly instance: Instance | undefined;
  /** For how long this process has looked for an instance that the cloud does not list. */
  readonly missingForMs: number;
}

/** What is to be done about an infrastructure machine, and why. */
export type MachineDecision =
  | { readonly do: 'ignore'; readonly reason: string }
  | { readonly do: 'pause' }
  | { readonly do: 'adopt' }
  | { readonly do: 'wait'; readonly reason: string; readonly message: string }
  /** The cloud does not show what should be there: it may be too fresh. */
  | { readonly do: 'look-again' }
  | { readonly do: 'create'; readonly secret: string }
  | { readonly do: 'observe'; readonly instance: Instance }
  | { readonly do: 'fail'; readonly reason: string; readonly message: string }
  | { readonly do: 'terminate'; readonly instance: Instance }
  | { readonly do: 'await-end'; readonly instance: Instance }
  | { readonly do: 'release' };

/** The reason of the condition that is written before the cloud is first asked for an instance. */
export const PROVISION_STARTED = 'InstanceProvisionStarted';
/** The reason while a call to make an instance fails. */
export const PROVISION_FAILED = 'InstanceProvisionFailed';
/** The reason once the cloud has refused for good. */
export const CREATE_ERROR = 'CreateError';
const ASKED: ReadonlySet<string> = new Set([PROVISION_STARTED, PROVISION_FAILED, CREATE_ERROR]);
/** Longer than a cloud hides what is fresh, and than a call can be on its way. */
export const HIDDEN_MS = 60_000;

/** Decides about an infrastructure machine. */
export function decideMachine(inputs: MachineInputs): MachineDecision {
  const { cluster, infra, owner, row } = inputs;
  const isGoing = infra.metadata.deletionTimestamp != null;
  if (isGoing && !hasFinalizer(infra, row.machineFinalizer)) return { do: 'ignore', reason: 'it is going' };
  if (isPaused(infra, cluster)) return { do: 'pause' };
  if (isGoing) return decideEnd(inputs);
  if (owner === undefined) return { do: 'ignore', reason: 'no Machine owns it yet' };
  if (cluster === undefined) return { do: 'ignore', reason: 'its Cluster is not there yet' };
  if (!hasFinalizer(infra, row.machineFinalizer)) return { do: 'adopt' };
  if (infra.status?.failureReason !== undefined) return { do: 'ignore', reason: 'it has failed for good' };
  return infra.spec?.providerID === undefined ? decideBirth(owner, cluster) : decideLife(inputs);
}

/** Reports that the cloud may have been asked for the instance, where no condition reports it. */
export const ASKED_ANNOTATION = 'capstan.dev/instance-asked-for';

/** Whether the cloud may have been asked for an instance. */
export function mayHaveInstance({ infra, row }: Pick<MachineInputs, 'infra' | 'row'>): boolean {
  if (infra.spec?.providerID !== undefined || infra.metadata.annotations?.[ASKED_ANNOTATION] !== undefined) return true;
  return row.hasConditions !== false && ASKED.has(reasonOf(infra.status, row.condition) ?? '');
}

function decideEnd(inputs: MachineInputs): MachineDecision {
  const { instance, missingForMs } = inputs;
  if (instance?.state === 'terminated') return { do: 'release' };
  if (instance?.state === 'stopping') return { do: 'await-end', instance };
  if (instance !== undefined) return { do: 'terminate', instance };
  // A response may have been lost, and the instance that it reported may not be listed yet.
  return mayHaveInstance(inputs) && missingForMs < HIDDEN_MS ? { do: 'look-again' } : { do: 'release' };
}

function decideBirth(owner: Machine, cluster: Cluster): MachineDecision {
  if (!isInfrastructureReady(cluster))
    return {
      do: 'wait',
      reason: 'WaitingForClusterInfrastructure',
      message: 'the infrastructure of the Cluster is not ready',
    };
  const secret = owner.spec?.bootstrap?.dataSecretName ?? '';
  if (secret === '')
    return { do: 'wait', reason: 'WaitingForBootstrapData', message: 'the Machine names no bootstrap data yet' };
  return { do: 'create', secret };
}

function decideLife({ instance, missingForMs }: MachineInputs): MachineDecision {
  if (instance === undefined) {
    if (missingForMs < HIDDEN_MS) return { do: 'look-again' };
    return { do: 'fail', reason: 'InstanceNotFound', message: 'the instance is not there any more' };
  }
  if (instance.state === 'terminated')
    return { do: 'fail', reason: 'InstanceTerminated', message: `instance ${instance.id} was terminated` };
  return { do: 'observe', instance };
}
