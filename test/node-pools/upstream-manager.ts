import type { Machine, MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import { configOperator } from '@capstan/control-plane';
import { addNodePoolController, CACHE, Turns } from '@capstan/hypershift';
import { MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, NODE_POOLS } from '@capstan/hosting';
import { Client, Manager, sleep, systemClock, systemRandom } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { HARBOUR_MACHINES } from '@capstan/provider/testing';
import { LiveHost, operatorProcess, serveGuests } from '@capstan/simulation';
import { GUEST_CONTROLLERS, joinNodes } from '@capstan/simulation/testing';
import { clusterApiDefinitions, OriginalManager } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import { installDefinitions } from '@capstan/tools/hosting';
import { Cloud, infrastructureOperator, isLiving } from '@capstan/upstream';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { definitions, hostCluster } from './host.js';
import { HARBOUR, HOME, INFRA_ID, NAMESPACE, NAMESPACES, nodePool, SECRETS, TestReleases } from './objects.js';
import { transportTo } from '../src/transport.js';

const NODES: ResourceRef = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const AT_HOME = { namespace: HOME };
const IN_NAMESPACE = { namespace: NAMESPACE };
const TIMEOUT_MS = 120_000;
const REST_MS = 4_000;
const KUBECONFIG = '/etc/kubernetes/kubeconfig';
const MANAGED = 'managed.hypershift.openshift.io';
const TAINTS = 'hypershift.openshift.io/nodePoolTaints';
/** The field manager under which upstream owns the metadata of its machines. */
const SET_OWNER = 'capi-machineset';
/** A slow cloud would not make the test stronger. */
const TIMINGS = { boot: [50, 200], stop: [20, 50], terminate: [50, 200], consistency: [0, 50] } as const;

/** The clients, cloud and hosted cluster around a pool of ours whose machines the upstream manager reconciles. */
class Place {
  readonly client: Client;
  readonly guest: Client;
  readonly cloud: Cloud;

  constructor({ client, cloud, guest }: Pick<Place, 'client' | 'cloud' | 'guest'>) {
    this.client = client;
    this.cloud = cloud;
    this.guest = guest;
  }

  async until(what: string, look: () => Promise<unknown>): Promise<void> {
    const options = { clock: systemClock(), limitMs: TIMEOUT_MS, everyMs: 200 };
    await waitToSee(what, look, (problem) => problem === undefined, options);
  }

  async list<T extends KubeObject>(ref: ResourceRef): Promise<readonly T[]> {
    return (await this.client.list<T>(ref, AT_HOME)).items;
  }

  /** Waits until there are so many machines, and each and its node have the metadata of the pool. */
  async untilApplied(count: number, words: Words): Promise<void> {
    await this.until(`${count} nodes with ${JSON.stringify(words)}`, async () => {
      const machines = await this.list<Machine>(MACHINES);
      const nodes = (await this.guest.list<Node>(NODES)).items;
      const found = { machines: machines.map(wordsOfMachine), nodes: nodes.map(wordsOfNode) };
      const wanted = Array<Words>(count).fill(words);
      return JSON.stringify(found) === JSON.stringify({ machines: wanted, nodes: wanted }) ? undefined : found;
    });
  }

  /** Who everything is that is made for the pool: none of it may be another afterwards. */
  async identities(): Promise<readonly string[]> {
    const kinds = [MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, HARBOUR_MACHINES];
    const objects = (await Promise.all(kinds.map((kind) => this.list(kind)))).flat();
    const nodes = (await this.guest.list(NODES)).items;
    const instances = this.cloud.instances.filter((instance) => isLiving(instance));
    const uids = [...objects, ...nodes].map(({ metadata }) => metadata.uid ?? '');
    return [...uids, ...instances.map(({ id }) => id)].toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** Waits until no controller writes MachineDeployments, MachineSets and Machines any more. */
  async rests(): Promise<void> {
    const revisions = async (): Promise<string> => {
      const objects = [MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES].map((kind) => this.list(kind));
      return (await Promise.all(objects)).flatMap((all) => all.map(({ metadata }) => metadata.resourceVersion)).join();
    };
    await this.until('no controller writes any more', async () => {
      const before = await revisions();
      await sleep(systemClock(), REST_MS);
      return (await revisions()) === before ? undefined : before;
    });
  }
}

interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly { key: string; value?: string; effect: string }[] };
}

/** Labels and taints of a pool, as a machine or a node has them. */
interface Words {
  readonly tier: string;
  readonly zone: string;
  readonly taints: string;
}

function wordsOfMachine({ metadata: { annotations = {}, labels = {} } }: KubeObject): Words {
  const of = (key: string): string => labels[`${MANAGED}.${key}`] ?? '';
  return { tier: of('tier'), zone: of('zone'), taints: annotations[TAINTS] ?? '' };
}

function wordsOfNode({ metadata: { labels = {} }, spec }: Node): Words {
  const taints = (spec?.taints ?? []).map(({ effect, key, value = '' }) => ({ key, value, effect }));
  return { tier: labels['tier'] ?? '', zone: labels['zone'] ?? '', taints: JSON.stringify(taints) };
}

/** The fields below `metadata` that the upstream manager owns. */
function ownedByOriginal({ metadata }: KubeObject): string {
  const owned = metadata.managedFields?.filter(({ manager }) => manager === SET_OWNER) ?? [];
  return JSON.stringify(owned.map(({ fieldsV1 }) => (fieldsV1 as JsonObject | undefined)?.['f:metadata']));
}

/** Labels and taints of a pool change, and the upstream manager copies them to the existing machines. */
export async function compareWithUpstream(access: ServerAccess): Promise<void> {
  const clock = systemClock();
  const stop = new AbortController();
  const transport = transportTo(access);
  const client = new Client(transport);
  const upstream = new OriginalManager();
  const served = await serveGuests({ clock, random: systemRandom(), port: 0 });
  const host = new LiveHost({ transport, clock, random: systemRandom('live host') });
  let pools: Promise<void> | undefined;
  try {
    await prepare(client, upstream);
    const guest = served.guests.ensure(HOME, INFRA_ID);
    await client.create(SECRETS, guest.kubeconfigSecret());
    await hostCluster(client);
    const cloud = new Cloud({ clock, random: systemRandom(), timings: TIMINGS });
    joinNodes({ cloud, clock, random: systemRandom(), guestOf: () => guest });
    host.spawn(operatorProcess(infrastructureOperator(cloud), { args: ['--platform=harbour', `--namespace=${HOME}`] }));
    host.spawn(
      operatorProcess(configOperator, {
        args: [`--target-kubeconfig=${KUBECONFIG}`, `--namespace=${HOME}`],
        files: { [KUBECONFIG]: guest.kubeconfig() },
        servers: served.guests.known,
      }),
    );
    pools = poolsOf(transport).run(stop.signal);
    await upstream.start(access, client, { admits: true });
    await runScenario(new Place({ client, cloud, guest: new Client(guest.server, { user: GUEST_CONTROLLERS }) }));
  } catch (error) {
    throw new Error(`${String(error)}\n${upstream.logTail()}`, { cause: error });
  } finally {
    stop.abort();
    await pools;
    await host.close();
    await upstream.stop();
    await served.close();
    await transport.close();
  }
}

/** The published kinds of Cluster API, which the upstream manager converts, and ours as well. */
async function prepare(client: Client, upstream: OriginalManager): Promise<void> {
  const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
  const known = new Set(published.map(({ metadata }) => metadata.name));
  const ours = definitions().filter(({ metadata }) => !known.has(metadata.name));
  await installDefinitions(client, [...(await upstream.definitions(published)), ...ours]);
  for (const name of [NAMESPACE, HOME])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

function poolsOf(transport: Transport): Manager {
  const manager = new Manager({ transport, cache: CACHE });
  const { clock, logger, random } = manager;
  const recorder = manager.eventRecorder('nodepool-controller');
  const platforms = new HostingPlatforms([HARBOUR]);
  addNodePoolController(manager, {
    client: manager.client,
    platforms,
    releases: new TestReleases(),
    clock,
    logger,
    random,
    recorder,
    turns: Turns.alone(manager.client),
  });
  return manager;
}

async function runScenario(place: Place): Promise<void> {
  const { client } = place;
  const change = (spec: JsonObject): Promise<unknown> =>
    client.patch(NODE_POOLS, 'workers', { type: 'merge', value: { spec } }, IN_NAMESPACE);
  await client.create(NODE_POOLS, nodePool('workers', { replicas: 1, nodeLabels: { tier: 'gold', zone: 'a' } }));
  await place.untilApplied(1, { tier: 'gold', zone: 'a', taints: '[]' });
  await place.rests();
  const before = await place.identities();

  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  const after = { tier: '', zone: 'b', taints: JSON.stringify([taint]) };
  await change({ nodeLabels: { tier: null, zone: 'b' }, taints: [taint] });
  await place.untilApplied(1, after);
  await place.rests();
  expect(await place.identities()).toEqual(before);
  // Upstream wrote it, down to the machine of the provider, which we never write.
  const [deployment] = await place.list<MachineDeployment>(MACHINE_DEPLOYMENTS);
  const [set] = await place.list<MachineSet>(MACHINE_SETS);
  const [machine] = await place.list<Machine>(MACHINES);
  for (const template of [deployment?.spec?.template, set?.spec?.template])
    expect(wordsOfMachine({ metadata: template?.metadata } as KubeObject)).toEqual(after);
  expect(ownedByOriginal(machine as KubeObject)).toContain(`f:${MANAGED}.zone`);
  expect(ownedByOriginal(machine as KubeObject)).not.toContain(`f:${MANAGED}.tier`);
  expect((await place.list(HARBOUR_MACHINES)).map(wordsOfMachine)).toEqual([after]);

  await change({ replicas: 2 });
  await place.untilApplied(2, after);
  expect(await place.identities()).toEqual(expect.arrayContaining([...before]));
}
