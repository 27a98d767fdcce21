import type { HostedControlPlane } from '@capstan/api/hypershift';
import { controlPlaneOperator } from '@capstan/control-plane';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { Client, COMMON_FLAGS, parseFlags, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { FlagKinds, Logger, OperatorContext, OperatorDefinition, ResourceKind } from '@capstan/kube';
import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { ApiRequest, KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { ReleaseError } from '@capstan/release';
import type { ReleasePayload, ReleaseProvider } from '@capstan/release';
import { expect } from 'vitest';
import { DEFINITIONS, NAMESPACES, SECRETS, SERVICES } from './kinds.js';
import { definitions, NAME, payload } from './objects.js';
import { playedWorkloads } from './workloads.js';

/** Something that runs until it is stopped. */
export interface Running {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Releases by reference; a test adds what it needs. */
export class TestReleases implements ReleaseProvider {
  readonly known = new Map<string, ReleaseError | ReleasePayload>();
  lookups = 0;

  lookup(reference: string): Promise<ReleasePayload> {
    this.lookups += 1;
    const found = this.known.get(reference);
    if (found === undefined) return Promise.reject(new ReleaseError('NotFound', `there is no image ${reference}`));
    return found instanceof ReleaseError ? Promise.reject(found) : Promise.resolve(found);
  }
}

/** What an operator is given in a test. */
export function operatorContext<K extends FlagKinds>(
  definition: OperatorDefinition<K>,
  given: {
    readonly transport: Transport;
    readonly args?: readonly string[] | undefined;
    readonly env?: Readonly<Record<string, string>> | undefined;
    readonly files?: Readonly<Record<string, string>> | undefined;
    readonly connect?: ((server: string) => Transport) | undefined;
    readonly logger?: Logger | undefined;
    readonly seed?: string | undefined;
  },
): OperatorContext<K> {
  const parsed = parseFlags({ ...COMMON_FLAGS, ...definition.flags }, given.args ?? []);
  if ('problem' in parsed) throw new TypeError(parsed.problem);
  const { connect, env = {}, files = {}, logger = silentLogger(), seed, transport } = given;
  return {
    options: { transport, clock: systemClock(), random: systemRandom(seed), logger },
    flags: parsed.values as OperatorContext<K>['flags'],
    env,
    namespace: 'default',
    files: {
      read: (path) =>
        files[path] === undefined ? Promise.reject(new TypeError(`no file ${path}`)) : Promise.resolve(files[path]),
    },
    inCluster: () => Promise.resolve(transport),
    connect: ({ server }) => connect?.(server) ?? transport,
    carry: (_, act) => Promise.resolve(act()),
  };
}

/** A management cluster with the kinds of control planes, and something that plays workloads and load balancers. */
export class Fixture {
  readonly transport: Transport;
  readonly client: Client;
  /** Of the control plane. */
  readonly namespace: string;
  readonly releases = new TestReleases();
  /** Workloads that do not come up. */
  readonly held = new Set<string>();
  /** What the operator under test has written: `POST /path`. */
  readonly writes: string[] = [];
  readonly #running: Running[] = [];

  constructor(transport: Transport, namespace: string) {
    this.transport = transport;
    this.namespace = namespace;
    this.client = new Client(transport);
  }

  async open(): Promise<void> {
    for (const definition of definitions()) await this.define(definition);
    await this.client
      .create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } })
      .catch(there);
    const data = { '.dockerconfigjson': Buffer.from('{}').toString('base64') };
    const metadata = { name: 'pull-secret', namespace: this.namespace };
    await this.client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data }).catch(there);
    this.releases.known.set('registry.example.com/release:4.22.0', payload());
    this.run(playedWorkloads(this.transport, this.namespace, (name) => this.held.has(name)));
  }

  async define(definition: KubeObject): Promise<void> {
    await this.client.create(DEFINITIONS, definition).catch(there);
    await this.until(() => this.#isServed(definition));
  }

  async #isServed({ metadata }: KubeObject): Promise<boolean> {
    const { status } = (await this.client.get(DEFINITIONS, metadata.name ?? '')) as KubeObject & {
      status?: { conditions?: readonly { type: string; status: string }[] };
    };
    return status?.conditions?.some(({ status: is, type }) => type === 'Established' && is === 'True') === true;
  }

  /** Runs something until the stage is closed. */
  run(runnable: { run(signal: AbortSignal): Promise<void> }): Running {
    const stopping = new AbortController();
    const ended = runnable.run(stopping.signal);
    const running = {
      ended,
      stop: async () => {
        stopping.abort();
        await ended.catch(() => undefined);
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Runs the operator under test. */
  async operator(
    options: {
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly transport?: Transport;
      readonly platforms?: readonly HostingPlatform[];
    } = {},
  ): Promise<Running> {
    const platforms = new HostingPlatforms(options.platforms ?? [testPlatform()]);
    const definition = controlPlaneOperator({ platforms, releases: this.releases, drawsKeys: true });
    const transport = this.recorded(options.transport ?? this.transport);
    const args = options.args ?? [`--namespace=${this.namespace}`];
    const context = operatorContext(definition, { transport, args, env: options.env, seed: 'operator' });
    return this.run(await definition.build(context));
  }

  recorded(transport: Transport): Transport {
    return {
      send: (request: ApiRequest) => {
        if (request.method !== 'GET') this.writes.push(`${request.method} ${request.target}`);
        return transport.send(request);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.stop()));
  }

  /** Gives the load balancer of a Service its address, once it is there. */
  async balance(name = 'kube-apiserver', ingress: object = { hostname: 'lb.example.com' }): Promise<void> {
    await this.until(async () => (await this.find(SERVICES, name)) !== undefined);
    const value = { status: { loadBalancer: { ingress: [ingress] } } };
    await this.client.patch(
      SERVICES,
      name,
      { type: 'merge', value },
      { namespace: this.namespace, subresource: 'status' },
    );
  }

  async find<T extends KubeObject>(kind: ResourceKind, name: string): Promise<T | undefined> {
    return this.client.get<T>(kind, name, { namespace: this.namespace }).catch(ignoreNotFound);
  }

  plane(): Promise<HostedControlPlane> {
    return this.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, NAME, { namespace: this.namespace });
  }

  /** The condition of the control plane, once it is what a test waits for. */
  async condition(type: string, expected: object): Promise<void> {
    await expect
      .poll(async () => (await this.plane()).status?.conditions?.find((each) => each.type === type), {
        timeout: 60_000,
        interval: 20,
      })
      .toMatchObject(expected);
  }

  async until(what: () => Promise<boolean>): Promise<void> {
    await expect.poll(what, { timeout: 60_000, interval: 20 }).toBe(true);
  }

  /** Resolves when nothing has been written for a while. */
  async quiet(forMs = 200): Promise<void> {
    let seen = -1;
    await expect
      .poll(
        () => {
          const before = seen;
          seen = this.writes.length;
          return before === seen;
        },
        { timeout: 60_000, interval: forMs },
      )
      .toBe(true);
  }
}

function there(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
