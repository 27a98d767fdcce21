/** Keeps control plane machines of Cluster API as their set wants them: the same rollout, from the other template. */
import { addFinalizer, Discovery, patchFrom, removeFinalizer, timestamp } from '@capstan/kube';
import type { Manager, ReconcileContext, Request, ResourceKind, Result } from '@capstan/kube';
import { controllerOf, ignoreNotFound, setCondition, withControllerReference } from '@capstan/meta';
import type { Condition, ConditionUpdate, KubeObject } from '@capstan/meta';
import { kindOfClone } from '../../../cluster-api/external/clone.js';
import type { Machine as ClusterApiMachine } from '../../../cluster-api/types.js';
import { matches } from '../../machine-set/decide.js';
import { isControlPlane } from '../../machine/drain-decide.js';
import { CONTROL_PLANE_FINALIZER, PAUSED_ANNOTATION } from '../../names.js';
import { CONTROL_PLANE_MACHINE_SETS, NODES } from '../../resources.js';
import type { NodeObject } from '../../resources.js';
import { countConditions, countReplicas, decideRollout, findFault, placesOf } from '../decide.js';
import type { Fault, Places } from '../decide.js';
import type { ControlPlaneMachineSet } from '../resources.js';
import { clusterApiTemplate, newInClusterApi, viewInClusterApi } from './view.js';
import type { ClusterApiInputs } from './view.js';

/** Machines of Cluster API. */
export const CLUSTER_API_MACHINES: ResourceKind = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  plural: 'machines',
  namespaced: true,
  kind: 'Machine',
};
const LOOK_AGAIN_MS = 5_000;
const NAME_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const NAME_LENGTH = 5;

interface Resources {
  readonly machines: ResourceKind;
  readonly inputs: ClusterApiInputs;
}

/** Reconciles the set in the namespace of Cluster API. Everything is read from the server: there are few machines. */
export class ClusterApiControlPlane {
  readonly #manager: Manager;
  readonly #discovery: Discovery;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#discovery = new Discovery(manager.client);
  }

  async reconcile({ name, namespace }: Request, { signal }: ReconcileContext): Promise<Result | undefined> {
    const { client } = this.#manager;
    const set = await client
      .get<ControlPlaneMachineSet>(CONTROL_PLANE_MACHINE_SETS, name, { namespace })
      .catch(ignoreNotFound);
    if (set === undefined || !(await this.#mayAct(set))) return undefined;
    if (set.metadata.deletionTimestamp != null) return this.#leave(set);
    if (set.metadata.finalizers?.includes(CONTROL_PLANE_FINALIZER) !== true) {
      await addFinalizer(client, CONTROL_PLANE_MACHINE_SETS, set, CONTROL_PLANE_FINALIZER);
      return undefined;
    }
    const found = await this.#look(set);
    if (found === undefined) return { requeueAfterMs: LOOK_AGAIN_MS };
    const places = placesOf(set.spec?.replicas ?? 0, viewInClusterApi(found.inputs).machines);
    const nodes = (await client.list<NodeObject>(NODES)).items.filter(isControlPlane);
    const fault = findFault(
      set,
      places,
      nodes.map(({ metadata }) => metadata.name ?? ''),
    );
    if (fault === undefined && set.spec?.state === 'Active') await this.#act(found, places, signal);
    await this.#report(set, places, fault);
    return { requeueAfterMs: LOOK_AGAIN_MS };
  }

  /** A paused set is left alone, and reports it; one that was reports first that it is no longer. */
  async #mayAct(set: ControlPlaneMachineSet): Promise<boolean> {
    const isPaused = set.metadata.annotations?.[PAUSED_ANNOTATION] !== undefined;
    const [status, reason] = isPaused ? ['True', 'Paused'] : ['False', 'NotPaused'];
    const known = set.status?.conditions?.find(({ type }) => type === 'Paused');
    if (known?.status === status) return !isPaused;
    const update = { type: 'Paused', status: status as 'True' | 'False', reason: reason ?? '', message: '' };
    const conditions = setCondition(set.status?.conditions ?? [], update, timestamp(this.#manager.clock));
    await this.#write(set, { ...set, status: { ...set.status, conditions } });
    return false;
  }

  async #write(before: ControlPlaneMachineSet, after: ControlPlaneMachineSet): Promise<void> {
    const options = { subresource: 'status', optimisticLock: true };
    await patchFrom(this.#manager.client, CONTROL_PLANE_MACHINE_SETS, { before, after }, options);
  }

  async #look(set: ControlPlaneMachineSet): Promise<Resources | undefined> {
    const { client, clock } = this.#manager;
    const { namespace } = set.metadata;
    const { apiGroup: group = '', kind = '', name = '' } = clusterApiTemplate(set).spec?.infrastructureRef ?? {};
    const templates = await this.#discovery.resourceFor({ group, kind });
    const machines = await this.#discovery.resourceFor({ group, kind: kindOfClone(kind) });
    if (templates === undefined || machines === undefined) return undefined;
    const template = await client.get(templates, name, { namespace }).catch(ignoreNotFound);
    if (template === undefined) return undefined;
    const all = (await client.list<ClusterApiMachine>(CLUSTER_API_MACHINES, { namespace })).items;
    const infrastructure = new Map<string, KubeObject>();
    for (const each of (await client.list(machines, { namespace })).items)
      infrastructure.set(each.metadata.name ?? '', each);
    const nodes = new Map((await client.list<NodeObject>(NODES)).items.map((node) => [node.metadata.name, node]));
    const inputs: ClusterApiInputs = {
      set,
      template,
      infrastructure,
      machines: all,
      findNode: (node) => nodes.get(node),
      nowMs: clock.now(),
    };
    return { machines: { ...machines, kind: kindOfClone(kind) }, inputs };
  }

  async #act({ inputs, machines }: Resources, places: Places, signal: AbortSignal): Promise<void> {
    const { client, random } = this.#manager;
    await this.#own(inputs);
    const { create, remove } = decideRollout(inputs.set, places);
    for (const { machine } of remove) {
      const { name = '', namespace, uid } = machine.metadata;
      const preconditions = { uid };
      await client.delete(CLUSTER_API_MACHINES, name, { namespace, preconditions, signal }).catch(ignoreNotFound);
    }
    const { domains } = viewInClusterApi(inputs);
    for (const index of create) {
      const letters = Array.from({ length: NAME_LENGTH }, () => NAME_LETTERS[random.below(NAME_LETTERS.length)]);
      const made = newInClusterApi(inputs, { index, domain: domains.get(index), random: letters.join('') });
      await client.create(machines, made.infrastructure, { signal });
      await client.create(CLUSTER_API_MACHINES, made.machine, { signal });
    }
  }

  /** Machines on which Machine API acts are owned by the copy of the set there. */
  async #own({ machines, set }: ClusterApiInputs): Promise<void> {
    for (const before of machines) {
      const isSelected = matches(set.spec?.selector ?? {}, before.metadata.labels ?? {});
      if (!isSelected || controllerOf(before) !== undefined) continue;
      if (before.metadata.annotations?.[PAUSED_ANNOTATION] !== undefined) continue;
      const after = {
        ...before,
        metadata: { ...before.metadata, ownerReferences: withControllerReference(before, set) },
      };
      await patchFrom(this.#manager.client, CLUSTER_API_MACHINES, { before, after }, { optimisticLock: true });
    }
  }

  /** Lets go of the machines, which stay. */
  async #leave(set: ControlPlaneMachineSet): Promise<undefined> {
    const { client } = this.#manager;
    if (set.metadata.finalizers?.includes(CONTROL_PLANE_FINALIZER) !== true) return;
    const { items } = await client.list(CLUSTER_API_MACHINES, { namespace: set.metadata.namespace });
    for (const before of items) {
      const owners = before.metadata.ownerReferences ?? [];
      const ownerReferences = owners.filter(({ uid }) => uid !== set.metadata.uid);
      if (ownerReferences.length === owners.length) continue;
      const after = { ...before, metadata: { ...before.metadata, ownerReferences } };
      await patchFrom(client, CLUSTER_API_MACHINES, { before, after }, { optimisticLock: true });
    }
    await removeFinalizer(client, CONTROL_PLANE_MACHINE_SETS, set, CONTROL_PLANE_FINALIZER);
  }

  async #report(set: ControlPlaneMachineSet, held: Places, fault: Fault | undefined): Promise<void> {
    const observedGeneration = set.metadata.generation ?? 0;
    const counts = countReplicas(held);
    const degraded: readonly ConditionUpdate[] =
      fault === undefined ? [] : [{ type: 'Degraded', status: 'True', ...fault }];
    const updates = new Map(
      [...countConditions(set.spec?.replicas ?? 0, counts), ...degraded].map((each) => [each.type, each]),
    );
    let conditions: readonly Condition[] = set.status?.conditions ?? [];
    for (const update of updates.values())
      conditions = setCondition(conditions, { ...update, observedGeneration }, timestamp(this.#manager.clock));
    await this.#write(set, { ...set, status: { ...set.status, ...counts, observedGeneration, conditions } });
  }
}
