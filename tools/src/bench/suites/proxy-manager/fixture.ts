import { getPriority, setPriority } from 'node:os';
import { GarbageCollector } from '@capstan/cluster';
import {
  anonymous,
  Client,
  fixedCredentials,
  HttpTransport,
  silentLogger,
  systemClock,
  systemRandom,
} from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { serveGuests } from '@capstan/simulation';
import { CLUSTER, joinNodes, NAMESPACE, Scenario, testDefinitions, testProvider } from '@capstan/simulation/testing';
import type { ScenarioEnvironment } from '@capstan/simulation/testing';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { clockCarry, Cloud, cloudClient } from '@capstan/upstream';
import { parse } from 'yaml';
import { clusterApiDefinitions } from '../../../cluster-api/module.js';
import { OriginalManager } from '../../../cluster-api/original-process.js';
import type { ServerAccess } from '../../../cluster-api/original-process.js';
import { startRealKube } from '../../../real-kube/index.js';
import type { RealKube } from '../../../real-kube/index.js';
import { startOurs, workedMs } from '../proxy/programs.js';
import type { Served } from '../proxy/programs.js';
import { Counting } from './counting.js';

const DEFINITIONS = ref('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', false);
const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const NAMESPACES = ref('', 'v1', 'namespaces', false);
const QUICK = { boot: [50, 150], terminate: [50, 150], stop: [50, 100], consistency: [0, 20] } as const;
/** Given more memory a kube-apiserver collects its garbage less often, for which everybody on few cores would wait. */
const ROOMY = { GOGC: '2000' };
/**
 * Servers have no machines of their own here, and must not wait for their clients. The caches of the clients would get
 * stale meanwhile, so their writes would conflict; the server tries five times before it reports that, and has less time
 * still. The proxy counts as a server for the manager, with a share of its own of the machine.
 */
const NICENESS_OF_CLIENTS = 8;
const LOOK_MS = 50;
const LIMIT_MS = 300_000;

function ref(group: string, version: string, plural: string, namespaced: boolean): ResourceRef {
  return { group, version, plural, namespaced };
}

/** What a change of scale took. */
export interface Scaled {
  /** Until all machines were ready, or gone. */
  readonly seconds: number;
  /** Until their MachineDeployment reported them. */
  readonly countedSeconds: number;
  /** What the manager asked of the server meanwhile, and how much of that in vain: what it knew was old. */
  readonly requests: number;
  readonly conflicts: number;
  /** Time that the proxy worked. */
  readonly workedSeconds: number;
}

interface Parts {
  readonly direct: Client;
  readonly kinds: 'private' | 'standard';
  readonly original: OriginalManager;
  /** The server as the manager sees it. */
  readonly seen: ServerAccess;
  readonly proxyPid: number | undefined;
  readonly closers: readonly (() => Promise<unknown>)[];
}

/** A real server with the original manager and a provider whose machines are there at once. */
export class ManagedFixture {
  readonly #parts: Parts;
  readonly #deployments: ResourceRef;
  readonly #counting: Counting;

  private constructor(parts: Parts) {
    const group = parts.kinds === 'private' ? 'cluster.hypershift.openshift.io' : 'cluster.x-k8s.io';
    this.#parts = parts;
    this.#deployments = ref(group, 'v1beta2', 'machinedeployments', true);
    this.#counting = new Counting(parts.direct, group);
  }

  /** Starts everything on a server; resolves once there is a cluster without machines. */
  static async open({ kinds, kube, proxy }: Management): Promise<ManagedFixture> {
    const closers: (() => Promise<unknown>)[] = [() => kube.stop()];
    const later = (close: () => Promise<unknown>): void => void closers.unshift(close);
    if (proxy !== undefined) later(() => proxy.stop());
    try {
      const direct = new Client(transportTo(kube), { userAgent: 'bench' });
      const original = new OriginalManager();
      await install(direct, kinds);
      const seen = proxy === undefined ? kube : { url: proxy.url };
      const place = await populate({ kinds, kube, seen }, later);
      later(() => original.stop());
      // No webhooks of admission either way: private kinds have none.
      await original.start(seen, direct, { admits: false });
      await new Scenario(place, { replicas: 0, unhealthySeconds: LIMIT_MS / 1000 }).grow();
      return new ManagedFixture({ direct, kinds, original, seen, proxyPid: proxy?.pid, closers });
    } catch (error) {
      for (const close of closers) await close();
      throw error;
    }
  }

  /** Asks for so many machines, and waits until they are ready, or gone. */
  async scale(replicas: number): Promise<Scaled> {
    const { direct, proxyPid } = this.#parts;
    const worked = (): number => (proxyPid === undefined ? 0 : workedMs(proxyPid));
    const [before, workedBefore] = [await this.#asked(), worked()];
    const arrival = this.#counting.arrival(replicas);
    const begin = performance.now();
    const value = { spec: { replicas } };
    await direct.patch(this.#deployments, 'workers', { type: 'merge', value }, { namespace: NAMESPACE });
    const { machinesAt, countedAt } = await arrival;
    const [after, workedAfter] = [await this.#asked(), worked()];
    return {
      seconds: (machinesAt - begin) / 1000,
      countedSeconds: (countedAt - begin) / 1000,
      requests: after.requests - before.requests,
      conflicts: after.conflicts - before.conflicts,
      workedSeconds: (workedAfter - workedBefore) / 1000,
    };
  }

  async close(): Promise<void> {
    this.#counting.close();
    for (const close of this.#parts.closers) await close();
  }

  async #asked(): Promise<Pick<Scaled, 'requests' | 'conflicts'>> {
    const { original, seen } = this.#parts;
    const counts = await original.requestsTo(seen);
    return { requests: [...counts.values()].reduce((sum, each) => sum + each, 0), conflicts: counts.get('409') ?? 0 };
  }
}

/** What a manager works on. */
export interface Management {
  readonly kinds: 'private' | 'standard';
  readonly kube: RealKube;
  /** What its clients see instead. */
  readonly proxy: Served | undefined;
}

/** Starts servers, which go before all that is started after them, in this process or by it. */
export async function startServers<const Kinds extends readonly Management['kinds'][]>(
  kinds: Kinds,
): Promise<{ readonly servers: { [At in keyof Kinds]: Management }; readonly done: () => void }> {
  const servers: Management[] = [];
  for (const each of kinds) {
    const kube = await startRealKube({ apiserverEnv: ROOMY });
    const isProxied = each === 'private';
    servers.push({
      kinds: each,
      kube,
      proxy: isProxied ? await startOurs({ ...kube, stop: () => Promise.resolve() }) : undefined,
    });
  }
  const before = getPriority();
  setPriority(NICENESS_OF_CLIENTS);
  const done = (): void => {
    try {
      setPriority(before);
    } catch {
      // Not everybody may go before others again.
    }
  };
  return { servers: servers as { [At in keyof Kinds]: Management }, done };
}

type Later = (close: () => Promise<unknown>) => void;

function transportTo({ caPem, token, url }: ServerAccess): HttpTransport {
  const credentials =
    token === undefined ? anonymous() : fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
}

async function install(direct: Client, kinds: 'private' | 'standard'): Promise<void> {
  const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
  const provider = testDefinitions().filter(({ metadata }) => metadata.name?.startsWith('test') === true);
  const standard = [...published, ...provider].map(inOneVersion);
  const definitions = kinds === 'private' ? standard.map(privateCrdOf) : standard;
  for (const definition of definitions) await direct.create(DEFINITIONS, definition);
  for (const { spec } of definitions) {
    const { group, names, versions } = spec as Spec;
    for (const { name, served } of versions)
      if (served)
        await until(`${names.plural}.${group}`, () =>
          direct.list(ref(group, name, names.plural, true)).then(
            () => true,
            () => false,
          ),
        );
  }
  await direct.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
}

interface Spec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
}

/**
 * The stored version alone, which everybody here speaks. For each version more the server keeps another copy of every
 * object and has each change of it converted: by whom, and how fast, is no difference that a proxy makes.
 */
function inOneVersion(definition: KubeObject): KubeObject {
  const { versions, ...spec } = definition['spec'] as Spec;
  const stored = versions.filter(({ storage }) => storage);
  return { ...definition, spec: { ...spec, versions: stored, conversion: { strategy: 'None' } } };
}

function privateCrdOf(definition: KubeObject): KubeObject {
  const shim = { namespace: 'nowhere', name: 'shim' };
  const privateCrd = mirrorDefinition(definition, { mapping: MAPPING, shim }).definition;
  return { ...privateCrd, spec: { ...(privateCrd['spec'] as object), conversion: { strategy: 'None' } } };
}

interface Populated {
  readonly kinds: Management['kinds'];
  readonly kube: ServerAccess;
  readonly seen: ServerAccess;
}

/**
 * The provider and the collector of garbage, and the cloud and nodes they need. They belong to the stage: it is the
 * manager that is measured with the proxy and without, so they ask the server itself either way.
 */
async function populate({ kinds, kube, seen }: Populated, later: Later): Promise<ScenarioEnvironment> {
  const [clock, random] = [systemClock(), systemRandom()];
  const guests = await serveGuests({ clock, random, port: 0 });
  const cloud = new Cloud({ clock, random: systemRandom(), timings: QUICK });
  const guest: ScenarioEnvironment['guest'] = (namespace, name) => guests.guests.ensure(namespace, name);
  joinNodes({ cloud, clock, random: systemRandom(), guestOf: () => guest(NAMESPACE, CLUSTER) });
  const carry = clockCarry(clock, systemRandom());
  const provider = testProvider({
    transport: transportTo(kube),
    cloud: cloudClient(cloud, 'provider', carry),
    guest,
    groupOf: (group) => (kinds === 'private' ? MAPPING.swap(group) : group),
  });
  const client = new Client(transportTo(kube), { userAgent: 'collector' });
  const collector = new GarbageCollector({ client, clock, random: systemRandom(), logger: silentLogger() });
  const ending = new AbortController();
  const running = [provider.run(ending.signal), collector.start(ending.signal)];
  later(async () => {
    ending.abort();
    await Promise.allSettled(running);
    await guests.close();
  });
  const observed = new Client(transportTo(seen), { userAgent: 'bench' });
  return { client: observed, clock, random, cloud, guest, act: (work) => work, until };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, holds, { clock: systemClock(), limitMs: LIMIT_MS, everyMs: LOOK_MS });
}
