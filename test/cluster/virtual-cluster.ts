import { ApiServer } from '@capstan/apiserver';
import {
  Kubelet,
  MemoryLink,
  nodeAddresses,
  PodRuntime,
  ProgramRegistry,
  Scheduler,
  SharedInformers,
} from '@capstan/cluster';
import type { Controller, Link } from '@capstan/cluster';
import { Client, ManualClock, silentLogger, systemRandom } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';

export const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
export const NODES: ResourceRef = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
export const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: Record<string, Record<string, unknown> | undefined>;
  readonly lastState: Record<string, Record<string, unknown> | undefined>;
}

export interface Pod extends KubeObject {
  spec: { nodeName?: string };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string; reason?: string }[];
    containerStatuses?: ContainerStatus[];
  };
}

/** A server in this process with nodes that run pods, and nothing else beside it. */
export class PodCluster<C extends Clock> {
  readonly server: ApiServer;
  readonly client: Client;
  readonly programs = new ProgramRegistry();
  readonly runtime: PodRuntime;
  readonly kubelets: readonly Kubelet[];
  readonly #controllers: readonly Controller[];
  readonly #ending = new AbortController();

  constructor(given: {
    clock: C;
    /** Default: a fresh one. */
    server?: ApiServer;
    nodes?: number;
    link?: Link;
    beside?: (options: BesideOptions) => Controller[];
  }) {
    const { clock, link = new MemoryLink(), nodes = 1 } = given;
    const random = systemRandom('pods');
    this.server = given.server ?? new ApiServer({ clock, random });
    this.client = new Client(this.server, { clock, random });
    const options = { client: this.client, clock, random, logger: silentLogger() };
    const informers = new SharedInformers(options);
    this.runtime = new PodRuntime({ ...options, informers, link, programs: this.programs });
    this.kubelets = Array.from({ length: nodes }, (_, index) => {
      const { nodeIp: ip, podCidr } = nodeAddresses(index);
      return new Kubelet(this.runtime, { name: `node-${index}`, ip, podCidr });
    });
    const beside = given.beside?.({ ...options, informers }) ?? [];
    this.#controllers = [new Scheduler({ ...options, informers }), ...this.kubelets, ...beside];
  }

  async start(): Promise<this> {
    await Promise.all(this.#controllers.map((controller) => controller.start(this.#ending.signal)));
    return this;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#controllers.map((controller) => controller.stopped()));
  }

  async createPod(name: string, spec: object, metadata: object = {}): Promise<void> {
    await this.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', ...metadata },
      spec,
    } as KubeObject);
  }

  pod(name: string): Promise<Pod> {
    return this.client.get<Pod>(PODS, name, { namespace: 'default' });
  }

  /** Undefined when it is gone. */
  async podIfThere(name: string): Promise<Pod | undefined> {
    return this.pod(name).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  async container(name: string): Promise<ContainerStatus> {
    const [first] = (await this.pod(name)).status.containerStatuses ?? [];
    if (first === undefined) throw new Error(`pod ${name} has no container status yet`);
    return first;
  }

  async isReady(name: string): Promise<boolean> {
    const { conditions = [] } = (await this.pod(name)).status;
    return conditions.some(({ status, type }) => type === 'Ready' && status === 'True');
  }

  /** `reason: message` of the events of a pod, in order. */
  async events(name: string): Promise<string[]> {
    const { items } = await this.client.list(EVENTS, {
      namespace: 'default',
      fieldSelector: `involvedObject.name=${name}`,
    });
    return items.map((event) => `${String(event['reason'])}: ${String(event['message'])}`);
  }
}

interface BesideOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: ReturnType<typeof systemRandom>;
  readonly logger: ReturnType<typeof silentLogger>;
  readonly informers: SharedInformers;
}

/** Runs a test in a cluster whose time passes only when told to. */
export async function inVirtualTime(
  test: (cluster: PodCluster<ManualClock>, clock: ManualClock) => Promise<void>,
  nodes = 1,
  beside: (options: BesideOptions) => Controller[] = () => [],
): Promise<void> {
  const clock = new ManualClock();
  const cluster = new PodCluster({ clock, nodes, beside });
  const starting = cluster.start();
  await clock.advance(0);
  await starting;
  try {
    await test(cluster, clock);
  } finally {
    const stopping = cluster.stop();
    await clock.advance(0);
    await stopping;
  }
}
