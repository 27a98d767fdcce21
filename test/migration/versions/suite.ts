import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { startShim } from '@capstan/conversion-shim';
import { Client, createCa, silentLogger } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { testDefinitions } from '@capstan/simulation/testing';
import { installDefinitions } from '@capstan/tools/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConverter } from '../../convert/converter.js';
import type { Converter } from '../../convert/converter.js';
import { privateCrdOf } from '../../shim/private-kinds.js';
import { requestRollback } from '../by-hand.js';
import { freshNamespace, kindOf, MAPPING, MigrationFixture, ownedBy, PRIVATE, STANDARD } from '../fixture.js';
import { hostedKinds, HostedMigration } from '../hosted.js';

type Version = 'v1beta1' | 'v1beta2';
const VERSIONS: readonly Version[] = ['v1beta1', 'v1beta2'];
const KINDS = ['Cluster', 'MachineSet', 'Machine'] as const;
const TEMPLATES = `infrastructure.${STANDARD}`;

/** A server with conversion by webhooks: of the standard kinds by a controller, of the private ones by the shim. */
interface Place {
  readonly converter: Converter;
  readonly fixture: MigrationFixture;
  readonly hosted: HostedMigration;
  /** How many objects the shim has been asked to convert. */
  readonly converted: () => number;
  close(): Promise<void>;
}

async function open(transport: Transport, storage: Version): Promise<Place> {
  const converter = await startConverter(transport);
  const ca = createCa({ commonName: 'shim' });
  const current = ca.issueServing({ commonName: 'shim', ipAddresses: ['127.0.0.1'] });
  const certificate = { current, onChange: () => {} };
  const shim = await startShim({ transport, certificate, port: 0, logger: silentLogger() });
  const at = { url: shim.url, caPem: ca.certPem };
  const standard = [...coreDefinitions(storage, converter), ...infrastructureDefinitions()];
  const client = new Client(transport, { userAgent: 'test' });
  await installDefinitions(client, [...standard, ...standard.map((each) => privateCrdOf(each, at)), ...hostedKinds()]);
  const fixture = await MigrationFixture.start(transport, freshNamespace());
  return {
    converter,
    fixture,
    hosted: await HostedMigration.create(fixture),
    converted: () => successes(shim.metrics.render()),
    close: async () => {
      await fixture.close();
      await shim.stop();
      await converter.stop();
    },
  };
}

function successes(metrics: string): number {
  const found = metrics.matchAll(/^hypershift_conversion_webhook_requests_total\{.*result="success".*\} (\d+)/gmu);
  return [...found].reduce((sum, [, count = '0']) => sum + Number(count), 0);
}

/** Both versions served, one of them stored; each read of the other is a review. */
function coreDefinitions(storage: Version, { conversion }: Converter): KubeObject[] {
  return clusterApiKinds
    .filter(({ kind }) => KINDS.includes(kind as (typeof KINDS)[number]))
    .map((kind) => {
      const definition = crd(kind, { conversion: 'none' });
      const versions = definition.spec.versions
        .filter(({ name }) => VERSIONS.includes(name as Version))
        .map((version) => ({ ...version, served: true, storage: version.name === storage }));
      return { ...definition, spec: { ...definition.spec, conversion, versions } } as unknown as KubeObject;
    });
}

/** The kind that Machines refer to: a reference by group is converted to the version that the label of its CRD names. */
function infrastructureDefinitions(): KubeObject[] {
  return testDefinitions().filter(({ metadata }) => metadata.name === `testmachinetemplates.${TEMPLATES}`);
}

const template = (version: Version): object => ({
  clusterName: 'infra-a',
  bootstrap: { dataSecretName: 'user-data' },
  infrastructureRef:
    version === 'v1beta1'
      ? { apiVersion: `${TEMPLATES}/v1beta2`, kind: 'TestMachineTemplate', name: 'small' }
      : { apiGroup: TEMPLATES, kind: 'TestMachineTemplate', name: 'small' },
});

/** A cluster of which each object is written in both versions: references name their group alone, or a version as well. */
async function createCluster(fixture: MigrationFixture): Promise<void> {
  const { namespace } = fixture;
  const at = (name: string, more: object = {}): KubeObject['metadata'] => ({ name, namespace, ...more });
  const templates = { group: TEMPLATES, version: 'v1beta2', plural: 'testmachinetemplates', namespaced: true };
  await fixture.create({ ...templates, kind: 'TestMachineTemplate' }, { metadata: at('small'), spec: { size: 's' } });
  const cluster = await fixture.create(kindOf(STANDARD, 'Cluster', 'v1beta1'), {
    metadata: at('infra-a', { finalizers: ['cluster.cluster.x-k8s.io'] }),
    spec: {
      clusterNetwork: { serviceDomain: 'example.com' },
      infrastructureRef: { apiVersion: `${TEMPLATES}/v1beta2`, kind: 'TestMachineTemplate', name: 'small', namespace },
    },
    status: {
      phase: 'Provisioned',
      infrastructureReady: true,
      conditions: [
        {
          type: 'ControlPlaneReady',
          status: 'False',
          severity: 'Warning',
          reason: 'Waiting',
          message: 'not yet',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  });
  for (const version of VERSIONS) {
    const labels = { set: version };
    const spec = { clusterName: 'infra-a', replicas: 1, selector: { matchLabels: labels } };
    const set = await fixture.create(kindOf(STANDARD, 'MachineSet', version), {
      metadata: at(`set-${version}`, { ownerReferences: ownedBy(cluster) }),
      spec: { ...spec, template: { metadata: { labels }, spec: template(version) } },
    });
    const drain = version === 'v1beta1' ? { nodeDrainTimeout: '1m30s' } : { deletion: { nodeDrainTimeoutSeconds: 90 } };
    const only = version === 'v1beta2' ? { minReadySeconds: 7 } : {};
    await fixture.create(kindOf(STANDARD, 'Machine', version), {
      metadata: at(`machine-${version}`, {
        labels,
        finalizers: ['machine.cluster.x-k8s.io'],
        ownerReferences: ownedBy(set),
      }),
      spec: { ...template(version), ...drain, ...only, providerID: `aws:///us-east-1a/i-${version}` },
      status: { phase: 'Running', nodeRef: nodeOf(version) },
    });
  }
}

const nodeOf = (version: Version): object =>
  version === 'v1beta1' ? { kind: 'Node', name: 'node-a', apiVersion: 'v1' } : { name: 'node-b' };

const MARKS = /^hypershift\.openshift\.io\//u;

/** Everything of a group as clients of a version read it, under standard names and without what the server assigns. */
async function view(fixture: MigrationFixture, group: string, version: Version): Promise<readonly KubeObject[]> {
  const found = await Promise.all(KINDS.map((kind) => fixture.list(kindOf(group, kind, version))));
  return found.flat().map(plain);
}

/** By clients of both versions, the newer one first. */
async function views(fixture: MigrationFixture, group: string): Promise<Views> {
  return { newer: await view(fixture, group, 'v1beta2'), older: await view(fixture, group, 'v1beta1') };
}

interface Views {
  readonly newer: readonly KubeObject[];
  readonly older: readonly KubeObject[];
}

/** A write in the newer version keeps it in this annotation where the older one is stored. */
const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data';
const ZEROES: ReadonlySet<unknown> = new Set([false, 0, '', null]);

/**
 * Where the older version differs: a copy is written in the newer one, so that fields without a value are there as
 * zeroes, and references have the namespace that they always meant.
 */
function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return before === after || (before === undefined && isImplied(after, path))
      ? []
      : [`${path}: ${text(before)}, ${text(after)}`];
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(was[key], is[key], `${path}/${key}`));
}

function isImplied(value: unknown, path: string): boolean {
  if (path.endsWith(`/${CONVERSION_DATA}`) || path.endsWith('Ref/namespace')) return true;
  if (typeof value !== 'object' || value === null) return ZEROES.has(value);
  return Object.entries(value).every(([key, each]) => isImplied(each, `${path}/${key}`));
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

async function expectViews(fixture: MigrationFixture, group: string, before: Views): Promise<void> {
  const after = await views(fixture, group);
  expect(after.newer).toEqual(before.newer);
  expect(after.older).toHaveLength(before.older.length);
  expect(differences(before.older, after.older)).toEqual([]);
}

function plain(object: KubeObject): KubeObject {
  const { annotations = {}, finalizers, labels, name, namespace, ownerReferences = [] } = object.metadata;
  const metadata = {
    name,
    namespace,
    finalizers,
    labels,
    annotations: Object.fromEntries(
      Object.entries(annotations)
        .filter(([key]) => !MARKS.test(key))
        .map(([key, value]) => [key, key === CONVERSION_DATA ? (JSON.parse(value) as unknown) : value]),
    ),
    ownerReferences: ownerReferences.map(
      ({ apiVersion, kind, name: owner }) => `${parseApiVersion(apiVersion).group} ${kind} ${owner}`,
    ),
  };
  const json = JSON.stringify({ ...object, metadata });
  return JSON.parse(json.replaceAll(PRIVATE, STANDARD)) as KubeObject;
}

const NOTHING: Views = { newer: [], older: [] };

/** References of objects as they are in one version of one group. */
async function references(fixture: MigrationFixture, kind: ResourceKind): Promise<readonly (string | undefined)[]> {
  const objects = await fixture.list(kind);
  return objects.map(({ spec }) => {
    const { infrastructureRef: ref } = spec as { readonly infrastructureRef: Readonly<Record<string, string>> };
    return ref['apiGroup'] ?? ref['apiVersion'];
  });
}

/** A whole migration and its rollback on a server that stores one version and converts it to the other. */
export function storedVersions(connect: () => Promise<Transport>, storage: Version): void {
  describe(`A cluster whose objects are stored as ${storage} and written and read in both versions`, () => {
    let place: Place;
    let before: Views;
    beforeAll(async () => {
      place = await open(await connect(), storage);
      await createCluster(place.fixture);
      await place.hosted.begin();
      before = await views(place.fixture, STANDARD);
    }, 120_000);
    afterAll(() => place.close());

    it('is as it was in each version, under private names, once it is migrated', async () => {
      expect([before.newer.length, before.older.length]).toEqual([5, 5]);
      await place.hosted.lock();
      await place.hosted.run();
      expect(await place.hosted.condition()).toBe('True Migrated: Cluster API objects are in the private groups');
      await expectViews(place.fixture, PRIVATE, before);
      expect(await views(place.fixture, STANDARD)).toEqual(NOTHING);
      expect(place.converted()).toBeGreaterThan(0);
    }, 120_000);

    it('has references to private groups, whether they name a version or not', async () => {
      const group = MAPPING.swap(TEMPLATES);
      for (const kind of ['Machine', 'Cluster']) {
        const newer = await references(place.fixture, kindOf(PRIVATE, kind, 'v1beta2'));
        expect(new Set(newer)).toEqual(new Set([group]));
        const older = await references(place.fixture, kindOf(PRIVATE, kind, 'v1beta1'));
        expect(new Set(older.map((each) => parseApiVersion(each ?? '').group))).toEqual(new Set([group]));
      }
    });

    it('is as it was in each version once it is rolled back', async () => {
      await requestRollback(place.hosted);
      await place.hosted.run();
      expect(await place.hosted.condition()).toContain('False Failed: rolled back (manual-rollback)');
      await expectViews(place.fixture, STANDARD, before);
      expect(await views(place.fixture, PRIVATE)).toEqual(NOTHING);
    }, 120_000);

    it('lost nothing that one version cannot hold', async () => {
      const { client, namespace } = place.fixture;
      const newer = await client.get(kindOf(STANDARD, 'Machine'), 'machine-v1beta2', { namespace });
      expect(newer['spec']).toMatchObject({ minReadySeconds: 7, deletion: { nodeDrainTimeoutSeconds: 90 } });
      expect(place.converter.warnings).toEqual([]);
    });
  });
}
