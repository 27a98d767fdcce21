import type { Duplex } from 'node:stream';
import type { PodNetwork } from '../pod-network/pod-network.js';
import { specOf } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import type { ContainerRunner } from './container.js';
import type { PodRunner } from './pod-runner.js';
import { NO_EPHEMERAL_CONTAINERS } from './pod-status.js';
import { ContainerUnreachable } from './streams.js';
import type { ContainerTarget, ExecCall, LogQuery, NodeStreams } from './streams.js';

/** A pod that runs here. */
export interface RunningPod {
  readonly pod: Pod;
  readonly runner: PodRunner;
  readonly ip: string;
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Reaches into the pods of one node. */
export class PodStreams implements NodeStreams {
  readonly #find: (namespace: string, name: string) => RunningPod | undefined;
  readonly #network: PodNetwork;

  constructor(network: PodNetwork, find: (namespace: string, name: string) => RunningPod | undefined) {
    this.#network = network;
    this.#find = find;
  }

  // Not async in itself, but a refusal has to come as a rejection.
  async logs(target: ContainerTarget, query: LogQuery, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const container = this.#container(target);
    const log = query.previous ? container.previousLog : container.log;
    if (log !== undefined) return log.read(query, signal);
    const { name } = container;
    if (query.previous)
      throw new ContainerUnreachable(400, `previous terminated container "${name}" in pod "${target.pod}" not found`);
    const reason = container.view().state.waiting?.reason ?? 'ContainerCreating';
    throw new ContainerUnreachable(400, `container "${name}" in pod "${target.pod}" is waiting to start: ${reason}`);
  }

  async exec(target: ContainerTarget, call: ExecCall): Promise<number> {
    const container = this.#container(target);
    const { instance } = container;
    if (instance === undefined) throw new ContainerUnreachable(404, `container not found ("${container.name}")`);
    return instance.exec(call);
  }

  async attach(target: ContainerTarget, call: ExecCall): Promise<number> {
    const container = this.#container(target);
    const { instance } = container;
    if (instance === undefined) throw new ContainerUnreachable(404, `container not found ("${container.name}")`);
    const untap = instance.log.tap((stream, data) => {
      if (stream === 'Stdout' || call.tty) call.stdout?.write(data);
      else call.stderr?.write(data);
    });
    call.stdin?.pipe(instance.stdin, { end: false });
    try {
      const left = new Promise<undefined>((resolve) => {
        if (call.signal.aborted) resolve(undefined);
        else call.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      const exit = await Promise.race([instance.exited, left]);
      return exit?.exitCode ?? 0;
    } finally {
      untap();
      call.stdin?.unpipe(instance.stdin);
    }
  }

  async dial(namespace: string, pod: string, port: number): Promise<Duplex> {
    return this.#network.dialPod(this.#pod(namespace, pod).ip, port);
  }

  #pod(namespace: string, name: string): RunningPod {
    const found = this.#find(namespace, name);
    if (found === undefined) throw new ContainerUnreachable(404, 'pod does not exist');
    return found;
  }

  #container(target: ContainerTarget): ContainerRunner {
    const { pod, runner } = this.#pod(target.namespace, target.pod);
    const wanted =
      target.container !== ''
        ? target.container
        : (pod.metadata.annotations?.[DEFAULT_CONTAINER] ?? specOf(pod).containers[0]?.name);
    const container = runner.containers.find(({ name }) => name === wanted);
    if (specOf(pod).ephemeralContainers?.some(({ name }) => name === wanted) === true)
      throw new ContainerUnreachable(400, NO_EPHEMERAL_CONTAINERS);
    if (container === undefined)
      throw new ContainerUnreachable(404, `container "${wanted ?? ''}" not found in pod "${target.pod}"`);
    return container;
  }
}
