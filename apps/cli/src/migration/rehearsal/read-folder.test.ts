import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiServer } from '@capstan/apiserver';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { listPasses, rehearse } from '@capstan/simulation';
import type { CopiedObject } from '@capstan/simulation';
import { printYaml } from '@capstan/translate/mirror';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIMEOUT_MS } from '../../testing-server.js';
import { copyOfCluster } from './cluster-copy.js';
import type { SourceFleet } from './model.js';
import { readFolder } from './read-folder.js';
import { readLive } from './read-live.js';
import { migrationScenario } from './scenario.js';
import { createTestCluster, installCrds, MAPPING, testCrds } from './testing-fleet.js';

/** must-gather writes below the name of its image, of which there may be several. */
const IMAGE = 'must-gather.local.1234/quay-io-openshift-hypershift-must-gather-sha256-0123';
const folder = mkdtempSync(join(tmpdir(), 'capstan-must-gather-'));
let live: SourceFleet;

beforeAll(async () => {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('test') });
  const client = new Client(server, { userAgent: 'test' });
  await installCrds(client, await testCrds());
  await createTestCluster(client, { name: 'a', machines: 2 });
  await createTestCluster(client, { name: 'b', machines: 1 });
  const signal = new AbortController().signal;
  live = await readLive({ client, mapping: MAPPING, filter: () => true, signal });
  const objects = live.clusters.flatMap((each) => each.objects);
  writeMustGather(folder, live, objects);
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

/** As `oc adm inspect` does: built-in kinds as a list for each namespace, all else in a file for each object. */
function writeMustGather(root: string, fleet: SourceFleet, objects: readonly CopiedObject[]): void {
  const write = (path: string, content: unknown): void => {
    const file = join(root, IMAGE, path);
    mkdirSync(dirname(file), { recursive: true });
    // Unpacked on Windows.
    writeFileSync(file, `${printYaml([content as KubeObject])}`.replaceAll('\n', '\r\n'));
  };
  for (const crd of fleet.crds)
    write(`cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions/${crd.metadata.name}.yaml`, crd);
  for (const { hostedCluster } of fleet.clusters)
    write(fileOf(hostedCluster, 'hypershift.openshift.io', 'hostedclusters'), hostedCluster);
  const lists = new Map<string, KubeObject[]>();
  for (const { object, resource } of objects) {
    const { group, plural } = resource;
    if (group.includes('x-k8s.io') || group.includes('hypershift')) write(fileOf(object, group, plural), object);
    else {
      const path = `namespaces/${object.metadata.namespace}/${group === '' ? 'core' : group}/${plural}.yaml`;
      lists.set(path, [...(lists.get(path) ?? []), object]);
    }
  }
  for (const [path, items] of lists) {
    const [first] = items;
    const bare = items.map(({ metadata, ...item }) => ({ ...item, apiVersion: undefined, kind: undefined, metadata }));
    write(path, { apiVersion: first?.apiVersion, items: bare, kind: `${first?.kind}List`, metadata: {} });
  }
  writeFileSync(join(root, IMAGE, 'event-filter.html'), '<html></html>');
  write('namespaces/clusters-a/pods/kube-apiserver/kube-apiserver/logs/current.yaml', 'not: an object');
}

function fileOf({ metadata: { name, namespace } }: KubeObject, group: string, plural: string): string {
  const place = namespace === undefined ? 'cluster-scoped-resources' : `namespaces/${namespace}`;
  return `${place}/${group}/${plural}/${name}.yaml`;
}

const sorted = (fleet: SourceFleet): unknown =>
  fleet.clusters.map(({ hostedCluster, leftOut, objects }) => ({
    leftOut,
    name: hostedCluster.metadata.name,
    objects: objects.map(({ object }) => object).toSorted(byKey),
  }));
const keyOf = ({ apiVersion, kind, metadata }: KubeObject): string => `${apiVersion} ${kind} ${metadata.name ?? ''}`;
const byKey = (one: KubeObject, other: KubeObject): number => keyOf(one).localeCompare(keyOf(other));

describe('A folder of must-gather, with Windows line ends and lists of kinds', { timeout: TIMEOUT_MS }, () => {
  it('is read as the cluster itself is', async () => {
    const read = await readFolder(folder, () => true);
    expect(read.clusters.map(({ hostedCluster }) => hostedCluster.metadata.name)).toEqual(['a', 'b']);
    expect(sorted(read)).toEqual(sorted(live));
  });

  it('is rehearsed to the end', async () => {
    const fleet = await readFolder(folder, ({ metadata }) => metadata.name === 'b');
    const [source] = fleet.clusters;
    if (source === undefined) throw new Error('no cluster was read');
    const copy = copyOfCluster(fleet, source, { mapping: MAPPING, mirrors: false, nowMs: Date.now() });
    const [calm] = listPasses({ isCalm: true, failAt: [], seeds: [] });
    if (calm === undefined) throw new Error('there is no pass');
    expect(await rehearse(migrationScenario(copy, MAPPING), calm)).toMatchObject({ result: 'done', differences: [] });
  });

  it('names a file that is broken, and reads the others', async () => {
    const broken = join(folder, IMAGE, 'namespaces/clusters-a/core/configmaps.yaml');
    writeFileSync(broken, 'kind: ConfigMapList\r\nitems: [\r\n');
    try {
      const { clusters } = await readFolder(folder, () => true);
      expect(clusters).toHaveLength(2);
      expect(clusters[0]?.leftOut.join()).toContain('core/configmaps.yaml cannot be read');
    } finally {
      rmSync(broken);
    }
  });

  it('without CRDs has no answer', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'capstan-must-gather-'));
    await expect(readFolder(empty, () => true)).rejects.toThrow('has no CustomResourceDefinitions');
    rmSync(empty, { recursive: true });
  });
});
