import type { ControlPlaneComponent, HostedControlPlane } from '@capstan/api/hypershift';
import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { configOperator, controlPlaneOperator, releaseImages } from '@capstan/control-plane';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import {
  anyOperator,
  idleOperator,
  hostedFixture,
  simulatedHost,
  Simulation,
  SIMULATION_START,
} from '@capstan/simulation';
import type { FaultSource, HostedFixture, SendEvent } from '@capstan/simulation';
import { DEFINITIONS, NAMESPACES, SECRETS } from './kinds.js';
import { definitions, NAME, NAMESPACE } from './objects.js';

/** The process under test. */
export const OPERATOR = 'control-plane-operator';
const STEP_MS = 1_000;
const MOST_STEPS = 900;

let kinds: Promise<StoreSnapshot> | undefined;

async function makeKinds(): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: systemRandom('kinds of control planes') });
  const client = new Client(server, { clock, random: systemRandom('client') });
  const core = clusterApiKinds.map((kind) => crd(kind, { conversion: 'none' }));
  for (const definition of [...core, ...definitions()]) await client.create(DEFINITIONS, definition);
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const data = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
  const metadata = { name: 'pull-secret', namespace: NAMESPACE };
  await client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  return server.snapshot();
}

/** A management cluster in virtual time, whose control planes are made by the operator under test alone. */
export class SimulatedFixture {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly hosted: HostedFixture;

  private constructor(simulation: Simulation, hosted: HostedFixture) {
    this.simulation = simulation;
    this.hosted = hosted;
    const clock = simulation.timeline.clock();
    this.client = new Client(simulation.server, { clock, random: simulation.random.split('test') });
  }

  static async begin(faults?: FaultSource): Promise<SimulatedFixture> {
    kinds ??= makeKinds();
    const simulation = new Simulation({ seed: 1, snapshot: await kinds, faults });
    const platforms = new HostingPlatforms([testPlatform()]);
    const components = [...releaseImages(), 'harbour-cloud-controller-manager'];
    const hosted = await hostedFixture(simulatedHost(simulation, simulation.random.split('hosted')), {
      operators: {
        hypershift: (releases) => anyOperator(controlPlaneOperator({ platforms, releases, drawsKeys: true })),
        controlPlane: () => idleOperator('idle'),
        config: () => anyOperator(configOperator),
      },
      releases: ['4.22.0', '4.22.1'].map((version) => ({ version, kubernetesVersion: '1.35.2', components })),
    });
    return new SimulatedFixture(simulation, hosted);
  }

  /** Lets time pass until something is so. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (await isSo()) return;
      await this.simulation.runUntil(this.simulation.elapsed + STEP_MS);
    }
    throw new RangeError(`${what}: not reached after ${this.simulation.elapsed} ms`);
  }

  async pass(ms: number): Promise<void> {
    await this.simulation.runUntil(this.simulation.elapsed + ms);
  }

  plane(): Promise<HostedControlPlane> {
    return this.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, NAME, { namespace: NAMESPACE });
  }

  merge(value: JsonObject): Promise<KubeObject> {
    return this.client.patch(HOSTED_CONTROL_PLANES, NAME, { type: 'merge', value }, { namespace: NAMESPACE });
  }

  async components(): Promise<readonly ControlPlaneComponent[]> {
    return (await this.client.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, { namespace: NAMESPACE })).items;
  }

  async isThere(kind: ResourceKind, name: string): Promise<boolean> {
    try {
      await this.client.get(kind, name, { namespace: NAMESPACE });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async list(kind: ResourceKind): Promise<readonly KubeObject[]> {
    return (await this.client.list(kind, { namespace: NAMESPACE })).items;
  }

  /** Requests of a process since a moment, but for watches. */
  requests(process: string, sinceMs: number): readonly string[] {
    return this.simulation.log.events
      .filter((event): event is SendEvent => event.type === 'send' && event.at >= sinceMs && event.process === process)
      .map(({ method, target }) => `${method} ${target}`)
      .filter((request) => !request.includes('watch=true'));
  }
}
