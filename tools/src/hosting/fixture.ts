import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { releasesOf } from '@capstan/cli/releases';
import { configOperator, controlPlaneOperator } from '@capstan/control-plane';
import { PRIVATE_CAPI_TYPES_LABEL } from '@capstan/hosting';
import { hypershiftOperator } from '@capstan/hypershift';
import type { HypershiftOptions } from '@capstan/hypershift';
import { apply, Client, Discovery, systemRandom } from '@capstan/kube';
import { ManualClock, waitToSee } from '@capstan/kube/testing';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import {
  anyOperator,
  hostedFixture,
  OPERATOR_NAMESPACE,
  simulatedHost,
  FIXTURE_REGISTRY,
  Simulation,
  SIMULATION_START,
} from '@capstan/simulation';
import type { HostedFixture, HostedFixtureOptions, ProcessHost, SimulationOptions } from '@capstan/simulation';
import { installDefinitions } from './definitions.js';
import { hostingDefinitions } from './kinds.js';
import { HOME } from './objects.js';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

/** A server that knows every kind, and the namespaces there are before anything is hosted. */
export async function hostedSnapshot(platforms: Iterable<HostingPlatform>): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: systemRandom('hosted kinds') });
  const client = new Client(server, { clock, random: systemRandom('client') });
  await prepare(client, platforms);
  return server.snapshot();
}

/** Defines every kind, and makes the namespaces there are before anything is hosted. */
export async function prepare(client: Client, platforms: Iterable<HostingPlatform>): Promise<void> {
  await installDefinitions(client, await hostingDefinitions(platforms));
  for (const name of [HOME, OPERATOR_NAMESPACE, 'hosts'])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** A place in which clusters are hosted, and a user in it. */
export interface Hosted extends HostedFixture {
  readonly client: Client;
  /** Applies objects as kubectl would. */
  readonly apply: (objects: readonly KubeObject[]) => Promise<void>;
  /** Waits for a condition; fails with what was observed last. */
  readonly until: (what: string, look: () => Promise<string | undefined>) => Promise<void>;
  /** Virtual milliseconds, or real ones, since it began. */
  readonly elapsed: number;
}

/** Every image of the control plane operator supports private types. */
const SUPPORTING: ReturnType<NonNullable<HypershiftOptions['images']>> = {
  labels: (pullSpec) => Promise.resolve({ pullSpec, labels: { [PRIVATE_CAPI_TYPES_LABEL]: 'true' } }),
};

/** Runs the operators in an environment. */
export async function hostIn(
  host: ProcessHost,
  platforms: HostingPlatforms,
  {
    migrates,
    ...options
  }: Pick<HostedFixtureOptions, 'instances' | 'startMs' | 'timings'> & Pick<HypershiftOptions, 'migrates'> = {},
): Promise<HostedFixture> {
  const imageOf = (component: string): string => `${FIXTURE_REGISTRY}/openshift/${component}:latest`;
  return hostedFixture(host, {
    ...options,
    releases: releasesOf(platforms),
    env: {
      IMAGE_AGENT_CAPI_PROVIDER: imageOf('agent-cluster-api-controllers'),
      IMAGE_KUBEVIRT_CAPI_PROVIDER: imageOf('kubevirt-cluster-api-controllers'),
    },
    operators: {
      hypershift: (releases) =>
        anyOperator(
          hypershiftOperator({
            platforms,
            releases: () => releases,
            images: () => SUPPORTING,
            drawsKeys: host.isSimulated,
            isPodless: true,
            migrates,
          }),
        ),
      controlPlane: (releases) =>
        anyOperator(controlPlaneOperator({ platforms, releases, drawsKeys: host.isSimulated })),
      config: () => anyOperator(configOperator),
    },
  });
}

/** Begins a simulation in which clusters can be hosted. */
export async function hostedSimulation(
  platforms: HostingPlatforms,
  options: Partial<SimulationOptions> &
    Pick<HostedFixtureOptions, 'instances'> &
    Pick<HypershiftOptions, 'migrates'> = {},
): Promise<Hosted & { readonly simulation: Simulation }> {
  const snapshot = options.snapshot ?? (await hostedSnapshot(platforms));
  const simulation = new Simulation({ seed: 1, ...options, snapshot });
  const host = simulatedHost(simulation, simulation.random.split('hosted'));
  const { instances, migrates } = options;
  const fixture = await hostIn(host, platforms, { instances, migrates });
  const clock = simulation.timeline.clock();
  const client = new Client(toServerOf(simulation), { clock, random: simulation.random.split('user') });
  const until = async (what: string, look: () => Promise<string | undefined>): Promise<void> => {
    const pass = (ms: number): Promise<void> => simulation.runUntil(simulation.elapsed + ms);
    const polling = { clock, limitMs: 3_600_000, everyMs: 2_000, pass };
    await waitToSee(what, look, (missing) => missing === undefined, polling);
  };
  return {
    ...fixture,
    simulation,
    client,
    until,
    apply: (objects) => applyAll(client, objects),
    get elapsed() {
      return simulation.elapsed;
    },
  };
}

/** The transport to the server of a simulation; a request made while the server is down waits for it. */
function toServerOf(simulation: Simulation): Transport {
  return {
    send: async (request) => {
      while (!simulation.isServerUp) await simulation.runUntil(simulation.elapsed + 500);
      return simulation.server.send(request);
    },
  };
}

/** Applies objects in their order. */
export async function applyAll(client: Client, objects: readonly KubeObject[]): Promise<void> {
  const discovery = new Discovery(client, { missIntervalMs: 0 });
  for (const object of objects) {
    const resource = await discovery.resourceFor({ ...parseApiVersion(object.apiVersion), kind: object.kind });
    if (resource === undefined) throw new Error(`the server does not know ${object.kind} of ${object.apiVersion}`);
    await apply(client, resource, object, { fieldOwner: 'kubectl', force: true });
  }
}
