import type { Node } from '@capstan/cluster';
import { getScale, setScale } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { apiErrorOf } from '@capstan/meta';
import { NODES } from '../machine-api/resources.js';
import type { GroupNames, GroupResources } from './group-api.js';
import { sizeWithoutMarked } from './node-groups.js';
import type { MachineObject, NodeGroup } from './node-groups.js';

export const TO_BE_DELETED_TAINT = 'ToBeDeletedByClusterAutoscaler';

/** What a group refuses to be: larger or smaller than its bounds. */
export class OutOfBounds extends Error {
  override readonly name = 'OutOfBounds';
}

/** The requests an autoscaler makes of the cluster that holds the machines. */
export class GroupActions {
  readonly #client: Client;
  readonly #resources: GroupResources;
  readonly #names: GroupNames;
  /** Marked by this process; its cache may not show it yet. */
  readonly #marked = new Set<string>();

  constructor(client: Client, resources: GroupResources, names: GroupNames) {
    this.#client = client;
    this.#resources = resources;
    this.#names = names;
  }

  #resourceOf({ object }: NodeGroup): ResourceKind {
    const { machineDeployments, machineSets } = this.#resources;
    return object.kind === 'MachineDeployment' && machineDeployments !== undefined ? machineDeployments : machineSets;
  }

  /** Grows a group from what it is now. */
  async grow(group: NodeGroup, count: number): Promise<number> {
    const replicas = await this.#replicas(group);
    const wanted = replicas + count;
    if (wanted > group.max) throw new OutOfBounds(`size increase too large - desired:${wanted} max:${group.max}`);
    await this.#setSize(group, wanted);
    return wanted;
  }

  /** Marks a machine as the one to go, and wants one less. Safe to be repeated, whatever became of it before. */
  async remove(group: NodeGroup, machine: MachineObject, mark: string): Promise<void> {
    const replicas = await this.#replicas(group);
    if (replicas <= group.min) throw new OutOfBounds('min size reached, nodes will not be deleted');
    await this.#setMark(machine, mark);
    const marked = new Set(
      group.machines.filter((each) => this.#isMarked(each)).map(({ metadata }) => metadata.uid ?? ''),
    );
    const wanted = sizeWithoutMarked(replicas, group.machines, marked);
    if (wanted === replicas) return;
    try {
      if (wanted < group.min) throw new OutOfBounds(`size decrease too large - desired:${wanted} min:${group.min}`);
      await this.#setSize(group, wanted);
    } catch (error) {
      // Only when it is certain that nothing came of it: an answer that was lost may have been a yes.
      if (error instanceof OutOfBounds || (apiErrorOf(error)?.code ?? 500) < 500)
        await this.#setMark(machine, undefined);
      throw error;
    }
  }

  #isMarked({ metadata }: MachineObject): boolean {
    return this.#marked.has(metadata.uid ?? '') || (metadata.annotations?.[this.#names.deleteMachine] ?? '') !== '';
  }

  async #replicas(group: NodeGroup): Promise<number> {
    const { name = '', namespace } = group.object.metadata;
    return (await getScale(this.#client, this.#resourceOf(group), name, namespace)).spec?.replicas ?? 0;
  }

  async #setSize(group: NodeGroup, replicas: number): Promise<void> {
    const { name = '', namespace } = group.object.metadata;
    await setScale(this.#client, this.#resourceOf(group), { name, namespace }, replicas);
  }

  /** Reads the machine and writes it back whole, as upstream does. */
  async #setMark({ metadata }: MachineObject, mark: string | undefined): Promise<void> {
    const { machines } = this.#resources;
    const live = await this.#client.get<MachineObject>(machines, metadata.name ?? '', {
      namespace: metadata.namespace,
    });
    const { [this.#names.deleteMachine]: _, ...others } = live.metadata.annotations ?? {};
    const annotations = mark === undefined ? others : { ...others, [this.#names.deleteMachine]: mark };
    await this.#client.update(machines, { ...live, metadata: { ...live.metadata, annotations } });
    if (mark === undefined) this.#marked.delete(metadata.uid ?? '');
    else this.#marked.add(metadata.uid ?? '');
  }
}

/** Whether the node carries the mark of a deletion under way. */
export function isToBeDeleted({ spec }: Node): boolean {
  return spec?.taints?.some(({ key }) => key === TO_BE_DELETED_TAINT) === true;
}

/** Keeps new pods off a node, or lets them on again. Reads it first: other taints are not ours to lose. */
export async function setToBeDeleted(
  client: Client,
  name: string,
  { seconds, isCordoned }: { readonly seconds: number | undefined; readonly isCordoned: boolean },
): Promise<void> {
  const node = await client.get<Node>(NODES, name);
  const others = (node.spec?.taints ?? []).filter(({ key }) => key !== TO_BE_DELETED_TAINT);
  const taint = { key: TO_BE_DELETED_TAINT, value: String(seconds), effect: 'NoSchedule' };
  const taints = seconds === undefined ? others : [...others, taint];
  const cordon = isCordoned ? { unschedulable: seconds !== undefined } : {};
  await client.update(NODES, { ...node, spec: { ...node.spec, ...cordon, taints } });
}
