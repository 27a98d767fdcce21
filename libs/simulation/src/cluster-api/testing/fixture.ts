import { ApiServer } from '@capstan/apiserver';
import { GarbageCollector } from '@capstan/cluster';
import { Client, silentLogger, systemRandom, untrustedConnection } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { Logger } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import { clockCarry, Cloud, cloudClient, clusterApiManager } from '@capstan/upstream';
import type { ClusterApiOptions } from '@capstan/upstream';
import { NAMESPACES } from '@capstan/upstream/cluster-api';
import type { GuestCluster } from '../../guests/guest-cluster.js';
import { Guests } from '../../guests/guests.js';
import { Timeline } from '../../engine/timeline.js';
import { installDefinitions } from './definitions.js';
import { joinNodes } from './guest-nodes.js';
import { CLUSTER, NAMESPACE } from './objects.js';
import type { ScenarioEnvironment } from './scenario.js';
import { testProvider } from './test-provider.js';

export interface FixtureOptions {
  readonly seed?: number | string | undefined;
  readonly logger?: Logger | undefined;
  readonly core?: Partial<ClusterApiOptions> | undefined;
  /** The only version of the core kinds that is served. Default: all. */
  readonly coreVersion?: string | undefined;
}

/** A management cluster in virtual time, with a cloud, a provider and the core of Cluster API. */
export class Fixture implements ScenarioEnvironment {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly random: Random;
  readonly server: ApiServer;
  readonly client: Client;
  readonly cloud: Cloud;
  readonly guests: Guests;
  readonly #options: FixtureOptions;
  readonly #stop = new AbortController();
  readonly failures: unknown[] = [];
  readonly guest = (namespace: string, name: string): GuestCluster => this.guests.ensure(namespace, name);

  constructor(options: FixtureOptions = {}) {
    this.#options = options;
    this.random = systemRandom(options.seed ?? 'stage');
    this.timeline = new Timeline(this.random.split('order'));
    this.clock = this.timeline.clock();
    this.server = new ApiServer({ clock: this.clock, random: this.random.split('server') });
    this.client = new Client(this.server, { clock: this.clock, random: this.random.split('client') });
    this.cloud = new Cloud({ clock: this.clock, random: this.random.split('cloud') });
    this.guests = new Guests({ clock: this.clock, random: this.random.split('guests'), isSimulated: true });
  }

  /** Installs the CRDs and starts everything. */
  async start(): Promise<void> {
    const { clock, cloud, guests, random, server, timeline } = this;
    const { core, coreVersion, logger = silentLogger() } = this.#options;
    const begun = this.#begin();
    await timeline.runUntil(timeline.elapsed + 1_000);
    await begun;
    const { guest } = this;
    joinNodes({ cloud, clock, random: random.split('nodes'), guestOf: () => guest(NAMESPACE, CLUSTER) });
    const shared = { transport: server, clock, logger };
    const provider = testProvider({
      ...shared,
      random: random.split('provider'),
      cloud: cloudClient(cloud, 'provider', clockCarry(clock, random.split('carry'))),
      guest,
      coreVersion,
    });
    const manager = clusterApiManager({
      ...shared,
      random: random.split('core'),
      connectGuest: async ({ kubeconfig }) =>
        guests.known.transport(await untrustedConnection(kubeconfig, { origin: 'the Secret' })),
      ...core,
    });
    const collector = new GarbageCollector({ client: this.client, clock, random: random.split('gc'), logger });
    const { signal } = this.#stop;
    for (const run of [provider.run(signal), manager.run(signal), collector.start(signal)])
      run.catch((error: unknown) => this.failures.push(error));
  }

  stop(): void {
    this.#stop.abort();
  }

  async #begin(): Promise<void> {
    await installDefinitions(this.client, this.#options.coreVersion);
    await this.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  }

  /** Does something in virtual time, and gives what came of it. */
  async act<T>(work: Promise<T>): Promise<T> {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    work.then(
      (value) => (outcome = { value }),
      (error: unknown) => (outcome = { error }),
    );
    for (let turn = 0; outcome === undefined && turn < 1_000; turn += 1)
      await this.timeline.runUntil(this.timeline.elapsed + 10);
    if (outcome === undefined) throw new Error('it never ended');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Lets time pass until something holds. */
  async until(what: string, holds: () => Promise<boolean>, limitMs = 1_800_000): Promise<void> {
    const { clock, timeline } = this;
    const pass = (ms: number): Promise<void> => timeline.runUntil(timeline.elapsed + ms);
    await waitUntil(what, () => this.act(holds()), { clock, limitMs, everyMs: 5_000, pass });
  }
}
