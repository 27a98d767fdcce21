import { patchFrom, timestamp } from '@capstan/kube';
import type { Manager, ReconcileContext, Request } from '@capstan/kube';
import type { AuthorityGate } from '../authority-gate.js';
import { isOurs } from '../authority.js';
import { found } from '../machine/drain.js';
import { MACHINES, NODES } from '../resources.js';
import type { Machine, NodeObject } from '../resources.js';
import { dressedNode, linkOf, machineOfNode } from './decide.js';

/** Lets machines and nodes name each other. */
export class NodeLinkReconciler {
  readonly #manager: Manager;
  readonly #gate: AuthorityGate;

  constructor(manager: Manager, gate: AuthorityGate) {
    this.#manager = manager;
    this.#gate = gate;
  }

  /** Reconciles one Node. */
  async reconcile({ name }: Request, { signal }: ReconcileContext): Promise<void> {
    const { cache, client, clock } = this.#manager;
    const node = await found(cache.get<NodeObject>(NODES, name));
    if (node === undefined || node.metadata.deletionTimestamp != null) return;
    const machine = machineOfNode(node, (await cache.list<Machine>(MACHINES)).items);
    if (machine === undefined || !isOurs(machine, await this.#gate.isOn(MACHINES))) return;
    const nodeRef = linkOf(machine, node);
    if (nodeRef !== undefined) {
      const after: Machine = { ...machine, status: { ...machine.status, nodeRef, lastUpdated: timestamp(clock) } };
      const options = { subresource: 'status', optimisticLock: true, signal };
      await patchFrom(client, MACHINES, { before: machine, after }, options);
    }
    const after = dressedNode(node, machine);
    await patchFrom(client, NODES, { before: node, after }, { optimisticLock: true, signal });
  }
}
