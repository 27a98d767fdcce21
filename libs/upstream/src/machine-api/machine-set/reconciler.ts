import { eventSubject, patchFrom, TerminalError } from '@capstan/kube';
import type { EventRecorder, Manager, ReconcileContext, Request, Result } from '@capstan/kube';
import { compareBytes, controllerOf, ignoreNotFound, isNotFound, withControllerReference } from '@capstan/meta';
import type { AuthorityGate } from '../authority-gate.js';
import { found } from '../machine/drain.js';
import { MACHINE_SETS, MACHINES, NODES } from '../resources.js';
import type { Machine, MachineSet, NodeObject } from '../resources.js';
import { decideScaling, membersOf, newMachine, nextSetStatus, setProblem } from './decide.js';

/** Keeps as many machines as a set wants. */
export class MachineSetReconciler {
  readonly #manager: Manager;
  readonly #gate: AuthorityGate;
  readonly #events: EventRecorder;

  constructor(manager: Manager, gate: AuthorityGate) {
    this.#manager = manager;
    this.#gate = gate;
    this.#events = manager.eventRecorder('machineset-controller');
  }

  /** Reconciles one MachineSet. Machines of a set that is gone go with it, by their owner references. */
  async reconcile({ namespace, name }: Request, context: ReconcileContext): Promise<Result | void> {
    const { cache } = this.#manager;
    const set = await found(cache.get<MachineSet>(MACHINE_SETS, name, { namespace }));
    if (set === undefined || set.metadata.deletionTimestamp != null) return;
    if (!(await this.#gate.permits(MACHINE_SETS, set))) return;
    const problem = setProblem(set);
    if (problem !== undefined) {
      this.#events.record(eventSubject(set), { type: 'Warning', reason: 'ReconcileError', message: problem });
      throw new TerminalError(problem);
    }
    const { items } = await cache.list<Machine>(MACHINES, { namespace });
    const members = await this.#adopt(set, membersOf(set, items));
    const { failure, members: after } = await this.#scale(set, members, context);
    const requeueAfterMs = await this.#report(set, after);
    if (failure !== undefined) throw failure;
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  async #adopt(set: MachineSet, members: readonly Machine[]): Promise<readonly Machine[]> {
    const adopted: Machine[] = [];
    for (const machine of members) {
      if (controllerOf(machine) !== undefined) adopted.push(machine);
      else {
        const ownerReferences = withControllerReference(machine, set);
        const after: Machine = { ...machine, metadata: { ...machine.metadata, ownerReferences } };
        adopted.push(
          await patchFrom(this.#manager.client, MACHINES, { before: machine, after }, { optimisticLock: true }),
        );
      }
    }
    return adopted;
  }

  /**
   * What the cache shows is enough to see that nothing is to be done. Before anything is done the server is asked: a
   * machine made or deleted a moment ago may not have been seen yet, and a second instance costs money.
   */
  async #scale(
    set: MachineSet,
    cached: readonly Machine[],
    { signal }: ReconcileContext,
  ): Promise<{ readonly members: readonly Machine[]; readonly failure?: unknown }> {
    const { client, clock } = this.#manager;
    const first = decideScaling(set, cached, clock.now());
    if (first.create === 0 && first.remove.length === 0) return { members: cached };
    const live = await this.#current(set, signal);
    if (live === undefined) return { members: cached };
    const { namespace } = live.metadata;
    const { items } = await client.list<Machine>(MACHINES, { namespace, signal });
    const members = new Map(membersOf(live, items).map((machine) => [machine.metadata.uid ?? '', machine]));
    const { create, remove } = decideScaling(live, [...members.values()], clock.now());
    try {
      for (let count = 0; count < create; count += 1) {
        const machine = await client.create<Machine>(MACHINES, newMachine(live), { signal });
        members.set(machine.metadata.uid ?? '', machine);
      }
      for (const machine of remove) {
        await this.#delete(machine, signal);
        members.delete(machine.metadata.uid ?? '');
      }
      return { members: byName(members) };
    } catch (failure) {
      return { members: byName(members), failure };
    }
  }

  /** The set as the server has it; undefined when it is not the one that was read, or no longer ours to act on. */
  async #current({ metadata, status }: MachineSet, signal: AbortSignal): Promise<MachineSet | undefined> {
    const { name = '', namespace, uid } = metadata;
    const live = await found(this.#manager.client.get<MachineSet>(MACHINE_SETS, name, { namespace, signal }));
    if (live?.metadata.uid !== uid || live?.metadata.deletionTimestamp != null) return undefined;
    return live?.status?.authoritativeAPI === status?.authoritativeAPI ? live : undefined;
  }

  async #delete({ metadata }: Machine, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, resourceVersion, uid } = metadata;
    try {
      // Locked: who was chosen without a mark may have been given one to a better end since.
      const preconditions = { uid, resourceVersion };
      await this.#manager.client.delete(MACHINES, name, { namespace, preconditions, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Writes the status; gives when to look again because a machine becomes available by time alone. */
  async #report(set: MachineSet, members: readonly Machine[]): Promise<number | undefined> {
    const { cache, client, clock } = this.#manager;
    const nodes = new Map((await cache.list<NodeObject>(NODES)).items.map((node) => [node.metadata.name ?? '', node]));
    const status = nextSetStatus(set, members, (name) => nodes.get(name), clock.now());
    const after: MachineSet = { ...set, status };
    await patchFrom(
      client,
      MACHINE_SETS,
      { before: set, after },
      { subresource: 'status', optimisticLock: true },
    ).catch(ignoreNotFound);
    const minReadyMs = (set.spec?.minReadySeconds ?? 0) * 1000;
    return minReadyMs > 0 && status.readyReplicas !== status.availableReplicas ? minReadyMs : undefined;
  }
}

function byName(machines: ReadonlyMap<string, Machine>): readonly Machine[] {
  return [...machines.values()].sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
}
