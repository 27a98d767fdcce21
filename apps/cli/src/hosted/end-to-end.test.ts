import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedCluster, hostedControlPlane, nodePool } from '@capstan/api/hypershift';
import { awsMachine } from '@capstan/api/infrastructure/aws';
import { crd, resource } from '@capstan/api/model';
import { CLUSTER_ANNOTATION, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { Client, HttpTransport, kubeconfigText, loadConnection } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { FixtureRegistry, serveRegistry } from '@capstan/simulation';
import type { ServedRegistry } from '@capstan/simulation';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';
import { createArguments } from './testing-platforms.js';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
/** CRDs as large as these take a busy machine its time. */
const TIMEOUT_MS = 120_000;
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
const FINALIZER = 'hypershift.openshift.io/finalizer';

const folder = mkdtempSync(join(tmpdir(), 'capstan-hosted-'));
const server = new TestIo();
let ended: Promise<number>;
let transport: HttpTransport | undefined;
let client: Client;
let kubeconfig = '';
let common: readonly string[] = [];
let registry: ServedRegistry | undefined;
let image = '';

beforeAll(async () => {
  ended = main(['apiserver', '--no-controllers'], server);
  ({ kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string });
  transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  client = new Client(transport);
  const made: { registry?: FixtureRegistry } = {};
  registry = await serveRegistry((host) => (made.registry = new FixtureRegistry({ host })));
  for (const version of ['4.22.0', '4.13.9'])
    await made.registry?.add({ version, kubernetesVersion: '1.35.2', components: ['hypershift'] });
  image = `${registry.host}/openshift/release:4.22.0`;
  const pull = join(folder, 'pull.json');
  writeFileSync(pull, '{"auths":{"quay.io":{"auth":"c2VjcmV0"}}}');
  common = ['--base-domain', 'fleet.example.com', '--release-image', image, '--pull-secret', pull];
});

afterAll(async () => {
  await transport?.close();
  await registry?.close();
  server.stop();
  await ended;
  rmSync(folder, { recursive: true });
});

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return runWith(new TestIo(), ...argv);
}

async function runWith(io: TestIo, ...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const code = await main([...argv, '--kubeconfig', kubeconfig], io);
  return { code, out: io.stdout, err: io.stderr };
}

/** As the operator would: the status of an object. */
async function setStatus(ref: ResourceRef, namespace: string, name: string, status: object): Promise<void> {
  await client.patch(ref, name, { type: 'merge', value: { status } }, { namespace, subresource: 'status' });
}

async function setFinalizers(
  ref: ResourceRef,
  namespace: string,
  name: string,
  finalizers: string[] | null,
): Promise<void> {
  await client.patch(ref, name, { type: 'merge', value: { metadata: { finalizers } } }, { namespace });
}

/** Names of the Secrets of a namespace. */
async function secretsIn(namespace: string): Promise<string[]> {
  return (await client.list(SECRETS, { namespace })).items.map(({ metadata }) => metadata.name ?? '').sort();
}

const platforms = [...(await hostingPlatforms())];

describe('before the CRDs are there', () => {
  it('reports that, and creates nothing', async () => {
    expect(await run('create', 'cluster', 'none', '--name', 'early', ...common)).toEqual({
      code: 1,
      out: '',
      err: 'error: this cluster does not serve HostedClusters\ninstall the CRDs and the operator first, or name another cluster with --context\n',
    });
  });
});

describe('with the CRDs', () => {
  beforeAll(async () => {
    const gates = ['TechPreviewNoUpgrade'];
    for (const kind of [hostedCluster, hostedControlPlane, nodePool])
      await client.create(DEFINITIONS, crd(kind, { gates, conversion: 'none' }));
    await client.create(DEFINITIONS, crd(awsMachine, { conversion: 'none' }));
    for (const ref of [HOSTED_CLUSTERS, NODE_POOLS, resource(awsMachine)])
      await vi.waitFor(() => client.revision(ref), { timeout: TIMEOUT_MS, interval: 100 });
  });

  it.each(platforms.map((platform) => [platform.key, platform] as const))(
    'the server takes a cluster on %s, as a trial and in earnest',
    async (key, platform) => {
      const namespace = `clusters-of-${key}`;
      const { cluster, pool } = await createArguments(platform, folder);
      const argv = ['create', 'cluster', key, '--name', key, '-n', namespace, ...common, ...cluster];
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const trial = await run(...argv, '--dry-run');
      expect({ code: trial.code, err: trial.err }).toEqual({ code: 0, err: '' });
      expect(await secretsIn(namespace)).toEqual([]);

      const made = await run(...argv, '-o', 'name');
      expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' });
      expect(made.out.trimEnd().split('\n').slice(-2)).toEqual([
        `hostedcluster.hypershift.openshift.io/${key}`,
        `nodepool.hypershift.openshift.io/${key}`,
      ]);
      const stored = await client.get(HOSTED_CLUSTERS, key, { namespace });
      expect(stored.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['hypershift-cli']);

      const more = await run(
        'create',
        'nodepool',
        key,
        '--cluster-name',
        key,
        '--name',
        'more',
        '-n',
        namespace,
        ...pool,
      );
      expect({ code: more.code, err: more.err }).toEqual({ code: 0, err: '' });
      const { spec } = (await client.get(NODE_POOLS, 'more', { namespace })) as KubeObject & {
        spec: { release: object };
      };
      expect(spec.release).toEqual({ image });
    },
  );

  it('a dry run in a missing namespace reports where it was tried instead, and creates nothing', async () => {
    const argv = ['create', 'cluster', 'none', '--name', 'first', '-n', 'fresh', ...common];
    expect(await run(...argv, '--dry-run')).toEqual({
      code: 0,
      out: [
        'namespace/fresh created (server dry run)',
        'secret/first-pull-secret created (server dry run)',
        'secret/first-etcd-encryption-key created (server dry run)',
        'hostedcluster.hypershift.openshift.io/first created (server dry run)',
        'nodepool.hypershift.openshift.io/first created (server dry run)',
        '',
      ].join('\n'),
      err: 'namespace fresh is not there yet: what goes into it is tried in namespace default\n',
    });
    await expect(client.get(NAMESPACES, 'fresh')).rejects.toThrow('not found');
    expect((await client.list(HOSTED_CLUSTERS, { namespace: 'default' })).items).toEqual([]);
  });

  it('a namespace that is there stays as it is, and so does a pool of that name; a Secret left behind is recreated', async () => {
    const namespace = 'clusters-of-none';
    const left = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'again-pull-secret', namespace } };
    const data = { '.dockerconfigjson': Buffer.from('{}').toString('base64') };
    await client.create(SECRETS, { ...left, type: 'kubernetes.io/dockerconfigjson', data } as KubeObject);
    const { err, out } = await run('create', 'cluster', 'none', '--name', 'again', '-n', namespace, ...common);
    expect([err, out.split('\n').slice(0, 2)]).toEqual([
      '',
      [`namespace/${namespace} unchanged`, 'secret/again-pull-secret configured'],
    ]);
    const before = await client.get(NODE_POOLS, 'again', { namespace });
    const pool = ['create', 'nodepool', 'none', '--cluster-name', 'again', '--name', 'again', '-n', namespace];
    expect(await run(...pool, '--replicas', '0')).toEqual({
      code: 1,
      out: '',
      err: [
        'nodepool.hypershift.openshift.io/again would be refused; nothing was created',
        `error: NodePool again is in namespace ${namespace} already`,
        'choose another --name, or change it with kubectl',
        '',
      ].join('\n'),
    });
    expect(await client.get(NODE_POOLS, 'again', { namespace })).toEqual(before);
  });

  it('what the server would refuse is not half made', async () => {
    const [namespace, platform] = ['halves', [...platforms].find(({ key }) => key === 'powervs') as HostingPlatform];
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const { cluster } = await createArguments(platform, folder);
    const wrong = ['--cis-instance-crn', 'of no kind'];
    const argv = ['create', 'cluster', 'powervs', '--name', 'half', '-n', namespace, ...common, ...cluster, ...wrong];
    expect(await run(...argv)).toEqual({
      code: 1,
      out: '',
      err: [
        'hostedcluster.hypershift.openshift.io/half would be refused; nothing was created',
        'error: HostedCluster.hypershift.openshift.io "half" is invalid: spec.platform.powervs.cisInstanceCRN: Invalid value: "of no kind": spec.platform.powervs.cisInstanceCRN in body should match \'^crn:\'',
        'the server refused the request: see its message for the reason',
        '',
      ].join('\n'),
    });
    expect(await secretsIn(namespace)).toEqual([]);
  });

  it('a name that is taken is refused before anything is made', async () => {
    const namespace = 'clusters-of-none';
    const before = await secretsIn(namespace);
    expect(await run('create', 'cluster', 'none', '--name', 'none', '-n', namespace, ...common)).toEqual({
      code: 1,
      out: '',
      err: 'error: HostedCluster none is in namespace clusters-of-none already\nchoose another --name, or destroy it first with capstan destroy cluster\n',
    });
    expect(await secretsIn(namespace)).toEqual(before);
  });

  describe('what could not come up is refused before anything is made', () => {
    const namespace = 'clusters-of-none';
    const long = `long-${'n'.repeat(50)}`;
    const other = (metadata: object): Promise<unknown> =>
      client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata } as KubeObject);

    const FIX = 'nothing was created: change what the message names and try again';
    interface Refused {
      readonly what: string;
      readonly argv: () => readonly string[];
      readonly before?: () => Promise<unknown>;
      readonly message: () => string;
      readonly hint?: string;
    }
    it.each<Refused>([
      {
        what: 'a name too long for its namespace',
        argv: () => ['--name', long, '--infra-id', 'long'],
        message: () =>
          `--name: the control plane namespace would be ${namespace}-${long}, which has 72 characters and may have 63: choose a shorter name or namespace`,
      },
      {
        what: 'a namespace that exists already',
        argv: () => ['--name', 'taken'],
        before: () => other({ name: `${namespace}-taken` }),
        message: () =>
          `--name: the control plane namespace ${namespace}-taken exists and was not created by this operator: choose another name or namespace for this cluster`,
      },
      {
        what: 'a namespace of another cluster',
        argv: () => ['--name', 'theirs'],
        before: () =>
          other({ name: `${namespace}-theirs`, annotations: { [CLUSTER_ANNOTATION]: 'clusters/of-none-theirs' } }),
        message: () =>
          `--name: the control plane namespace ${namespace}-theirs exists and belongs to the HostedCluster clusters/of-none-theirs: choose another name or namespace for this cluster`,
      },
      {
        what: 'the infrastructure of another cluster',
        argv: () => ['--name', 'second', '--infra-id', 'shared'],
        before: () =>
          run('create', 'cluster', 'none', '--name', 'first', '-n', 'first', ...common, '--infra-id', 'shared'),
        message: () =>
          '--infra-id: the infrastructure shared belongs to the HostedCluster first/first: create this cluster again with an infraID of its own',
      },
      {
        what: 'a release that is not there',
        argv: () => ['--name', 'a', '--release-image', image.replace('4.22.0', '4.99.0')],
        message: () =>
          `--release-image: release image ${image.replace('4.22.0', '4.99.0')}: image ${registry?.host}/openshift/release: ${registry?.host} has no such image; check name and tag`,
      },
      {
        what: 'a release that is too old',
        argv: () => ['--name', 'a', '--release-image', image.replace('4.22.0', '4.13.9')],
        message: () =>
          `--release-image: ${image.replace('4.22.0', '4.13.9')} cannot be run: version 4.13.9 is older than 4.14, the oldest that is supported`,
      },
      {
        what: 'a registry that does not answer',
        argv: () => ['--name', 'a', '--release-image', '127.0.0.1:1/openshift/release:4.22.0'],
        message: () =>
          '--release-image: release image 127.0.0.1:1/openshift/release:4.22.0: image 127.0.0.1:1/openshift/release: 127.0.0.1:1 cannot be reached (ECONNREFUSED); check the name and the network',
        hint: 'nothing was created: where only the management cluster reaches the registry, leave the check out with --no-release-check',
      },
    ])('$what', async ({ argv, before, hint = FIX, message }) => {
      await before?.();
      const there = await secretsIn(namespace);
      const given = ['-n', namespace, ...common, ...argv()];
      expect(await run('create', 'cluster', 'none', ...given)).toEqual({
        code: 1,
        out: '',
        err: `error: ${message()}\n${hint}\n`,
      });
      expect(await secretsIn(namespace)).toEqual(there);
    });

    it('but for a release that is not to be looked for', async () => {
      const argv = ['--name', 'unchecked', '-n', 'unchecked', ...common, '--release-image', '127.0.0.1:1/release:1'];
      const { code, err } = await run('create', 'cluster', 'none', ...argv, '--no-release-check');
      expect({ code, err }).toEqual({ code: 0, err: '' });
    });
  });

  it('a pool is not made on another platform than its cluster', async () => {
    const argv = ['create', 'nodepool', 'none', '--cluster-name', 'agent', '--name', 'x', '-n', 'clusters-of-agent'];
    expect(await run(...argv)).toEqual({
      code: 1,
      out: '',
      err: 'error: HostedCluster agent is on Agent, not on None\na pool is on the platform of its cluster: use that command\n',
    });
  });

  it('--wait prints the progress until the cluster is available', async () => {
    const namespace = 'waited-for';
    const io = new TestIo();
    const platform = platforms.find(({ machineTemplate }) => machineTemplate !== undefined) as HostingPlatform;
    const { cluster } = await createArguments(platform, folder);
    const waiting = runWith(
      io,
      'create',
      'cluster',
      platform.key,
      ...cluster,
      '--name',
      'a',
      '-n',
      namespace,
      ...common,
      '--wait',
      '--timeout',
      '60s',
    );
    await vi.waitFor(() => client.get(HOSTED_CLUSTERS, 'a', { namespace }), { timeout: TIMEOUT_MS });
    const now = new Date().toISOString();
    const condition = (type: string, status: string, message: string): object => ({
      type,
      status,
      reason: 'WaitingForEtcd',
      message,
      lastTransitionTime: now,
    });
    await setStatus(HOSTED_CLUSTERS, namespace, 'a', {
      conditions: [condition('Available', 'False', 'etcd is coming')],
    });
    await vi.waitFor(() => expect(io.stderr).toContain('etcd is coming'), { timeout: TIMEOUT_MS });
    const working = condition('ClusterVersionProgressing', 'True', 'waiting for nodes');
    await setStatus(HOSTED_CLUSTERS, namespace, 'a', { conditions: [condition('Available', 'True', 'fine'), working] });
    const progress = 'available, rolling out its release: waiting for nodes\n';
    await vi.waitFor(() => expect(io.stderr).toContain(progress), { timeout: TIMEOUT_MS });
    const entry = {
      state: 'Completed',
      startedTime: now,
      completionTime: now,
      version: '4.22.0',
      image: 'i',
      verified: false,
    };
    const version = {
      desired: { version: '4.22.0', image: 'i' },
      history: [entry],
      observedGeneration: 1,
      availableUpdates: [],
    };
    await setStatus(HOSTED_CLUSTERS, namespace, 'a', { conditions: [condition('Available', 'True', 'fine')], version });
    const { code, err } = await waiting;
    expect(code).toBe(0);
    expect(err).toContain('Available is False, WaitingForEtcd: etcd is coming\n');
    expect(err).toMatch(/HostedCluster a is available\n$/);
  });

  it('--wait does not wait for the release of a cluster that is to have no nodes', async () => {
    const namespace = 'nodeless';
    const waiting = run('create', 'cluster', 'none', '--name', 'b', '-n', namespace, ...common, '--wait');
    await vi.waitFor(() => client.get(HOSTED_CLUSTERS, 'b', { namespace }), { timeout: TIMEOUT_MS });
    const available = { type: 'Available', status: 'True', reason: 'WaitingForEtcd', message: 'fine' };
    await setStatus(HOSTED_CLUSTERS, namespace, 'b', {
      conditions: [{ ...available, lastTransitionTime: new Date().toISOString() }],
    });
    const { code, err } = await waiting;
    expect([code, err.endsWith('HostedCluster b is available\n')]).toEqual([0, true]);
  });

  it('get kubeconfig prints what the cluster names', async () => {
    const namespace = 'waited-for';
    expect(await run('get', 'kubeconfig', 'a', '-n', namespace)).toEqual({
      code: 1,
      out: '',
      err: 'error: HostedCluster a has no kubeconfig yet\ntry again once its control plane answers\n',
    });
    const text = kubeconfigText({ server: 'https://a.example:6443', token: 't', name: 'admin' });
    const data = { kubeconfig: Buffer.from(text).toString('base64') };
    const metadata = { name: 'a-admin-kubeconfig', namespace };
    await client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await setStatus(HOSTED_CLUSTERS, namespace, 'a', { kubeconfig: { name: 'a-admin-kubeconfig' } });
    const printed = [
      'apiVersion: v1',
      'clusters:',
      '  - name: admin',
      '    cluster:',
      '      server: https://a.example:6443',
      'contexts:',
      '  - name: admin',
      '    context:',
      '      cluster: admin',
      '      user: admin',
      'current-context: admin',
      'kind: Config',
      'users:',
      '  - name: admin',
      '    user:',
      '      token: t',
      '',
    ].join('\n');
    expect(await run('get', 'kubeconfig', 'a', '-n', namespace)).toEqual({ code: 0, out: printed, err: '' });
    const { out: json } = await run('get', 'kubeconfig', 'a', '-n', namespace, '-o', 'json');
    expect(JSON.parse(json)).toEqual(parse(printed));
    const out = join(folder, 'a.kubeconfig');
    expect((await run('get', 'kubeconfig', 'a', '-n', namespace, '--out', out)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(printed);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it('dump writes every kind there is, and of Secrets the keys alone', async () => {
    const namespace = 'waited-for-a';
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const machine = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      spec: { instanceType: 'm5' },
    };
    await client.create(resource(awsMachine), { ...machine, metadata: { name: 'm', namespace } });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"key":"dG9wIHNlY3JldA=="}}' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace, annotations } };
    await client.create(SECRETS, { ...secret, data: { key: Buffer.from('top secret').toString('base64') } });
    const containers = [{ name: 'main', image: 'x' }];
    const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace } };
    await client.create(pods, { ...pod, spec: { containers, nodeName: 'gone' } });
    const dir = join(folder, 'dump');
    const { code, out } = await run('dump', 'cluster', 'a', '-n', 'waited-for', '--artifact-dir', dir, '--archive');
    expect({ code, out }).toEqual({ code: 0, out: `${dir}.tar.gz\n` });
    const files = (readdirSync(dir, { recursive: true }) as string[]).filter((path) => /\.(yaml|txt)$/.test(path));
    expect(files).toEqual(
      expect.arrayContaining([
        'hosted-cluster.yaml',
        'node-pools.yaml',
        'summary.txt',
        `namespaces/${namespace}/awsmachines.infrastructure.cluster.x-k8s.io.yaml`,
        `namespaces/${namespace}/secrets.yaml`,
        'namespaces/waited-for/secrets.yaml',
      ]),
    );
    const text = files.map((path) => readFileSync(join(dir, path), 'utf8')).join('');
    expect(text).toContain('key: redacted, 10 bytes');
    expect(text).not.toMatch(/dG9wIHNlY3JldA|top secret|c2VjcmV0|YXBpVmVyc2lvbjogdjE/);
    const summary = readFileSync(join(dir, 'summary.txt'), 'utf8');
    expect(summary).toContain('the hosted cluster could not be read: ');
    // Its node does not exist, so it has no log: listed, and no reason to stop.
    expect(summary).toContain('log of p/main could not be read: ');
    expect(statSync(`${dir}.tar.gz`).size).toBeGreaterThan(500);
  });

  it('destroy refuses what is not there', async () => {
    expect(await run('destroy', 'cluster', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: 'error: there is no HostedCluster nobody in namespace clusters\nlist them with kubectl get hostedclusters -A, and name the namespace with --namespace\n',
    });
    expect((await run('destroy', 'nodepool', 'nobody')).err).toContain(
      'there is no NodePool nobody in namespace clusters',
    );
  });

  it('destroy waits for the operator, and then deletes the Secrets of this cluster alone', async () => {
    const namespace = 'clusters-of-powervs';
    const argv = ['create', 'cluster', 'none', '--name', 'other', '-n', namespace, ...common];
    expect((await run(...argv)).code).toBe(0);
    await setFinalizers(HOSTED_CLUSTERS, namespace, 'powervs', [FINALIZER]);
    const late = await run('destroy', 'cluster', 'powervs', '-n', namespace, '--cluster-grace-period', '1ms');
    expect({ code: late.code, out: late.out }).toEqual({ code: 1, out: '' });
    expect(late.err).toContain('the deletion of HostedCluster powervs did not finish in time: 2 node pools left');
    expect(late.err).toContain('wait longer with --cluster-grace-period');
    expect(await secretsIn(namespace)).toContain('powervs-pull-secret');

    const io = new TestIo();
    const ending = runWith(io, 'destroy', 'cluster', 'powervs', '-n', namespace);
    await vi.waitFor(() => expect(io.stderr).toContain('2 node pools left'), { timeout: TIMEOUT_MS });
    await setFinalizers(HOSTED_CLUSTERS, namespace, 'powervs', null);
    const { code, out } = await ending;
    expect(code).toBe(0);
    expect(out).toContain('hostedcluster.hypershift.openshift.io/powervs deleted\n');
    expect(await secretsIn(namespace)).toEqual(['other-etcd-encryption-key', 'other-pull-secret']);
  });
});
