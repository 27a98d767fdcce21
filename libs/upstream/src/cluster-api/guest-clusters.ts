import { Cache, Client, EventChannel, errorText } from '@capstan/kube';
import type { Logger, Result } from '@capstan/kube';
import { isNotFound, isUnauthorized } from '@capstan/meta';
import type { Clock, KubeObject, Random, Transport } from '@capstan/meta';
import { NODES, SECRETS } from './kinds.js';
import type { Cluster, Node } from './types.js';

/** How the API server of a cluster is reached, by its kubeconfig. */
export type ConnectGuest = (cluster: {
  readonly namespace: string;
  readonly name: string;
  readonly kubeconfig: string;
}) => Promise<Transport> | Transport;

/** There is no connection to the cluster. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';

  constructor() {
    super('connection to the workload cluster is down');
  }
}

/** What is known of how well a cluster can be reached. Times are milliseconds since the epoch; 0 is never. */
export interface ProbeState {
  readonly lastProbeAt: number;
  readonly lastSuccessAt: number;
  readonly failuresInARow: number;
}

/** A connection that stands. */
export interface Guest {
  readonly client: Client;
  /** Nodes from the cache. */
  readonly nodes: {
    list(): readonly Node[];
    byProviderId(id: string): readonly Node[];
    get(name: string): Node | undefined;
  };
}

interface Connection extends Guest {
  readonly stop: AbortController;
  readonly channels: Set<EventChannel>;
  readonly cache: Cache;
}

interface Accessor {
  connection: Connection | undefined;
  lastConnectFailureAt: number;
  probe: ProbeState;
}

interface Listener {
  readonly channel: EventChannel<Cluster>;
  /** Also notified when no probe has succeeded for this long. */
  readonly afterSilenceMs: number | undefined;
  readonly notifiedAt: Map<string, number>;
}

export interface GuestClustersOptions {
  /** Reads past every cache. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly connect: ConnectGuest;
  /** After how long a cluster that could not be reached is tried again. Default 30 s. */
  readonly retryConnectMs?: number | undefined;
}

const RETRY_CONNECT_MS = 30_000;
const PROBE_EVERY_MS = 10_000;
const MAX_FAILURES = 5;
const PROVIDER_ID = 'spec.providerID';

const never: ProbeState = { lastProbeAt: 0, lastSuccessAt: 0, failuresInARow: 0 };
const keyOf = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`;

/** The API servers of the clusters: connected to as soon as their infrastructure is there, and probed from then on. */
export class GuestClusters {
  readonly #options: GuestClustersOptions;
  readonly #accessors = new Map<string, Accessor>();
  readonly #listeners: Listener[] = [];

  constructor(options: GuestClustersOptions) {
    this.#options = options;
  }

  /** A channel with an event for a cluster when its connection changes, or when it has not answered for long. */
  listener(name: string, afterSilenceMs?: number): EventChannel<Cluster> {
    const channel = new EventChannel<Cluster>(`guests of ${name}`);
    this.#listeners.push({ channel, afterSilenceMs, notifiedAt: new Map() });
    return channel;
  }

  /** The connection to a cluster, if it stands. */
  find(cluster: KubeObject): Guest | undefined {
    return this.#accessors.get(keyOfObject(cluster))?.connection;
  }

  /** The connection to a cluster; throws {@link NotConnected}. */
  require(cluster: KubeObject): Guest {
    const guest = this.find(cluster);
    if (guest === undefined) throw new NotConnected();
    return guest;
  }

  probeState(cluster: KubeObject): ProbeState {
    return this.#accessors.get(keyOfObject(cluster))?.probe ?? never;
  }

  /** From now on events for nodes of a cluster are sent to the channel, again after each reconnection. */
  watchNodes(cluster: KubeObject, channel: EventChannel<Node>): void {
    const connection = this.#accessors.get(keyOfObject(cluster))?.connection;
    if (connection === undefined) throw new NotConnected();
    if (connection.channels.has(channel as unknown as EventChannel)) return;
    connection.channels.add(channel as unknown as EventChannel);
    connection.cache.informer<Node>(NODES).addHandler({
      add: (node) => channel.send(node),
      update: (old, node) => {
        if (old.metadata.resourceVersion !== node.metadata.resourceVersion) channel.send(node);
      },
      delete: (node) => channel.send(node),
    });
  }

  /** Connects to a cluster or probes it; undefined when there is no such cluster any more. */
  async look(at: { namespace: string; name: string }, cluster: Cluster | undefined): Promise<Result | undefined> {
    const key = keyOf(at);
    if (cluster === undefined) {
      this.#drop(key);
      return undefined;
    }
    const accessor = this.#accessors.get(key) ?? { connection: undefined, lastConnectFailureAt: 0, probe: never };
    this.#accessors.set(key, accessor);
    if (cluster.status?.initialization?.infrastructureProvisioned !== true) return undefined;
    const was = accessor.connection;
    const requeueAfterMs =
      was === undefined ? await this.#tryConnect(at, accessor) : await this.#tryProbe(key, accessor, was);
    this.#notify(key, cluster, accessor, was !== accessor.connection);
    return { requeueAfterMs };
  }

  /** Ends every connection. */
  close(): void {
    for (const key of this.#accessors.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    this.#accessors.get(key)?.connection?.stop.abort();
    this.#accessors.delete(key);
    for (const { notifiedAt } of this.#listeners) notifiedAt.delete(key);
  }

  async #tryConnect(at: { namespace: string; name: string }, accessor: Accessor): Promise<number> {
    const { clock, logger } = this.#options;
    const wait = accessor.lastConnectFailureAt + this.#retryConnectMs - clock.now();
    if (accessor.lastConnectFailureAt > 0 && wait > 0) return wait;
    try {
      accessor.connection = await this.#connect(at);
      const now = clock.now();
      accessor.probe = { lastProbeAt: now, lastSuccessAt: now, failuresInARow: 0 };
      return PROBE_EVERY_MS;
    } catch (error) {
      logger.info('cannot connect to the cluster', { cluster: keyOf(at), error: errorText(error) });
      const now = clock.now();
      accessor.lastConnectFailureAt = now;
      accessor.probe = { ...accessor.probe, lastProbeAt: now, failuresInARow: accessor.probe.failuresInARow + 1 };
      return this.#retryConnectMs;
    }
  }

  async #tryProbe(key: string, accessor: Accessor, connection: Connection): Promise<number> {
    const { clock } = this.#options;
    const wait = accessor.probe.lastProbeAt + PROBE_EVERY_MS - clock.now();
    if (wait > 0) return wait;
    const failure = await probe(connection.client).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const now = clock.now();
    const { lastSuccessAt, failuresInARow } = accessor.probe;
    if (failure === undefined) {
      accessor.probe = { lastProbeAt: now, lastSuccessAt: now, failuresInARow: 0 };
      return PROBE_EVERY_MS;
    }
    accessor.probe = { lastProbeAt: now, lastSuccessAt, failuresInARow: failuresInARow + 1 };
    const isRefused = isUnauthorized(failure.error);
    if (!isRefused && accessor.probe.failuresInARow < MAX_FAILURES) return PROBE_EVERY_MS;
    this.#options.logger.info('disconnected from the cluster after failed probes', { cluster: key });
    connection.stop.abort();
    accessor.connection = undefined;
    // With other credentials it may work at once.
    return isRefused ? 1 : this.#retryConnectMs;
  }

  get #retryConnectMs(): number {
    return this.#options.retryConnectMs ?? RETRY_CONNECT_MS;
  }

  async #connect({ namespace, name }: { namespace: string; name: string }): Promise<Connection> {
    const { client, clock, connect, logger } = this.#options;
    const secret = await client.get(SECRETS, `${name}-kubeconfig`, { namespace });
    const value = (secret['data'] as Record<string, string> | undefined)?.['value'];
    if (value === undefined) throw new MissingKubeconfig(`Secret ${namespace}/${name}-kubeconfig has no key value`);
    const kubeconfig = Buffer.from(value, 'base64').toString('utf8');
    const transport = await connect({ namespace, name, kubeconfig });
    const random = this.#options.random.split(`guest ${namespace}/${name} ${clock.monotonic()}`);
    const guest = new Client(transport, { clock, random, userAgent: 'manager' });
    await probe(guest);
    const stop = new AbortController();
    const cache = new Cache({ client: guest, clock, random: random.split('cache'), logger });
    cache.addIndexer<Node>(NODES, PROVIDER_ID, (node) => (node.spec?.providerID ? [node.spec.providerID] : []));
    const informer = cache.informer<Node>(NODES);
    void cache.run(stop.signal);
    await cache.whenSynced(stop.signal);
    const nodes = {
      list: () => [...informer.store.list()],
      byProviderId: (id: string) => informer.store.byIndex(PROVIDER_ID, id),
      get: (node: string) => informer.store.get(node),
    };
    return { client: guest, nodes, stop, channels: new Set(), cache };
  }

  #notify(key: string, cluster: Cluster, { probe: state }: Accessor, isChanged: boolean): void {
    const now = this.#options.clock.now();
    for (const { channel, afterSilenceMs, notifiedAt } of this.#listeners) {
      const silentAt = state.lastSuccessAt + (afterSilenceMs ?? Number.POSITIVE_INFINITY);
      const isSilent = (notifiedAt.get(key) ?? 0) < silentAt && silentAt < now;
      if (!isChanged && !isSilent) continue;
      notifiedAt.set(key, now);
      channel.send(cluster);
    }
  }
}

/** The Secret of a cluster that should hold its kubeconfig does not. */
export class MissingKubeconfig extends Error {
  override readonly name = 'MissingKubeconfig';
}

function keyOfObject({ metadata: { namespace = '', name = '' } }: KubeObject): string {
  return keyOf({ namespace, name });
}

async function probe(client: Client): Promise<void> {
  await client.request({ method: 'GET', target: '/' }).catch((error: unknown) => {
    // A server that answers is there.
    if (!isNotFound(error)) throw error;
  });
}
