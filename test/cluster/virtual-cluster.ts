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
import type { ContainerIsolation, Controller, Link } from '@capstan/cluster';
import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock, KubeObject, Transport } from '@capstan/meta';

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

/** A server with nodes that run pods, and no other controllers. */
export class PodCluster<C extends Clock> {
  readonly server: Transport;
  readonly client: Client;
  readonly namespace: string;
  readonly programs = new ProgramRegistry();
  readonly runtime: PodRuntime;
  readonly kubelets: readonly Kubelet[];
  readonly #controllers: readonly Controller[];
  readonly #ending = new AbortController();

  constructor(given: {
    clock: C;
    /** Default: a fresh one in this process. */
    server?: Transport;
    /** Where its pods are; it keeps to this one on a server others use too. Default: `default`, and it has all. */
    namespace?: string;
    /** What the names of its nodes begin with. */
    prefix?: string;
    nodes?: number;
    link?: Link;
    isolation?: ContainerIsolation;
    extraControllers?: (options: ControllerOptions) => Controller[];
  }) {
    const { clock, isolation, link = new MemoryLink(), namespace, nodes = 1, prefix = '' } = given;
    const isOurs = namespace === undefined || namespace === 'default' ? () => true : keepsTo(namespace);
    this.namespace = namespace ?? 'default';
    const random = systemRandom('pods');
    this.server = given.server ?? new ApiServer({ clock, random });
    this.client = new Client(this.server, { clock, random });
    const options = { client: this.client, clock, random, logger: silentLogger() };
    const informers = new SharedInformers(options);
    const workload = { ...options, informers, namespaces: isOurs };
    this.runtime = new PodRuntime({ ...workload, isolation, link, programs: this.programs });
    this.kubelets = Array.from({ length: nodes }, (_, index) => {
      const { nodeIp: ip, podCidr } = nodeAddresses(index);
      return new Kubelet(this.runtime, { name: `${prefix}node-${index}`, ip, podCidr });
    });
    const extraControllers = given.extraControllers?.(workload) ?? [];
    const scheduler = new Scheduler({ ...workload, nodes: (name) => name.startsWith(prefix) });
    this.#controllers = [scheduler, ...this.kubelets, ...extraControllers];
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
      metadata: { name, namespace: this.namespace, ...metadata },
      spec,
    } as KubeObject);
  }

  pod(name: string): Promise<Pod> {
    return this.client.get<Pod>(PODS, name, { namespace: this.namespace });
  }

  /** Undefined when it is gone. */
  async podIfThere(name: string): Promise<Pod | undefined> {
    return this.pod(name).catch(ignoreNotFound);
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
      namespace: this.namespace,
      fieldSelector: `involvedObject.name=${name}`,
    });
    return items.map((event) => `${String(event['reason'])}: ${String(event['message'])}`);
  }
}

interface ControllerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: ReturnType<typeof systemRandom>;
  readonly logger: ReturnType<typeof silentLogger>;
  readonly informers: SharedInformers;
  readonly namespaces: (name: string) => boolean;
}

/** Of what has no namespace, those named after it are its own. */
function keepsTo(namespace: string): (name: string) => boolean {
  return (name) => name.includes(namespace);
}

/** Runs a test in a cluster whose time passes only when the test advances it. */
export async function inVirtualTime(
  test: (cluster: PodCluster<ManualClock>, clock: ManualClock) => Promise<void>,
  nodes = 1,
  extraControllers: (options: ControllerOptions) => Controller[] = () => [],
): Promise<void> {
  const clock = new ManualClock();
  const cluster = new PodCluster({ clock, nodes, extraControllers });
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
