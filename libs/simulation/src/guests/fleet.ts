import { silentLogger } from '@capstan/kube';
import type { Connection, Logger } from '@capstan/kube';
import type { Clock, Random, Transport } from '@capstan/meta';
import type { Cloud, CloudEvent, Instance } from '@capstan/upstream';
import { NodeAgent } from './node-agent.js';
import type { NodeAgentOptions, NodeDisk } from './node-agent.js';
import type { FetchIgnition } from './user-data.js';

export interface FleetOptions {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly random: Random;
  /** The way from an instance to a server. */
  readonly connect: (connection: Connection, instance: Instance) => Transport;
  readonly logger?: Logger | undefined;
  readonly fetchIgnition?: FetchIgnition | undefined;
  readonly kubeletOf?: NodeAgentOptions['kubeletOf'];
  readonly retryMs?: NodeAgentOptions['retryMs'];
  readonly podsOf?: NodeAgentOptions['podsOf'];
  readonly rejoins?: NodeAgentOptions['rejoins'];
  /** The disks of instances, by id: those that were there before, and from now on all. */
  readonly disks?: Map<string, NodeDisk> | undefined;
  /** Called when something was written to a disk. */
  readonly diskChanged?: (() => void) | undefined;
  /** Draws the keys of nodes: for simulations alone. */
  readonly isSimulated?: boolean | undefined;
}

/** Runs a kubelet on every instance that runs, from boot to stop. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #running = new Map<string, AbortController>();
  readonly #disks: Map<string, NodeDisk>;
  readonly #unsubscribe: () => void;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#disks = options.disks ?? new Map<string, NodeDisk>();
    this.#unsubscribe = options.cloud.subscribe((event) => this.#changed(event));
    for (const instance of options.cloud.instances) if (instance.state === 'running') this.#boot(instance);
  }

  /** Everything falls silent. */
  stop(): void {
    this.#unsubscribe();
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
  }

  #changed({ operation, instance }: CloudEvent): void {
    if (operation !== 'change' || instance === undefined) return;
    const { id, state } = instance;
    if (state === 'running') this.#boot(instance);
    else if (state !== 'pending') {
      this.#running.get(id)?.abort();
      this.#running.delete(id);
    }
    if (state === 'terminated') this.#disks.delete(id);
  }

  #boot(instance: Instance): void {
    const {
      clock,
      connect,
      diskChanged,
      fetchIgnition,
      isSimulated,
      kubeletOf,
      logger = silentLogger(),
      random,
      rejoins,
      retryMs,
      podsOf,
    } = this.#options;
    const { id } = instance;
    const disk = this.#disks.get(id) ?? {};
    this.#disks.set(id, disk);
    const running = new AbortController();
    this.#running.set(id, running);
    const agent = new NodeAgent({
      instance,
      disk,
      diskChanged,
      connect: (connection) => connect(connection, instance),
      clock,
      random: random.split(`node ${id}`),
      logger,
      fetchIgnition,
      kubeletOf,
      rejoins,
      retryMs,
      podsOf,
      isSimulated,
    });
    void agent.run(running.signal);
  }
}
