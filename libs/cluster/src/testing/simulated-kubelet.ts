import { apiErrorOf } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import type { Controller } from '../controller.js';
import { Kubelet } from '../kubelet/kubelet.js';
import { nodeAddresses } from '../kubelet/addresses.js';
import { PodRuntime } from '../kubelet/pod-runtime.js';
import { ProgramRegistry } from '../kubelet/program.js';
import type { Program } from '../kubelet/program.js';
import { Scheduler } from '../scheduler/scheduler.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { LEASES, NODES } from '../workload/resources.js';
import { StandInKubelet } from './stand-in-kubelet.js';
import { SharedInformers } from '../workload/shared-informers.js';

const ends =
  (exitCode: number): Program =>
  () => ({ exited: Promise.resolve(exitCode), stop: () => undefined, kill: () => undefined });

/**
 * Scheduler and kubelet for scenarios: one node of its own, where images called `broken…` are never ready, and those
 * called `succeeds…` and `fails…` are over at once. The node is gone with it. Nodes that scenarios make up run what they
 * are given, too.
 */
export class SimulatedKubelet implements Controller {
  readonly #client: Client;
  readonly #name: string;
  readonly #controllers: readonly Controller[];

  constructor(options: WorkloadOptions) {
    const informers = options.informers ?? new SharedInformers(options);
    // On a shared server no other node must have its name.
    this.#name = `simulated-${Buffer.from(options.random.bytes(4)).toString('hex')}`;
    this.#client = options.client;
    const programs = new ProgramRegistry().register('succeeds*', ends(0)).register('fails*', ends(1));
    const runtime = new PodRuntime({ ...options, informers, programs });
    runtime.faults.add({ kind: 'never-ready' }, { image: 'broken*' });
    const { nodeIp: ip, podCidr } = nodeAddresses(0);
    this.#controllers = [
      new Scheduler({ ...options, informers, nodes: (name) => name === this.#name }),
      new Kubelet(runtime, { name: this.#name, ip, podCidr }),
      new StandInKubelet({ ...options, informers }, (name) => name === this.#name),
    ];
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.start(signal)));
  }

  async stopped(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.stopped()));
    await this.#remove(() => this.#client.delete(LEASES, this.#name, { namespace: 'kube-node-lease' }));
    await this.#remove(() => this.#client.delete(NODES, this.#name));
  }

  async #remove(remove: () => Promise<unknown>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (apiErrorOf(error) === undefined) throw error;
    }
  }
}
