import { annotated, HOSTED_CLUSTERS, MIGRATION_FAILED_ANNOTATION } from '@capstan/hosting';
import { Client, patchFrom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { ignoreNotFound } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uninstall } from '../shim/private-kinds.js';
import { requestRollback } from './by-hand.js';
import {
  bothGroups,
  createFleet,
  freshNamespace,
  kindOf,
  MAPPING,
  migrationServer,
  MigrationFixture,
  ownedBy,
  PRIVATE,
  privateCrd,
  STANDARD,
} from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';

/** Kinds that no code of this repository knows: in a group of their own, in one of Cluster API, and in the cluster. */
interface Custom {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly version: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly hasStatus: boolean;
}

const TIDES: Custom = {
  group: `reef.example.${STANDARD}`,
  kind: 'Tide',
  plural: 'tides',
  version: 'v2',
  scope: 'Namespaced',
  hasStatus: true,
};
const SHOALS: Custom = {
  ...TIDES,
  group: `infrastructure.${STANDARD}`,
  kind: 'Shoal',
  plural: 'shoals',
  version: 'v1alpha3',
  hasStatus: false,
};
const CURRENTS: Custom = { ...SHOALS, kind: 'CurrentIdentity', plural: 'currentidentities', scope: 'Cluster' };
const CUSTOM = [TIDES, SHOALS, CURRENTS];

function definitionOf({ group, hasStatus, kind, plural, scope, version }: Custom): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const subresources = hasStatus ? { subresources: { status: {} } } : {};
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope, versions: [{ name: version, served: true, storage: true, schema, ...subresources }] },
  } as KubeObject;
}

function resourceOf({ group, kind, plural, scope, version }: Custom, side: 'private' | 'standard'): ResourceKind {
  const namespaced = scope === 'Namespaced';
  return { group: side === 'standard' ? group : MAPPING.swap(group), version, plural, namespaced, kind };
}

let fixture: MigrationFixture;
let hosted: HostedMigration;
let cluster: KubeObject;

const DEFINITIONS = CUSTOM.map(definitionOf).flatMap((definition) => [definition, privateCrd(definition)]);

beforeAll(async () => {
  const transport = await migrationServer([...bothGroups(), ...hostedKinds()]);
  await installDefinitions(new Client(transport, { userAgent: 'test' }), DEFINITIONS);
}, 60_000);

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  cluster = await fixture.client.get(kindOf(STANDARD, 'Cluster'), 'infra-a', { namespace: fixture.namespace });
  await hosted.begin();
}, 60_000);
afterEach(async () => {
  await fixture.client.delete(resourceOf(CURRENTS, 'standard'), identity()).catch(ignoreNotFound);
  await fixture.close();
});

/** Of this test: such objects are in no namespace. */
const identity = (): string => `of-${fixture.namespace}`;

const LABELS = { 'example.com/reef': 'north', [`${STANDARD}/cluster-name`]: 'infra-a' };
const ANNOTATIONS = { 'example.com/note': `written for ${STANDARD}`, [`${STANDARD}/note`]: 'kept' };

async function createCustom(): Promise<void> {
  const { namespace } = fixture;
  await fixture.create(resourceOf(CURRENTS, 'standard'), { metadata: { name: identity() }, spec: { key: 'k' } });
  const shoal = await fixture.create(resourceOf(SHOALS, 'standard'), {
    metadata: { name: 'shoal', namespace, labels: LABELS, annotations: ANNOTATIONS, ownerReferences: ownedBy(cluster) },
    spec: { identityRef: { kind: CURRENTS.kind, name: identity() }, depth: 3 },
  });
  await fixture.create(resourceOf(TIDES, 'standard'), {
    metadata: {
      name: 'tide',
      namespace,
      labels: LABELS,
      annotations: ANNOTATIONS,
      finalizers: [`tide.${STANDARD}`],
      ownerReferences: [...ownedBy(shoal), ...ownedBy(cluster, false)],
    },
    spec: {
      shoalRef: { apiVersion: `${SHOALS.group}/${SHOALS.version}`, kind: SHOALS.kind, name: 'shoal' },
      clusterRef: { apiGroup: STANDARD, kind: 'Cluster', name: 'infra-a' },
    },
    status: { level: 7 },
  });
}

const read = (custom: Custom, side: 'private' | 'standard', name: string): Promise<KubeObject> =>
  fixture.client.get(resourceOf(custom, side), name, { namespace: fixture.namespace });

/** Owners by group, kind and name, each of which must be there under that UID. */
async function ownersOf(object: KubeObject, side: 'private' | 'standard'): Promise<readonly string[]> {
  const shoal = await read(SHOALS, side, 'shoal');
  const owner = await fixture.client.get(kindOf(side === 'private' ? PRIVATE : STANDARD, 'Cluster'), 'infra-a', {
    namespace: fixture.namespace,
  });
  const uids = new Map([shoal, owner].map((each) => [each.metadata.uid, each]));
  return (object.metadata.ownerReferences ?? []).map(({ apiVersion, controller, kind, name, uid }) => {
    const { apiVersion: expected } = uids.get(uid) ?? {};
    return `${kind} ${name} ${controller === true ? 'controls' : 'owns'}, ${apiVersion === expected ? 'is there' : 'is not there'}`;
  });
}

async function expectOn(side: 'private' | 'standard'): Promise<void> {
  const groupOf = (group: string): string => (side === 'private' ? MAPPING.swap(group) : group);
  const tide = await read(TIDES, side, 'tide');
  expect(tide['spec']).toEqual({
    shoalRef: { apiVersion: `${groupOf(SHOALS.group)}/${SHOALS.version}`, kind: SHOALS.kind, name: 'shoal' },
    clusterRef: { apiGroup: groupOf(STANDARD), kind: 'Cluster', name: 'infra-a' },
  });
  expect(tide['status']).toEqual({ level: 7 });
  expect(tide.metadata).toMatchObject({
    labels: LABELS,
    annotations: ANNOTATIONS,
    finalizers: [`tide.${STANDARD}`],
  });
  expect(await ownersOf(tide, side)).toEqual(['Shoal shoal controls, is there', 'Cluster infra-a owns, is there']);
  const shoal = await read(SHOALS, side, 'shoal');
  expect((shoal['spec'] as JsonObject)['identityRef']).toEqual({ kind: CURRENTS.kind, name: identity() });
  const other = side === 'private' ? 'standard' : 'private';
  // Nor where no CRD serves them.
  for (const custom of [TIDES, SHOALS])
    expect(await fixture.list(resourceOf(custom, other)).catch(ignoreNotFound)).toSatisfy(
      (found: readonly KubeObject[] | undefined) => (found ?? []).length === 0,
    );
}

describe('Kinds of a third party in groups of Cluster API', () => {
  it('are migrated and rolled back with their labels, annotations, finalizers, status, references and owners', async () => {
    await createCustom();
    await hosted.lock();
    await hosted.run();
    expect(await hosted.condition()).toBe('True Migrated: Cluster API objects are in the private groups');
    await expectOn('private');
    const shared = (side: 'private' | 'standard'): Promise<KubeObject | undefined> =>
      fixture.client.get(resourceOf(CURRENTS, side), identity()).catch(ignoreNotFound);
    expect((await shared('private'))?.['spec']).toEqual({ key: 'k' });
    // No cluster on standard types refers to it any longer.
    expect(await shared('standard')).toBeUndefined();
    await requestRollback(hosted);
    await hosted.run();
    await expectOn('standard');
    expect((await shared('standard'))?.['spec']).toEqual({ key: 'k' });
  }, 60_000);

  it('keep the cluster where it is while no private CRD serves them, and go with it once one does', async () => {
    await uninstall(fixture, `${TIDES.plural}.${MAPPING.swap(TIDES.group)}`);
    await createCustom();
    await hosted.lock();
    await hosted.run();
    expect(await hosted.condition()).toContain(
      `False Failed: rolled back (missing-private-crd): no CRD serves tides.${MAPPING.swap(TIDES.group)}`,
    );
    await expectOn('standard');
    await installDefinitions(fixture.client, [privateCrd(definitionOf(TIDES))]);
    const before = await hosted.hostedCluster();
    const after = annotated(before, { [MIGRATION_FAILED_ANNOTATION]: undefined });
    await patchFrom(fixture.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
    await hosted.lock();
    await hosted.run();
    await expectOn('private');
  }, 60_000);
});
