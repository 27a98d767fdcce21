import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { controlPlaneComponent, hostedCluster, hostedControlPlane, nodePool } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { controlPlaneOperator, releaseImages } from '@capstan/control-plane';
import { hypershiftOperator } from '@capstan/hypershift';
import { Client, ManualClock, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { admittingPlatform, harbourDefinitions, testPlatform } from '@capstan/provider/testing';
import {
  anyProgram,
  defineIdle,
  hostedStage,
  OPERATOR_NAMESPACE,
  simulatedTheatre,
  World,
  WORLD_BEGINS,
} from '@capstan/simulation';
import type { FixtureRelease, HostedStage, WorldOptions } from '@capstan/simulation';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

/** The made-up platform on which core is tried. */
export const HARBOUR: HostingPlatform = testPlatform();

const IMAGES = [
  ...releaseImages(),
  'hypershift',
  'cluster-capi-controllers',
  'harbour-cluster-api-controllers',
  'harbour-cloud-controller-manager',
];

/** Releases of three patches and two minors. */
export const RELEASES: readonly FixtureRelease[] = [
  { version: '4.22.0', kubernetesVersion: '1.35.2', components: IMAGES },
  { version: '4.22.1', kubernetesVersion: '1.35.3', components: IMAGES },
  { version: '5.0.0', kubernetesVersion: '1.36.1', components: IMAGES },
];

let shared: Promise<StoreSnapshot> | undefined;

/** A server that knows the kinds of hosted clusters and of the made-up platform. */
export function hostedSnapshot(): Promise<StoreSnapshot> {
  shared ??= (async () => {
    const clock = new ManualClock(WORLD_BEGINS);
    const server = new ApiServer({ clock, random: systemRandom('hosted kinds') });
    const client = new Client(server, { clock, random: systemRandom('client') });
    const core = clusterApiKinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);
    const hosted = [hostedCluster, hostedControlPlane, nodePool].map((kind) =>
      admittingPlatform(crd(kind, { conversion: 'none' }), HARBOUR),
    );
    const component = crd(controlPlaneComponent) as unknown as KubeObject;
    for (const definition of [...core, ...hosted, component, ...harbourDefinitions()])
      await client.create(DEFINITIONS, definition);
    for (const name of ['clusters', OPERATOR_NAMESPACE])
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return server.snapshot();
  })();
  return shared;
}

/** A world with the operators in it. */
export interface Hosted extends HostedStage {
  readonly world: World;
  readonly client: Client;
}

/** Begins a world in which clusters can be hosted on the made-up platform. */
export async function hostedWorld(options: Partial<WorldOptions> = {}): Promise<Hosted> {
  const world = new World({ seed: 1, snapshot: await hostedSnapshot(), ...options });
  const platforms = new HostingPlatforms([HARBOUR]);
  const stage = await hostedStage(simulatedTheatre(world, world.random.split('hosted')), {
    releases: RELEASES,
    operators: {
      hypershift: (releases) => anyProgram(hypershiftOperator({ platforms, releases: () => releases })),
      controlPlane: (releases) => anyProgram(controlPlaneOperator({ platforms, releases, drawsKeys: true })),
      config: () => anyProgram(defineIdle('hosted-cluster-config-operator')),
    },
  });
  const clock = world.timeline.clock();
  return { ...stage, world, client: new Client(world.server, { clock, random: world.random.split('user') }) };
}
