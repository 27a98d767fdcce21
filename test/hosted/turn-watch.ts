import { acknowledgedLock, conditionsOf, HOSTED_CLUSTERS, lockOf, NODE_POOLS, turnOf } from '@capstan/hosting';
import type { OperatorMode } from '@capstan/hosting';
import type { ClientName } from '@capstan/hypershift';
import { deepEqual } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { CommitEvent, SimulationEvent } from '@capstan/simulation';
import { clusterOfCommit } from './private.js';

/** What is on its way when the annotations of a cluster are changed by hand, without a lock. */
const IN_FLIGHT_MS = 10_000;
/** Fields by which the operator on private types marks, locks and reports clusters that others reconcile. */
const MARKS = /^(?:metadata\.annotations\.hypershift\.openshift\.io\/|status\.PrivateCAPIMigration$)/;
/** Controllers of the operator on private types that may write of such clusters, by the end of their user agent. */
const MIGRATION: ClientName = 'MigrationController';
const MARKING: readonly ClientName[] = [MIGRATION, 'turns'];

interface Watched {
  cluster: KubeObject;
  /** When a user has changed its annotations last. */
  changedByHandAt: number;
  readonly pools: Map<string, KubeObject>;
}

/** Whose turn it is, at every commit of an operator that concerns a HostedCluster. */
export class TurnWatch {
  readonly problems: string[] = [];
  /** Operators that have reconciled each cluster, in their order; one that goes on is there once. */
  readonly turns = new Map<string, string[]>();
  readonly #modes: Readonly<Record<string, OperatorMode>>;
  readonly #watched = new Map<string, Watched>();
  /** Whether operators must not act at all: one from before them still runs. */
  isTooEarly: (process: string) => boolean = () => false;

  constructor(modes: Readonly<Record<string, OperatorMode>>) {
    this.#modes = modes;
  }

  /** To be given to a simulation. */
  readonly onEvent = (event: SimulationEvent): void => {
    if (event.type !== 'commit' || event.object.kind === 'Event') return;
    const name = clusterOfCommit(event);
    if (name === undefined) return;
    const mode = this.#modes[event.process];
    const watched = this.#watched.get(name);
    if (mode !== undefined && watched !== undefined) this.#check(name, mode, { event, watched });
    this.#keep(name, event);
  };

  #check(
    name: string,
    mode: OperatorMode,
    { event, watched }: { readonly event: CommitEvent; readonly watched: Watched },
  ): void {
    const { at, process } = event;
    if (this.isTooEarly(process)) this.#problem(event, 'while an operator from before it runs');
    const turn = turnOf(mode, watched.cluster);
    if (turn.do === 'reconcile') {
      const turns = this.turns.get(name) ?? [];
      if (turns.at(-1) !== process) this.turns.set(name, [...turns, process]);
      return;
    }
    const changes = changesOf(event);
    const isAcknowledging = turn.do === 'acknowledge' && !hasAcknowledged(watched, turn.lock);
    const isInFlight = at - watched.changedByHandAt < IN_FLIGHT_MS;
    // A process that restarts with another clock repeats its last write.
    if (changes.length === 0 || isAcknowledging || isInFlight) return;
    if (mode.kind === 'private' && isOfMigration(watched, event, changes)) return;
    this.#problem(event, `when its turn is to ${turn.do}: ${changes.join(', ')}`);
  }

  #keep(name: string, { at, change, object, process }: CommitEvent): void {
    const found = this.#watched.get(name);
    if (object.kind === HOSTED_CLUSTERS.kind) {
      if (change === 'delete') this.#watched.delete(name);
      else if (found === undefined)
        this.#watched.set(name, { cluster: object, changedByHandAt: Number.NEGATIVE_INFINITY, pools: new Map() });
      else {
        const isByHand =
          this.#modes[process] === undefined &&
          !deepEqual(found.cluster.metadata.annotations, object.metadata.annotations);
        if (isByHand) found.changedByHandAt = at;
        found.cluster = object;
      }
    }
    if (object.kind !== NODE_POOLS.kind || found === undefined) return;
    if (change === 'delete') found.pools.delete(object.metadata.uid ?? '');
    else found.pools.set(object.metadata.uid ?? '', object);
  }

  #problem({ userAgent, change, name, namespace, process, resource, revision }: CommitEvent, what: string): void {
    this.problems.push(
      `${process} (${userAgent}) ${change}s ${resource} ${namespace}/${name} at revision ${revision} ${what}`,
    );
  }
}

/**
 * What the operator on private types writes of clusters that others reconcile: marks, and everything under its lock. That is the
 * migration's alone: the controllers of HostedClusters and NodePools in the same process have stopped like those of the other.
 */
function isOfMigration({ cluster }: Watched, { userAgent, object }: CommitEvent, changes: readonly string[]): boolean {
  const isBy = (controller: ClientName): boolean => userAgent.endsWith(`/${controller}`);
  if (lockOf(cluster).holder === 'migration') return isBy(MIGRATION);
  return MARKING.some(isBy) && object.kind === HOSTED_CLUSTERS.kind && changes.every((each) => MARKS.test(each));
}

/** Whether the cluster and all of its NodePools have acknowledged a lock. */
function hasAcknowledged({ cluster, pools }: Watched, lock: string): boolean {
  return [cluster, ...pools.values()].every(
    (each) => acknowledgedLock(conditionsOf(each as Parameters<typeof conditionsOf>[0])) === lock,
  );
}

/** Annotations, conditions and other fields that a write changed, as paths; times alone are no change. */
function changesOf({ change, object, previous }: CommitEvent): readonly string[] {
  if (change !== 'update') return [change];
  const [is, was] = [fieldsOf(object), fieldsOf(previous)];
  return [...new Set([...is.keys(), ...was.keys()])].filter((path) => !deepEqual(is.get(path), was.get(path)));
}

function fieldsOf(object: KubeObject | undefined): ReadonlyMap<string, unknown> {
  const { metadata, status, ...rest }: Partial<KubeObject> = object ?? {};
  const { annotations = {}, finalizers, labels, ownerReferences } = metadata ?? {};
  const { conditions = [], ...fields } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return new Map<string, unknown>([
    ...Object.entries(rest),
    ...Object.entries({ finalizers, labels, ownerReferences }),
    ...Object.entries(annotations).map(([key, value]): [string, unknown] => [`metadata.annotations.${key}`, value]),
    ...Object.entries(fields).map(([key, value]): [string, unknown] => [`status.${key}`, value]),
    ...conditions.map((each): [string, unknown] => [`status.${each.type}`, { ...each, lastTransitionTime: undefined }]),
  ]);
}
