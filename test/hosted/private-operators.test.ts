import { FLEET_CONFIG_MAP, HELD, SCOPE_ANNOTATION } from '@capstan/hosting';
import { Client } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { OPERATOR_NAMESPACE } from '@capstan/simulation';
import type { CommitEvent } from '@capstan/simulation';
import {
  applyAll,
  clusterObjects,
  hostedSimulation,
  LEGACY_OPERATOR,
  poolObject,
  PRIVATE_OPERATOR,
  privateSnapshot,
  throughProxy,
} from '@capstan/tools/hosting';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterApiObjects, GroupWatch } from './private.js';
import { Subject } from './scenario.js';

const TEST_MS = 300_000;
const BEFORE = 'operator-before';
const LEGACY = LEGACY_OPERATOR.name ?? '';
const PRIVATE = 'operator';
/** Long enough for every controller to have resynced. */
const REST_MS = 600_000;

const platform = testPlatform();
const platforms = new HostingPlatforms([platform]);
const watch = new GroupWatch();
const simulated = await hostedSimulation(platforms, {
  snapshot: await privateSnapshot(platforms),
  instances: [{ name: BEFORE }],
  onEvent: watch.onEvent,
});
const { client: direct, simulation } = simulated;
const [image = '', nextImage = ''] = simulated.images;
const client = new Client(throughProxy({ send: (request) => simulation.server.send(request) }), {
  clock: simulation.timeline.clock(),
  random: simulation.random.split('user behind the proxy'),
});
const old = new Subject(simulated, platform, 'old');
const young = new Subject({ ...simulated, client, apply: (objects) => applyAll(client, objects) }, platform, 'young');

async function create(cluster: string): Promise<void> {
  const pool = poolObject(platform, { name: `${cluster}-pool`, cluster, image }, { replicas: 1 });
  await simulated.apply([...clusterObjects(platform, cluster, image), pool]);
}

/** Names and UIDs, as they were before. */
async function machinesOf(subject: Subject): Promise<readonly string[]> {
  return (await subject.machines()).map(({ metadata }) => `${metadata.name ?? ''} ${metadata.uid ?? ''}`);
}

/** Which fields, annotations and conditions a write changed, but for metadata that the server keeps; a line each. */
function changed({ object, previous }: CommitEvent): readonly string[] {
  const [before, after] = [partsOf(previous), partsOf(object)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((part) => !deepEqual(before[part], after[part])).map((part) => `${object.kind} ${part}`);
}

function partsOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  const { annotations = {}, finalizers, labels, ownerReferences } = object?.metadata ?? {};
  const { conditions = [], ...status } = (object?.['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return {
    spec: object?.['spec'],
    status,
    finalizers,
    labels,
    ownerReferences,
    ...annotations,
    ...Object.fromEntries(conditions.map((condition) => [condition.type, condition])),
  };
}

beforeAll(async () => {
  const order: unknown = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: FLEET_CONFIG_MAP, namespace: OPERATOR_NAMESPACE },
    data: { hold: HELD },
  };
  await simulated.apply([order as KubeObject]);
  await create('old');
  await old.available();
  await old.nodes(1);
}, TEST_MS);
afterAll(() => simulation.end());

it(
  'a cluster from before private types goes on under the legacy operator',
  async () => {
    const before = await machinesOf(old);
    simulation.stop(BEFORE);
    simulated.startOperator(LEGACY_OPERATOR);
    simulated.startOperator(PRIVATE_OPERATOR);
    await old.change('old-pool', { replicas: 2 });
    await old.nodes(2);
    expect(await machinesOf(old)).toEqual(expect.arrayContaining([...before]));
  },
  TEST_MS,
);

it(
  'a new cluster is created on private types next to it',
  async () => {
    await create('young');
    await young.available();
    await young.change('young-pool', { replicas: 2 });
    await young.nodes(2);
  },
  TEST_MS,
);

it(
  'both are upgraded, each by its operator',
  async () => {
    for (const subject of [old, young]) {
      await subject.upgrade(nextImage, '4.22.1');
      await subject.change(`${subject.name}-pool`, { release: { image: nextImage } });
      await subject.poolRuns(`${subject.name}-pool`, '4.22.1');
      await subject.nodes(2, 'v1.35.3');
    }
    await simulation.runUntil(simulation.elapsed + REST_MS);
  },
  TEST_MS,
);

it('neither operator writes what is of the other', () => {
  expect(watch.writesOf(PRIVATE, 'young').length).toBeGreaterThan(20);
  expect(watch.writesOf(LEGACY, 'old').length).toBeGreaterThan(0);
  expect(watch.writesOf(LEGACY, 'young')).toEqual([]);
  // The operator on private types decides which clusters are legacy, and reports that they are to be migrated.
  const marks = watch.writesOf(PRIVATE, 'old').flatMap((event) => changed(event));
  expect(new Set(marks)).toEqual(new Set([`HostedCluster ${SCOPE_ANNOTATION}`, 'HostedCluster PrivateCAPIMigration']));
});

it('the objects of each are in one group', () => {
  expect(watch.commitsOf('old', 'standard').length).toBeGreaterThan(0);
  expect(watch.commitsOf('young', 'private').length).toBeGreaterThan(0);
  expect(watch.commitsOf('old', 'private')).toEqual([]);
  expect(watch.commitsOf('young', 'standard')).toEqual([]);
  expect(watch.standardReferencesOf('young')).toEqual([]);
});

it(
  'each is deleted by its operator, with everything of it',
  async () => {
    await young.destroy();
    expect(await clusterApiObjects(direct, 'private')).toEqual([]);
    await old.nodes(2);
    await old.destroy();
    expect(await clusterApiObjects(direct, 'standard')).toEqual([]);
  },
  TEST_MS,
);
