import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cluster } from '@capstan/api/cluster-api';
import { infrastructure } from '@capstan/api/config';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd, resource } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { serveHttp } from '@capstan/apiserver';
import { main } from '@capstan/cli';
import { conversionPlatforms } from '@capstan/cli/platforms';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import { Client, createCa, fixedCredentials, HttpTransport, kubeconfigJson } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { CLUSTERS, INFRASTRUCTURES, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { ignoreNotFound } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { outputOf } from '../crd-workflows/output.js';
import { embeddedServer } from '../src/conformance/backend.js';
import { AUTHENTICATE, TOKEN } from '../src/conformance/servers.js';
import { EXAMPLES, infrastructureOf, masterOf, NAME } from './new-cluster-examples.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const namespace = 'openshift-cluster-api';
const platforms = [...(await conversionPlatforms())].flatMap((each) => ('refused' in each ? [] : [each]));
const folder = mkdtempSync(join(tmpdir(), 'capstan-create-cluster-'));
const kubeconfig = join(folder, 'kubeconfig');
const clusterKind = ({ cluster: { kind, version } }: MachinePlatform): ResourceRef => resource(kind, version);
const aws = platforms.find(({ type }) => type === 'AWS') as MachinePlatform;

/** Without other versions, from which a provider's webhook would convert. */
function servedAlone({ cluster: { kind, version } }: MachinePlatform): Kind {
  const versions = kind.versions.filter(({ name }) => name === version).map((each) => ({ ...each, storage: true }));
  return { ...kind, versions };
}

let http: Awaited<ReturnType<typeof serveHttp>>;
let transport: HttpTransport;
let client: Client;

beforeAll(async () => {
  const server = embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' });
  const ca = createCa({ commonName: 'create-cluster' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  const access = { server: http.url, caPem: ca.certPem, token: TOKEN, name: 'admin', namespace: 'default' };
  writeFileSync(kubeconfig, kubeconfigJson(access), { mode: 0o600 });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${TOKEN}` } });
  transport = new HttpTransport({ server: http.url, trust: { caPem: ca.certPem }, credentials, namespace: 'default' });
  client = new Client(transport);
  for (const name of ['openshift-machine-api', namespace])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const kinds = [cluster, infrastructure, ...platforms.map(servedAlone)];
  await installDefinitions(client, [
    ...machineKinds.map((kind) => crd(kind, { gates: ['MachineAPIMigration'] }) as unknown as KubeObject),
    ...kinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject),
  ]);
});
afterAll(async () => {
  await transport.close();
  await http.close();
  rmSync(folder, { recursive: true });
});

async function clear(kind: ResourceRef, at?: string): Promise<void> {
  for (const { metadata } of (await client.list(kind, { namespace: at })).items)
    await client.delete(kind, metadata.name ?? '', { namespace: at });
}

/** The cluster of a platform, in Machine API alone. */
async function prepare({ type }: MachinePlatform): Promise<void> {
  await clear(MAPI_MACHINES, 'openshift-machine-api');
  await clear(CLUSTERS, namespace);
  for (const each of platforms) await clear(clusterKind(each), namespace);
  await clear(INFRASTRUCTURES);
  const object = infrastructureOf(type);
  await client.create(INFRASTRUCTURES, object);
  const value = { status: object['status'] };
  await client.patch(INFRASTRUCTURES, 'cluster', { type: 'merge', value }, { subresource: 'status' });
  for (const name of [`${NAME}-master-0`, `${NAME}-master-1`]) {
    const machine = masterOf(type, name);
    await client.create(MAPI_MACHINES, machine, { namespace: 'openshift-machine-api' });
  }
}

const run = (...args: readonly string[]): ReturnType<typeof outputOf> =>
  outputOf(main, ['machine-api', 'create-cluster', '--kubeconfig', kubeconfig, ...args]);

const read = (kind: ResourceRef): Promise<KubeObject | undefined> =>
  client.get(kind, NAME, { namespace }).catch(ignoreNotFound);

describe.each(platforms.map((platform) => [platform.type, platform] as const))(
  'create-cluster on %s',
  (type, platform) => {
    const kind = clusterKind(platform);
    const names = [
      `${platform.cluster.kind.kind.toLowerCase()}.${kind.group}/${NAME}`,
      `cluster.cluster.x-k8s.io/${NAME}`,
    ];
    beforeEach(() => prepare(platform));

    it('creates what a dry run prints, and nothing the second time', async () => {
      const tried = await run('--dry-run=client', '-o', 'yaml');
      expect([tried.code, await read(kind), await read(CLUSTERS)]).toEqual([0, undefined, undefined]);
      const { items } = parse(tried.out) as { items: KubeObject[] };
      const server = await run('--dry-run=server');
      expect([server.code, server.out]).toEqual([
        0,
        names.map((name) => `${name} created (server dry run)\n`).join(''),
      ]);
      expect([await read(kind), await read(CLUSTERS)]).toEqual([undefined, undefined]);

      const made = await run();
      expect([made.code, made.out]).toEqual([0, names.map((name) => `${name} created\n`).join('')]);
      const [own, owner] = [await read(kind), await read(CLUSTERS)];
      // The server adds defaults and removes what its schema does not have, which would be a lost setting.
      expect([own, owner]).toMatchObject(items.map(({ metadata, spec }) => ({ metadata, spec })));
      expect(own?.['status']).toEqual(
        EXAMPLES[type]?.ready === undefined ? own?.['status'] : expect.objectContaining(EXAMPLES[type].ready),
      );

      const again = await run();
      expect([again.code, again.out]).toEqual([0, names.map((name) => `${name} unchanged\n`).join('')]);
      expect(again.err).not.toContain('warning');
      const versions = [await read(kind), await read(CLUSTERS)].map((each) => each?.metadata.resourceVersion);
      expect(versions).toEqual([own?.metadata.resourceVersion, owner?.metadata.resourceVersion]);
    });
  },
);

describe('create-cluster', () => {
  const kind = clusterKind(aws);
  beforeEach(() => prepare(aws));

  it('goes on where a run ended before the status and the Cluster', async () => {
    const { out } = await run('--dry-run=client', '-o', 'json');
    const { items } = JSON.parse(out) as { items: [KubeObject, KubeObject] };
    await client.create(kind, items[0], { namespace });
    const { code, out: done } = await run();
    expect([code, done]).toEqual([
      0,
      `awscluster.${kind.group}/${NAME} ready\ncluster.cluster.x-k8s.io/${NAME} created\n`,
    ]);
    expect((await read(kind))?.['status']).toMatchObject({ ready: true });
  });

  it('creates neither object when one of them is of others', async () => {
    await run();
    await client.delete(kind, NAME, { namespace });
    const labels = { 'app.kubernetes.io/managed-by': null };
    await client.patch(CLUSTERS, NAME, { type: 'merge', value: { metadata: { labels } } }, { namespace });
    const { code, err } = await run();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`cluster.cluster.x-k8s.io/${NAME} in namespace ${namespace} was created by others`),
    ]);
    expect(await read(kind)).toBeUndefined();
  });

  it('leaves its own objects as they were edited, and names where', async () => {
    await run();
    const edit = { type: 'merge', value: { spec: { region: 'eu-west-1' } } } as const;
    await client.patch(kind, NAME, edit, { namespace });
    const { code, err } = await run();
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(`awscluster.${kind.group}/${NAME}: spec.region is not as it would be`),
    ]);
    expect((await read(kind))?.['spec']).toMatchObject({ region: 'eu-west-1' });
  });

  it('names every fact that is missing', async () => {
    const value = { spec: { providerSpec: { value: { loadBalancers: null } } } };
    await client.patch(
      MAPI_MACHINES,
      `${NAME}-master-1`,
      { type: 'merge', value },
      { namespace: 'openshift-machine-api' },
    );
    const { code, err } = await run();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`error: the AWSCluster cannot be derived: loadBalancers of Machine "${NAME}-master-0"`),
    ]);
    expect([await read(kind), await read(CLUSTERS)]).toEqual([undefined, undefined]);
  });

  it('names a platform that has no conversion', async () => {
    const value = { status: { platformStatus: { type: 'Libvirt' } } };
    await client.patch(INFRASTRUCTURES, 'cluster', { type: 'merge', value }, { subresource: 'status' });
    const { code, err } = await run();
    expect([code, err]).toEqual([1, expect.stringContaining('platform Libvirt is not supported')]);
  });
});
