import { apply, Client, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import {
  COPIED_FROM_ANNOTATION,
  COPIED_GENERATION_ANNOTATION,
  copyObjects,
  findOwned,
  ownerOf,
  removeWithoutFinalizing,
  repointOwned,
  takeInventory,
} from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bothGroups,
  CONFIG_MAPS,
  createFleet,
  freshNamespace,
  kindOf,
  MAPPING,
  migrationServer,
  MigrationFixture,
  ownedBy,
  PRIVATE,
  STANDARD,
} from './fixture.js';
import { hostedKinds } from './hosted.js';

const SETS = kindOf(STANDARD, 'MachineSet');
const MACHINES = kindOf(STANDARD, 'Machine');
const WITHIN = { clock: systemClock(), limitMs: 10_000, everyMs: 20 };

let fixture: MigrationFixture;
let originals: readonly MovedObject[];
let copies: ReadonlyMap<string, KubeObject>;

const inventory = (side: 'standard' | 'private'): Promise<readonly MovedObject[]> =>
  takeInventory({
    client: fixture.client,
    discovery: fixture.discovery,
    mapping: MAPPING,
    side,
    namespace: fixture.namespace,
  });

async function privateObject(kind: string, name: string): Promise<KubeObject> {
  return fixture.client.get(kindOf(PRIVATE, kind), name, { namespace: fixture.namespace });
}

beforeAll(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  await createFleet(fixture);
  originals = await inventory('standard');
  copies = await copyObjects(originals, { client: fixture.client, mapping: MAPPING });
}, 60_000);
afterAll(() => fixture.close());

describe('Copies in the private group', () => {
  it('exist for every object', () => {
    expect(originals.map(({ object }) => `${object.kind} ${object.metadata.name}`).toSorted()).toEqual([
      'Cluster infra-a',
      'Machine workers-1',
      'MachineSet workers',
    ]);
    expect(copies.size).toBe(3);
  });

  it('carry labels, finalizers, the pause and the UID of their original', async () => {
    const cluster = await privateObject('Cluster', 'infra-a');
    const original = originals.find(({ object }) => object.kind === 'Cluster')?.object;
    expect(cluster.metadata.finalizers).toEqual(['cluster.cluster.x-k8s.io']);
    expect(cluster.metadata.annotations).toEqual({
      [COPIED_FROM_ANNOTATION]: original?.metadata.uid,
      [COPIED_GENERATION_ANNOTATION]: '1',
    });
    expect(cluster['spec']).toMatchObject({ paused: true });
  });

  it('carry the status, with generations of their own', async () => {
    expect((await privateObject('Cluster', 'infra-a'))['status']).toMatchObject({
      phase: 'Provisioned',
      initialization: { infrastructureProvisioned: true },
      observedGeneration: 1,
    });
    expect((await privateObject('Machine', 'workers-1'))['status']).toMatchObject({ phase: 'Running' });
  });

  it('refer to each other, not to their originals', async () => {
    const [machine, set, cluster] = await Promise.all([
      privateObject('Machine', 'workers-1'),
      privateObject('MachineSet', 'workers'),
      privateObject('Cluster', 'infra-a'),
    ]);
    expect(machine.metadata.ownerReferences).toEqual(ownedBy(set));
    expect(set.metadata.ownerReferences).toEqual(ownedBy(cluster));
    expect(machine['spec']).toMatchObject({
      infrastructureRef: { apiGroup: `infrastructure.${PRIVATE}` },
      providerID: 'aws:///us-east-1a/i-0123456789',
    });
  });

  it('keep the labels and annotations of Cluster API under their standard keys', async () => {
    expect((await privateObject('Machine', 'workers-1')).metadata.labels).toEqual({
      set: 'workers',
      'cluster.x-k8s.io/cluster-name': 'infra-a',
    });
  });

  it('keep their field managers', async () => {
    const { managedFields = [] } = (await privateObject('MachineSet', 'workers')).metadata;
    expect(managedFields.map(({ apiVersion, manager, operation }) => [manager, operation, apiVersion])).toContainEqual([
      'gitops',
      'Apply',
      `${PRIVATE}/v1beta2`,
    ]);
    const withoutLabel = {
      apiVersion: `${PRIVATE}/v1beta2`,
      kind: 'MachineSet',
      metadata: { name: 'workers', namespace: fixture.namespace },
    };
    const after = await apply(fixture.client, kindOf(PRIVATE, 'MachineSet'), withoutLabel as KubeObject, {
      fieldOwner: 'gitops',
    });
    expect(after.metadata.labels).toBeUndefined();
  });

  it('are not written twice', async () => {
    const before = await inventory('private');
    await copyObjects(
      originals.filter(({ object }) => object.kind !== 'MachineSet'),
      {
        client: fixture.client,
        mapping: MAPPING,
      },
    ).catch((error: unknown) => expect(String(error)).toContain('workers, which is not copied'));
    expect(await inventory('private')).toEqual(before);
  });

  it('are not asked for again where they were listed, and found where they were not', async () => {
    // What tests before this one have changed.
    await copyObjects(originals, { client: fixture.client, mapping: MAPPING, isRefreshed: true });
    const existing = await inventory('private');
    const sent: string[] = [];
    const client = new Client(
      {
        send: (request) => {
          sent.push(`${request.method} ${request.target.split('/').at(-1) ?? ''}`);
          return fixture.transport.send(request);
        },
      },
      { userAgent: 'test' },
    );
    const options = { client, mapping: MAPPING, isRefreshed: true };
    const again = await copyObjects(originals, { ...options, existing });
    expect(sent).toEqual([]);
    const uidsOf = (found: typeof copies): unknown =>
      new Map([...found].map(([uid, { metadata }]) => [uid, metadata.uid]));
    expect(uidsOf(again)).toEqual(uidsOf(copies));
    const listed = existing.filter(({ object }) => object.metadata.name !== 'workers-1');
    expect(uidsOf(await copyObjects(originals, { ...options, existing: listed }))).toEqual(uidsOf(copies));
    expect(sent).toEqual(['POST machines', 'GET workers-1']);
  });
});

describe('Copies of objects that are being deleted', () => {
  let own: MigrationFixture;

  beforeAll(async () => {
    own = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
    await createFleet(own);
  }, 60_000);
  afterAll(() => own.close());

  it('are completed, also once the garbage collector has done its part of the deletion', async () => {
    const { client, discovery, namespace } = own;
    await client.delete(MACHINES, 'workers-1', { namespace, propagationPolicy: 'Foreground' });
    const options = { client, mapping: MAPPING, isRefreshed: true };
    const taken = await takeInventory({ client, discovery, mapping: MAPPING, side: 'standard', namespace });
    // As it was before the garbage collector saw the deletion.
    const moved = taken.map((each) => {
      if (each.object.kind !== 'Machine') return each;
      const finalizers = ['machine.cluster.x-k8s.io', 'foregroundDeletion'];
      return { ...each, object: { ...each.object, metadata: { ...each.object.metadata, finalizers } } };
    });
    await copyObjects(moved, options);
    const copy = (): Promise<KubeObject> => client.get(kindOf(PRIVATE, 'Machine'), 'workers-1', { namespace });
    await waitUntil(
      'the garbage collector has let go',
      async () => (await copy()).metadata.finalizers?.includes('foregroundDeletion') === false,
      WITHIN,
    );
    await copyObjects(moved, options);
    const { metadata } = await copy();
    expect([metadata.finalizers, metadata.deletionTimestamp]).toEqual([
      ['machine.cluster.x-k8s.io'],
      expect.any(String) as string,
    ]);
  });
});

describe('Objects that a moved object owns', () => {
  it('belong to the copy, and stay when the originals are deleted', async () => {
    const { client, discovery } = fixture;
    const options = { client, discovery, mapping: MAPPING, namespace: fixture.namespace };
    const owners = new Map([...copies].map(([uid, copy]) => [uid, ownerOf(copy)]));
    const owned = await findOwned(options, new Set(copies.keys()));
    expect(owned.objects.map(({ object }) => object.metadata.name)).toEqual(['owned']);
    expect(owned.unlisted).toEqual([]);
    expect(await repointOwned(options, owned.objects, owners)).toBe(1);
    expect(await repointOwned(options, (await findOwned(options, new Set(copies.keys()))).objects, owners)).toBe(0);
    await removeWithoutFinalizing(originals, { client });
    await waitUntil('the originals are deleted', async () => (await inventory('standard')).length === 0, WITHIN);
    const copied = await privateObject('Cluster', 'infra-a');
    const map = await client.get(CONFIG_MAPS, 'owned', { namespace: fixture.namespace });
    expect(map.metadata.ownerReferences).toEqual(ownedBy(copied));
    expect((await inventory('private')).map(({ object }) => object.kind).toSorted()).toEqual([
      'Cluster',
      'Machine',
      'MachineSet',
    ]);
  });

  it('move back by the same way', async () => {
    const { client } = fixture;
    const moved = await inventory('private');
    const back = await copyObjects(moved, { client, mapping: MAPPING });
    expect(back.size).toBe(3);
    const machine = await client.get(MACHINES, 'workers-1', { namespace: fixture.namespace });
    const set = await client.get(SETS, 'workers', { namespace: fixture.namespace });
    expect(machine.metadata.ownerReferences).toEqual(ownedBy(set));
    expect(machine['status']).toMatchObject({ phase: 'Running' });
  });
});
