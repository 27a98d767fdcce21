import { isFinished } from '../workload/pods.js';
import type { Node, Pod } from '../workload/resources.js';
import { addAmounts, podRequests } from './amounts.js';
import type { Amounts } from './amounts.js';
import { hostPortsOf } from './fit.js';
import type { NodeUse } from './fit.js';

interface Charge {
  readonly node: string;
  readonly requests: Amounts;
  readonly hostPorts: readonly string[];
}

interface Account {
  node: Node | undefined;
  pods: number;
  readonly used: Map<string, number>;
  readonly hostPorts: Set<string>;
}

/** What is taken of each node, kept up to date pod by pod, so that a decision costs no walk over all pods. */
export class NodeLedger {
  readonly #accounts = new Map<string, Account>();
  readonly #charges = new Map<string, Charge>();

  setNode(node: Node): void {
    this.#account(node.metadata.name ?? '').node = node;
  }

  removeNode(name: string): void {
    this.#account(name).node = undefined;
  }

  /** Takes a pod as it is now: charged to its node while it runs there. */
  setPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const node = pod.spec?.nodeName ?? '';
    // A pod not yet seen bound may have been charged by our own decision: that stays.
    if (node === '') return;
    if (isFinished(pod)) this.removePod(uid);
    else if (this.#charges.get(uid)?.node !== node) this.charge(pod, node);
  }

  /** Counts a pod on a node before the server has confirmed it. */
  charge(pod: Pod, node: string): void {
    const uid = pod.metadata.uid ?? '';
    this.removePod(uid);
    const charge = { node, requests: podRequests(pod), hostPorts: hostPortsOf(pod) };
    this.#charges.set(uid, charge);
    const account = this.#account(node);
    account.pods += 1;
    addAmounts(account.used, charge.requests);
    for (const port of charge.hostPorts) account.hostPorts.add(port);
  }

  removePod(uid: string): boolean {
    const charge = this.#charges.get(uid);
    if (charge === undefined) return false;
    this.#charges.delete(uid);
    const account = this.#account(charge.node);
    account.pods -= 1;
    addAmounts(account.used, charge.requests, -1);
    for (const port of charge.hostPorts) account.hostPorts.delete(port);
    return true;
  }

  /** The nodes there are. */
  *nodes(): Generator<NodeUse> {
    for (const account of this.#accounts.values()) if (account.node !== undefined) yield account as NodeUse;
  }

  #account(name: string): Account {
    let account = this.#accounts.get(name);
    if (account === undefined) {
      account = { node: undefined, pods: 0, used: new Map(), hostPorts: new Set() };
      this.#accounts.set(name, account);
    }
    return account;
  }
}
