import type { Clock, Random, Transport } from '@capstan/meta';
import { Cache } from '../cache/cache.js';
import type { CacheOptions } from '../cache/cache.js';
import { Client } from '../client/client.js';
import type { ClientOptions } from '../client/client-options.js';
import type { Reader } from '../client/reader.js';
import { Controller } from '../controller/controller.js';
import type { ControllerOptions } from '../controller/controller.js';
import { EventRecorder } from '../events/recorder.js';
import type { EventRecorderOptions } from '../events/recorder.js';
import { HealthChecks } from '../health/health.js';
import type { HealthCheck } from '../health/health.js';
import { EndpointServer } from '../http/endpoint-server.js';
import type { EndpointServerOptions } from '../http/endpoint-server.js';
import { LeaderElector } from '../leader/elector.js';
import type { LeaderElectorOptions } from '../leader/elector.js';
import { fencedTransport } from '../leader/leadership.js';
import type { Leadership } from '../leader/leadership.js';
import { meteredTransport } from '../metrics/metered-transport.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { whenAborted } from '../runtime/abort.js';
import { systemClock } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { silentLogger } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import type { Sometimes } from '../runtime/sometimes.js';
import { Group } from './group.js';
import { loggedTransport } from './logged-transport.js';
import type { Runnable, RunnableGroup } from './runnable.js';

type Listening = Pick<EndpointServerOptions, 'port' | 'host' | 'certificate' | 'attach'>;

export interface ManagerOptions {
  readonly transport: Transport;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  readonly client?: Pick<ClientOptions, 'userAgent' | 'user' | 'onWarning'> | undefined;
  readonly cache?: Pick<CacheOptions, 'selectionOf' | 'transform' | 'resyncMs' | 'watchList' | 'syncTimeoutMs'>;
  /** Serves `/metrics`. Default: not at all. */
  readonly metrics?: Listening | undefined;
  /** Serves `/healthz` and `/readyz`. Default: not at all. */
  readonly probes?: Listening | undefined;
  /** Default: no election; what only a leader runs begins at once. */
  readonly leaderElection?:
    | Pick<
        LeaderElectorOptions,
        | 'namespace'
        | 'name'
        | 'identity'
        | 'leaseDurationMs'
        | 'renewDeadlineMs'
        | 'retryPeriodMs'
        | 'releaseOnCancel'
        | 'onNewLeader'
      >
    | undefined;
  /** How long everything together may take to stop. Default 30 s. */
  readonly gracePeriodMs?: number | undefined;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}

const START_ORDER: readonly RunnableGroup[] = ['http', 'webhook', 'cache', 'other'];
const STOP_ORDER: readonly RunnableGroup[] = ['other', 'leader', 'cache', 'webhook', 'http'];

/** A program of controllers: what they share, started in order and stopped in order. */
export class Manager {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: RuntimeMetrics;
  /** Writes, and reads past the cache. With an election, writes only while this process leads. */
  readonly client: Client;
  /** Writes whether or not this replica leads: for what every replica does, its own status or certificates. */
  readonly unguardedClient: Client;
  /** Reads from the server itself. */
  readonly apiReader: Reader;
  readonly cache: Cache;
  readonly #options: ManagerOptions;
  readonly #clientOptions: ClientOptions;
  readonly #groups: Record<RunnableGroup, Group>;
  readonly #health: HealthChecks;
  readonly #ready: HealthChecks;
  readonly #servers = new Map<'metrics' | 'probes', EndpointServer>();
  readonly #recorders: EventRecorder[] = [];
  readonly #failing = new AbortController();
  /** Aborted when it is to stop, for whatever reason: nothing goes on waiting for a start. */
  readonly #ending = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #leadership: Leadership | undefined;
  #isStarted = false;
  #isReady = false;
  readonly #leads: Promise<void>;
  #startLeading: () => void = () => undefined;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#leads = new Promise((resolve) => (this.#startLeading = resolve));
    this.clock = options.clock ?? systemClock();
    this.random = options.random ?? systemRandom();
    this.logger = options.logger ?? silentLogger();
    this.metrics = new RuntimeMetrics(this.clock);
    const { clock, random, logger } = this;
    const metered = meteredTransport(options.transport, this.metrics, clock);
    const onRetry = (code: string, verb: string): void => this.metrics.client.retries.add([code, verb, 'apiserver']);
    const clientOptions = { ...options.client, clock, random, onRetry };
    this.#clientOptions = clientOptions;
    this.unguardedClient = new Client(metered, clientOptions);
    this.client = this.#fencedClient(metered);
    this.apiReader = this.client;
    const { sometimes } = options;
    this.cache = new Cache({ client: this.unguardedClient, clock, random, logger, sometimes, ...options.cache });
    const group = (): Group => new Group((error) => this.#fail(error));
    this.#groups = { http: group(), webhook: group(), cache: group(), other: group(), leader: group() };
    this.#health = new HealthChecks('healthz', logger);
    this.#ready = new HealthChecks('readyz', logger);
    this.#ready.add('startup', () => {
      if (!this.#isReady) throw new RuntimeError('cache-not-started', 'webhooks and caches have not started yet');
    });
    this.#addServers();
    this.add(
      {
        name: 'cache',
        run: (signal) => this.cache.run(signal),
        ready: () => this.cache.whenSynced(this.#ending.signal),
      },
      'cache',
    );
  }

  /**
   * The client of one controller, named in the user agent behind that of the program, so that audit logs name it; by
   * default on the transport of the manager. Writes are sent only while this process leads, as by {@link client}.
   */
  clientFor(controller: string, transport: Transport = this.#options.transport): Client {
    const { userAgent = '' } = this.#clientOptions;
    const options = { ...this.#clientOptions, userAgent: `${userAgent}/${controller}` };
    return this.#fencedClient(meteredTransport(transport, this.metrics, this.clock), options);
  }

  #fencedClient(transport: Transport, options = this.#clientOptions): Client {
    const held = (): boolean => this.#options.leaderElection === undefined || this.#leadership?.held() === true;
    return new Client(fencedTransport(loggedTransport(transport, this.logger), { held }), options);
  }

  /** Adds something to be run; what only the leader may run belongs to `leader`. */
  add(runnable: Runnable, group: RunnableGroup = 'leader'): void {
    this.#groups[group].add(runnable);
  }

  /** A controller with all this manager shares; say what it watches before the manager runs. */
  controller(
    options: Pick<ControllerOptions, 'name' | 'reconcile'> &
      Partial<Omit<ControllerOptions, 'cache' | 'clock' | 'random' | 'logger' | 'metrics'>>,
  ): Controller {
    const { cache, clock, logger, metrics } = this;
    const random = this.random.split(`controller ${options.name}`);
    const { sometimes } = this.#options;
    const controller = new Controller({ sometimes, ...options, cache, clock, random, logger, metrics });
    this.add(controller, controller.needsLeaderElection ? 'leader' : 'other');
    return controller;
  }

  /** Writes events as the named component. */
  eventRecorder(component: string, options: Pick<EventRecorderOptions, 'isGathered'> = {}): EventRecorder {
    const { clock, logger } = this;
    const random = this.random.split(`events ${component}`);
    const recorder = new EventRecorder({ client: this.unguardedClient, clock, random, logger, component, ...options });
    this.#recorders.push(recorder);
    return recorder;
  }

  addHealthCheck(name: string, check: HealthCheck): void {
    this.#health.add(name, check);
  }

  addReadyCheck(name: string, check: HealthCheck): void {
    this.#ready.add(name, check);
  }

  /** Resolves when this process leads, or needs no lease, and its controllers have started; never where it does neither. */
  whenLeading(): Promise<void> {
    return this.#leads;
  }

  /** Where metrics or probes are served, once they are. */
  async url(server: 'metrics' | 'probes'): Promise<string> {
    const found = this.#servers.get(server);
    if (found === undefined) throw new RuntimeError('misused', `this manager serves no ${server}`);
    return found.ready();
  }

  /** Runs until the signal aborts, something fails, or the lease is lost; then stops all in order. Rejects with the failure. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new RuntimeError('misused', 'the manager was started before');
    this.#isStarted = true;
    const ending = Promise.race([whenAborted(signal), whenAborted(this.#failing.signal)]);
    const electing = new AbortController();
    let elected: Promise<void> = Promise.resolve();
    try {
      await Promise.race([this.#start(), ending]);
      if (!signal.aborted && this.#failure === undefined) elected = this.#elect(electing.signal);
      await ending;
    } catch (error) {
      this.#fail(error);
    }
    this.#ending.abort();
    await this.#stop(electing, elected).catch((error: unknown) => this.#fail(error));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #start(): Promise<void> {
    for (const name of START_ORDER) {
      if (this.#ending.signal.aborted) return;
      await this.#groups[name].start();
    }
    this.#isReady = true;
    this.logger.info('manager ready');
  }

  /** Leads until it is stopped: the lease is kept until all that it guards has stopped. */
  async #elect(signal: AbortSignal): Promise<void> {
    const { leaderElection } = this.#options;
    const leaders = this.#groups.leader;
    if (leaderElection === undefined) {
      await leaders.start();
      this.#startLeading();
      return;
    }
    const { clock, logger, metrics } = this;
    const random = this.random.split('leader election');
    const elector = new LeaderElector({
      client: this.unguardedClient,
      clock,
      random,
      logger,
      metrics,
      sometimes: this.#options.sometimes,
      ...leaderElection,
    });
    await elector
      .run(signal, async (leadership) => {
        this.#leadership = leadership;
        logger.info('became leader', { lease: leaderElection.name });
        await Promise.race([leaders.start().then(this.#startLeading), whenAborted(leadership.signal)]);
        await whenAborted(leadership.signal);
        if (!leadership.held()) await leaders.stop(clock, clock.monotonic() + (this.#options.gracePeriodMs ?? 30_000));
      })
      .catch((error: unknown) => this.#fail(error));
    this.#leadership = undefined;
  }

  async #stop(electing: AbortController, elected: Promise<void>): Promise<void> {
    const deadline = this.clock.monotonic() + (this.#options.gracePeriodMs ?? 30_000);
    this.#isReady = false;
    this.logger.info('manager stopping');
    let failure: { readonly error: unknown } | undefined;
    for (const name of STOP_ORDER) {
      await this.#groups[name].stop(this.clock, deadline).catch((error: unknown) => (failure ??= { error }));
    }
    electing.abort();
    await elected;
    for (const recorder of this.#recorders) await recorder.close();
    if (failure !== undefined) throw failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#failing.abort();
  }

  #addServers(): void {
    const { metrics, probes } = this.#options;
    if (metrics !== undefined) {
      const contentType = 'text/plain; version=0.0.4; charset=utf-8';
      this.#serve('metrics', metrics).route('/metrics', () => ({
        status: 200,
        contentType,
        body: this.metrics.render(),
      }));
    }
    if (probes === undefined) return;
    const server = this.#serve('probes', probes);
    server.route('/healthz', this.#health.endpoint);
    server.route('/readyz', this.#ready.endpoint);
  }

  #serve(name: 'metrics' | 'probes', listening: Listening): EndpointServer {
    const server = new EndpointServer({ ...listening, name, logger: this.logger });
    this.#servers.set(name, server);
    this.add(server, 'http');
    return server;
  }
}
