/**
 * The handover of authority as a table of states. Pure.
 *
 *   stable, as asked ── asked for the other ──> gates ──> Migrating
 *   Migrating: the old side acknowledges its pause ──> copies agree ──> finalizers on the new side
 *              ──> none on the old side ──> the host names the new side ──> one write: authority := the new side, generation := 0
 *   Migrating, asked for the old side again: finalizers back, and the same one write.
 *
 * Cluster API is paused in every state but one: Cluster API is authoritative, and Machine API has acknowledged.
 */
import type { Authority } from '../shared/model.js';
import type { HostConsumer } from './host.js';
import { HANDOVER_REASONS } from './reasons.js';
import type { HandoverReason } from './reasons.js';

/** What a handover is decided by. */
export interface HandoverState {
  readonly wanted: Authority;
  readonly current: Authority | 'Migrating';
  /** The last stable authority. */
  readonly from: Authority;
  /** A copy was deleted. */
  readonly isDeleting: boolean;
  /** The counterpart is there, whole. */
  readonly isWhole: boolean;
  /** The copies agree: while stable by the report of the last synchronisation, while migrating by a look at both. */
  readonly isSynchronized: boolean;
  /** The Machine API controllers report that they leave the object alone. */
  readonly isMachineApiPaused: boolean;
  readonly clusterApi: {
    /** Every object is to be left alone. */
    readonly isHeld: boolean;
    /** Some object is held by this operator. */
    readonly hasOwnPause: boolean;
    /** Every object is reported as left alone. */
    readonly isPaused: boolean;
    /** An object that is not held is reported as left alone: by a report from before it was let go. */
    readonly isReportStale: boolean;
    /** Some controller is there to act, where that cannot be taken for granted. */
    readonly isWatched: boolean;
  };
  /** Whether the old side knows the instance, or never asked for one. */
  readonly instance: 'settled' | 'pending' | 'failed';
  /** Whom the host of a machine on bare metal names. */
  readonly host: HostConsumer;
  /** Which sides have all finalizers of their controllers, and which have any that can be taken from them. */
  readonly finalizers: Readonly<Record<Authority, { readonly all: boolean; readonly any: boolean }>>;
}

export type HandoverDecision =
  | { readonly do: 'rest' }
  | { readonly do: 'wait'; readonly reason: HandoverReason; readonly message: string }
  /** Holds every Cluster API object. */
  | { readonly do: 'hold' }
  /** Lets Cluster API act. */
  | { readonly do: 'let-go' }
  | { readonly do: 'begin' }
  | { readonly do: 'add-finalizers'; readonly to: Authority }
  | { readonly do: 'remove-finalizers'; readonly from: Authority }
  /** The host names the side that is to act. */
  | { readonly do: 'give-host'; readonly to: Authority }
  | { readonly do: 'commit'; readonly to: Authority };

const names: Readonly<Record<Authority, string>> = { MachineAPI: 'Machine API', ClusterAPI: 'Cluster API' };

const wait = (reason: HandoverReason, message: string): HandoverDecision => ({ do: 'wait', reason, message });

/** The one thing to do next. */
export function decideHandover(state: HandoverState): HandoverDecision {
  if (state.current === 'Migrating') return migrating(state);
  return state.current === state.wanted ? stable(state, state.current) : requested(state, state.current);
}

function stable(state: HandoverState, current: Authority): HandoverDecision {
  const { clusterApi, isDeleting, isMachineApiPaused, isWhole } = state;
  if (current === 'MachineAPI') return clusterApi.isHeld || isDeleting ? { do: 'rest' } : { do: 'hold' };
  if (!isWhole || !clusterApi.hasOwnPause) return { do: 'rest' };
  if (isMachineApiPaused) return { do: 'let-go' };
  return wait(
    HANDOVER_REASONS.machineApi,
    'waiting for the Machine API controller to report Paused, before Cluster API may act',
  );
}

function requested(state: HandoverState, current: Authority): HandoverDecision {
  const { clusterApi, instance, isDeleting, isMachineApiPaused, isSynchronized, isWhole, wanted } = state;
  if (isDeleting) return wait(HANDOVER_REASONS.deleting, `stays with ${names[current]}: it is being deleted`);
  if (!isSynchronized || !isWhole)
    return wait(
      HANDOVER_REASONS.notSynchronized,
      `waiting for Synchronized=True of the current generation, to go to ${names[wanted]}`,
    );
  if (instance !== 'settled') return waitForInstance(instance, current);
  if (state.host === 'other')
    return wait(HANDOVER_REASONS.hostInUse, `stays with ${names[current]}: its host names another machine as consumer`);
  if (current === 'ClusterAPI') return { do: 'begin' };
  if (!clusterApi.isHeld) return { do: 'hold' };
  // A report from before the controller resumed could not be distinguished from its acknowledgement.
  if (isMachineApiPaused)
    return wait(
      HANDOVER_REASONS.machineApiResumes,
      'waiting for the Machine API controller to report that it is no longer paused',
    );
  if (!clusterApi.isWatched)
    return wait(HANDOVER_REASONS.clusterApi, 'waiting for a controller to report Paused on the copy in Cluster API');
  return { do: 'begin' };
}

function waitForInstance(instance: HandoverState['instance'], current: Authority): HandoverDecision {
  if (instance === 'failed')
    return wait(
      HANDOVER_REASONS.failed,
      `stays with ${names[current]}: the machine is Failed and names no instance; delete it`,
    );
  return wait(
    HANDOVER_REASONS.instancePending,
    `waiting for ${names[current]} to report the provider ID of the instance it may have created`,
  );
}

function migrating(state: HandoverState): HandoverDecision {
  const { finalizers, from, instance, isDeleting, isSynchronized, wanted } = state;
  if (from === wanted) return towards(state, wanted);
  // A copy that is being deleted takes no finalizer: the controllers of the side that has it end the deletion.
  if (isDeleting) return towards(state, finalizers[wanted].all ? wanted : from);
  const unacknowledged = from === 'MachineAPI' ? ofMachineApi(state) : ofClusterApi(state);
  if (unacknowledged !== undefined) return unacknowledged;
  if (instance !== 'settled') return towards(state, from);
  if (!isSynchronized)
    return wait(HANDOVER_REASONS.notSynchronized, 'waiting for the last changes to reach the other copy');
  return towards(state, wanted);
}

function ofMachineApi({ isMachineApiPaused }: HandoverState): HandoverDecision | undefined {
  if (isMachineApiPaused) return undefined;
  return wait(HANDOVER_REASONS.machineApi, 'waiting for the Machine API controller to report Paused');
}

function ofClusterApi({
  clusterApi: { isHeld, isPaused, isReportStale },
}: HandoverState): HandoverDecision | undefined {
  if (!isHeld) {
    if (!isReportStale) return { do: 'hold' };
    return wait(
      HANDOVER_REASONS.clusterApiResumes,
      'waiting for the Cluster API controllers to report that they are no longer paused',
    );
  }
  if (isPaused) return undefined;
  return wait(HANDOVER_REASONS.clusterApi, 'waiting for the Cluster API controllers to report Paused');
}

/** Finalizers first on the side that is to act, then off the other, then the host, then the authority. */
function towards({ finalizers, host, isDeleting }: HandoverState, to: Authority): HandoverDecision {
  const from = to === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';
  if (!finalizers[to].all && !isDeleting) return { do: 'add-finalizers', to };
  if (finalizers[from].any && finalizers[to].all) return { do: 'remove-finalizers', from };
  return host === from ? { do: 'give-host', to } : { do: 'commit', to };
}
