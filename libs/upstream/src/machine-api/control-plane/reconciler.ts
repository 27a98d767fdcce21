import { addFinalizer, eventSubject, patchFrom, removeFinalizer, timestamp } from '@capstan/kube';
import type { EventRecorder, Manager, ReconcileContext, Request, Result } from '@capstan/kube';
import { controllerOf, isControlledBy, setCondition, withControllerReference } from '@capstan/meta';
import type { Condition, ConditionUpdate } from '@capstan/meta';
import type { AuthorityGate } from '../authority-gate.js';
import { isOurs } from '../authority.js';
import { isControlPlane } from '../machine/drain-decide.js';
import { found } from '../machine/drain.js';
import { CONTROL_PLANE_FINALIZER } from '../names.js';
import { CONTROL_PLANE_MACHINE_SETS, MACHINES, NODES } from '../resources.js';
import type { Authored, Machine, NodeObject } from '../resources.js';
import { countConditions, countReplicas, decideRollout, findFault, placesOf } from './decide.js';
import type { Fault, Places } from './decide.js';
import { isLeaving } from './resources.js';
import type { ControlPlaneMachine, ControlPlaneMachineSet } from './resources.js';
import { newControlPlaneMachine, viewControlPlane } from './view.js';
import type { ControlPlaneView } from './view.js';

/** The only set there may be. */
const NAME = 'cluster';
const LOOK_AGAIN_MS = 5000;
/** Without vowels, so that no name spells a word. */
const NAME_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const NAME_LENGTH = 5;

interface Outcome {
  readonly fault?: Fault;
  readonly isWaiting: boolean;
}

/** Keeps the machines of the control plane as the set wants them, one at a time. */
export class ControlPlaneReconciler {
  readonly #manager: Manager;
  readonly #gate: AuthorityGate;
  readonly #events: EventRecorder;

  constructor(manager: Manager, gate: AuthorityGate) {
    this.#manager = manager;
    this.#gate = gate;
    this.#events = manager.eventRecorder('control-plane-machine-set-controller');
  }

  /** Reconciles the ControlPlaneMachineSet. */
  async reconcile({ namespace, name }: Request, context: ReconcileContext): Promise<Result | void> {
    const { cache, client } = this.#manager;
    if (name !== NAME) return;
    const set = await found(cache.get<ControlPlaneMachineSet>(CONTROL_PLANE_MACHINE_SETS, name, { namespace }));
    if (set === undefined) return;
    if (!(await this.#gate.permits(CONTROL_PLANE_MACHINE_SETS, set as unknown as Authored))) return;
    if (set.metadata.deletionTimestamp != null) return this.#leave(set);
    if (set.metadata.finalizers?.includes(CONTROL_PLANE_FINALIZER) !== true) {
      await addFinalizer(client, CONTROL_PLANE_MACHINE_SETS, set, CONTROL_PLANE_FINALIZER);
      return;
    }
    const view = await this.#view(set);
    const places = placesOf(set.spec?.replicas ?? 0, view.machines);
    const outcome = await this.#act(set, view, places, context);
    await this.#report(set, places, outcome.fault);
    return outcome.isWaiting ? { requeueAfterMs: LOOK_AGAIN_MS } : undefined;
  }

  async #view(
    set: ControlPlaneMachineSet,
    reader = this.#manager.cache as Pick<Manager['cache'], 'list'>,
  ): Promise<ControlPlaneView> {
    const { items: machines } = await reader.list<Machine>(MACHINES, { namespace: set.metadata.namespace });
    const { items } = await reader.list<NodeObject>(NODES);
    const nodes = new Map(items.map((node) => [node.metadata.name ?? '', node]));
    return viewControlPlane(set, machines, (name) => nodes.get(name), this.#manager.clock.now());
  }

  async #act(
    set: ControlPlaneMachineSet,
    view: ControlPlaneView,
    places: Places,
    context: ReconcileContext,
  ): Promise<Outcome> {
    const fault = await this.#fault(set, view, places);
    if (fault !== undefined) return { fault, isWaiting: false };
    if (set.spec?.state !== 'Active') return { isWaiting: false };
    const foreign = await this.#own(set, view.machines);
    if (foreign !== undefined) return { fault: foreign, isWaiting: false };
    const { create, isWaiting, remove } = decideRollout(set, places);
    for (const each of remove) await this.#remove(each, context.signal);
    for (const index of create) await this.#create(set, index, context.signal);
    return { isWaiting: isWaiting || create.length > 0 };
  }

  async #fault(set: ControlPlaneMachineSet, view: ControlPlaneView, places: Places): Promise<Fault | undefined> {
    const [lost] = view.misplaced;
    if (lost !== undefined)
      return {
        reason: 'ExcessIndexes',
        message: `Could not determine the index of machine ${lost.metadata.name ?? ''}`,
      };
    const { items } = await this.#manager.cache.list<NodeObject>(NODES);
    const nodes = items.filter(isControlPlane).map(({ metadata }) => metadata.name ?? '');
    return findFault(set, places, nodes);
  }

  /** Makes every machine the set's own; gives why not, when one is another's. */
  async #own(set: ControlPlaneMachineSet, machines: readonly ControlPlaneMachine[]): Promise<Fault | undefined> {
    const isGated = await this.#gate.isOn(MACHINES);
    for (const { machine } of machines) {
      if (isControlledBy(machine, set)) continue;
      if (controllerOf(machine) !== undefined)
        return { reason: 'MachinesAlreadyOwned', message: 'Observed already owned machine(s) in target machines' };
      if (!isOurs(machine, isGated)) continue;
      const ownerReferences = withControllerReference(machine, set);
      const after: Machine = { ...machine, metadata: { ...machine.metadata, ownerReferences } };
      await patchFrom(this.#manager.client, MACHINES, { before: machine, after }, { optimisticLock: true });
    }
    return undefined;
  }

  async #remove({ machine: { metadata } }: ControlPlaneMachine, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, resourceVersion, uid } = metadata;
    const preconditions = { uid, resourceVersion };
    await found(this.#manager.client.delete(MACHINES, name, { namespace, preconditions, signal }));
  }

  /** The server is asked first: a replacement made a moment ago may not have been seen yet. */
  async #create(set: ControlPlaneMachineSet, index: number, signal: AbortSignal): Promise<void> {
    const { client, random } = this.#manager;
    const live = await this.#view(set, client);
    const hasReplacement = live.machines.some((each) => each.index === index && !each.needsUpdate && !isLeaving(each));
    if (hasReplacement) return;
    const letters = Array.from({ length: NAME_LENGTH }, () => NAME_LETTERS[random.below(NAME_LETTERS.length)]).join('');
    const machine = newControlPlaneMachine(set, { index, domain: live.domains.get(index) }, letters);
    await client.create(MACHINES, machine, { signal });
    const message = `created machine: ${machine.metadata.name ?? ''}`;
    this.#events.record(eventSubject(set), { type: 'Normal', reason: 'Created', message });
  }

  /** Lets go of the machines, which stay. */
  async #leave(set: ControlPlaneMachineSet): Promise<void> {
    const { client } = this.#manager;
    if (set.metadata.finalizers?.includes(CONTROL_PLANE_FINALIZER) !== true) return;
    const { items } = await client.list<Machine>(MACHINES, { namespace: set.metadata.namespace });
    for (const machine of items.filter(
      (each) => each.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) === true,
    )) {
      const { ownerReferences: owners = [] } = machine.metadata;
      const ownerReferences = owners.filter(({ uid }) => uid !== set.metadata.uid);
      const after: Machine = { ...machine, metadata: { ...machine.metadata, ownerReferences } };
      await patchFrom(client, MACHINES, { before: machine, after }, { optimisticLock: true });
    }
    await removeFinalizer(client, CONTROL_PLANE_MACHINE_SETS, set, CONTROL_PLANE_FINALIZER);
  }

  async #report(set: ControlPlaneMachineSet, places: Places, fault: Fault | undefined): Promise<void> {
    const { client, clock } = this.#manager;
    const { generation = 0 } = set.metadata;
    const counts = countReplicas(places);
    const updates = countConditions(set.spec?.replicas ?? 0, counts);
    const faulty: readonly ConditionUpdate[] =
      fault === undefined
        ? []
        : [
            { type: 'Progressing', status: 'False', reason: 'OperatorDegraded', message: '' },
            { type: 'Degraded', status: 'True', ...fault },
          ];
    let conditions: readonly Condition[] = set.status?.conditions ?? [];
    const final = new Map([...updates, ...faulty].map((update) => [update.type, update]));
    for (const update of final.values())
      conditions = setCondition(conditions, { ...update, observedGeneration: generation }, timestamp(clock));
    const after: ControlPlaneMachineSet = {
      ...set,
      status: { ...set.status, ...counts, observedGeneration: generation, conditions },
    };
    const options = { subresource: 'status', optimisticLock: true };
    await patchFrom(client, CONTROL_PLANE_MACHINE_SETS, { before: set, after }, options);
  }
}
