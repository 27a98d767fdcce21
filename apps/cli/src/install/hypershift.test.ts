import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cluster } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { VERSION_ANNOTATION } from '@capstan/hypershift/manifests';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DEFINITIONS } from '../crds/lists.js';
import { storedAlone } from '../infrastructure-kinds.js';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS } from '../testing-server.js';
import { refOf } from './cluster.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const PRIVATE = ['--private-capi-types'] as const;
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
interface Variable {
  readonly name: string;
  readonly value: string;
}

const SERVER = new TestIo();
const folder = mkdtempSync(join(tmpdir(), 'capstan-install-'));
let served: Promise<number>;
let kubeconfig = '';
let transport: HttpTransport;
let client: Client;

beforeAll(async () => {
  served = main(['apiserver', '--no-controllers'], SERVER);
  ({ kubeconfig } = JSON.parse(await SERVER.firstLine()) as { kubeconfig: string });
  transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  client = new Client(transport);
});

afterAll(async () => {
  await transport.close();
  SERVER.stop();
  await served;
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  for (const { metadata } of (await client.list(HOSTED_CLUSTERS).catch(ignoreNotFound))?.items ?? [])
    await client.delete(HOSTED_CLUSTERS, metadata.name ?? '', { namespace: metadata.namespace });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(...args: readonly string[]): Promise<Ran> {
  const io = new TestIo();
  const code = await main([...args, '--kubeconfig', kubeconfig], io);
  return { code, out: io.stdout, err: io.stderr };
}

const install = (...args: readonly string[]): Promise<Ran> => run('install', '--no-wait', '--own-certificate', ...args);

async function rendered(...args: readonly string[]): Promise<KubeObject[]> {
  const io = new TestIo();
  // There is no such server.
  const code = await main(['install', ...args, '--render', '--kubeconfig', '/nonexistent/kubeconfig'], io);
  expect([code, io.stderr]).toEqual([0, '']);
  expect(io.stdout).not.toMatch(/^\s*(?:- |[^\s"']+: )[&*][a-z0-9]+\s*$/m);
  return parseAllDocuments(io.stdout).map((each) => each.toJS() as KubeObject);
}

const find = (object: KubeObject): Promise<KubeObject | undefined> =>
  client.get(refOf(object), object.metadata.name ?? '', { namespace: object.metadata.namespace }).catch(ignoreNotFound);

const namesOf = (objects: readonly KubeObject[], kind: string): string[] =>
  objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name ?? '');

async function host(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const services = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
    service,
    servicePublishingStrategy: { type: 'Route' },
  }));
  await client.create(HOSTED_CLUSTERS, {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: 'default', annotations },
    spec: {
      platform: { type: 'None' },
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.22.0' },
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: 'ssh-key' },
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      services,
    },
  });
}

describe('capstan install --render', () => {
  it('without options has the operator on standard types, and no proxy, shim or private kind', async () => {
    const objects = await rendered();
    expect(namesOf(objects, 'Deployment')).toEqual(['operator']);
    expect(JSON.stringify(objects)).not.toMatch(/cluster\.hypershift\.openshift\.io|kube-apiserver-proxy/);
    expect(namesOf(objects, 'CustomResourceDefinition')).toContain('hostedclusters.hypershift.openshift.io');
  });

  it('on private types has what reads nothing before what reads, and touches nothing of the platform', async () => {
    const objects = await rendered(...PRIVATE, '-n', 'elsewhere');
    const kinds = objects.map(({ kind }) => kind);
    expect(namesOf(objects, 'Deployment')).toEqual(['capi-conversion-webhook-shim', 'operator-legacy', 'operator']);
    expect(kinds.indexOf('Deployment')).toBeLessThan(kinds.indexOf('APIService'));
    expect(kinds.indexOf('ValidatingAdmissionPolicyBinding')).toBeLessThan(kinds.lastIndexOf('Deployment'));
    expect(new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))).toEqual(new Set(['elsewhere']));
    const definitions = namesOf(objects, 'CustomResourceDefinition');
    expect(definitions).toContain('machines.cluster.hypershift.openshift.io');
    expect(definitions.filter((name) => name.endsWith('cluster.x-k8s.io'))).toEqual([]);
    expect(kinds).not.toContain('ClusterAPI');
  });

  it('gives the operators their modes, and only the new one a proxy and both groups', async () => {
    const objects = await rendered(...PRIVATE);
    const text = (kind: string, name: string): string =>
      JSON.stringify(objects.find((each) => each.kind === kind && each.metadata.name === name));
    expect(text('Deployment', 'operator')).toContain('"--private-capi-types"');
    expect(text('Deployment', 'operator')).toContain('"name":"kube-apiserver-proxy"');
    expect(text('Deployment', 'operator-legacy')).toContain('"--legacy"');
    expect(text('Deployment', 'operator-legacy')).not.toContain('kube-apiserver-proxy');
    expect(text('ClusterRole', 'hypershift:operator')).toContain('"cluster.hypershift.openshift.io"');
    expect(text('ClusterRole', 'hypershift:operator-legacy')).not.toContain('cluster.hypershift.openshift.io');
  });

  it('mirrors the CRDs of --crds-from in place of its own', async () => {
    const file = join(folder, 'crds.json');
    writeFileSync(file, JSON.stringify(crd(cluster)));
    const names = namesOf(await rendered(...PRIVATE, '--crds-from', file), 'CustomResourceDefinition');
    expect(names.filter((name) => name.endsWith('cluster.hypershift.openshift.io'))).toEqual([
      'clusters.cluster.hypershift.openshift.io',
    ]);
  });

  it('refuses --crds-from without a CRD of Cluster API', async () => {
    const file = join(folder, 'none.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }));
    const { code, err } = await run('install', ...PRIVATE, '--render', '--crds-from', file);
    expect([code, err]).toEqual([1, expect.stringContaining('--crds-from names no CRD of Cluster API')]);
  });
});

describe('capstan install --private-capi-types', () => {
  it('writes nothing at all while the server refuses one object', async () => {
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'no-legacy' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }],
        },
        validations: [{ expression: "object.metadata.name != 'operator-legacy'", message: 'not here' }],
      },
    };
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'no-legacy' },
      spec: { policyName: 'no-legacy', validationActions: ['Deny'] },
    };
    await client.create(refOf(policy), policy);
    await client.create(refOf(binding), binding);
    const { code, err, out } = await install(...PRIVATE);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('error: deployment.apps/operator-legacy cannot be installed: ');
    expect(err).toContain('nothing was installed');
    const { items } = await client.list(DEFINITIONS);
    expect(items).toEqual([]);
    expect(await client.get(NAMESPACES, 'hypershift').catch(ignoreNotFound)).toBeUndefined();
    await client.delete(refOf(binding), 'no-legacy');
    await client.delete(refOf(policy), 'no-legacy');
  });

  it('installs what it renders, twice without harm, and prints which names change', async () => {
    for (const round of [1, 2]) {
      const { code, err } = await install(...PRIVATE);
      expect([round, code]).toEqual([round, 0]);
      expect(err).toContain('kubectl get machines now lists machines.cluster.hypershift.openshift.io');
    }
    for (const object of await rendered(...PRIVATE)) {
      const found = await find(object);
      expect([object.kind, found?.metadata.name]).toEqual([object.kind, object.metadata.name]);
      // Nobody owns a field of an account, which has none but its name; the platform's own CRDs are created once.
      const isOwned = object.kind !== 'ServiceAccount' && object.metadata.name?.endsWith('.k-orc.cloud') !== true;
      const managers = found?.metadata.managedFields?.map(({ manager }) => manager);
      if (isOwned) expect([object.metadata.name, managers]).toContainEqual(expect.arrayContaining(['capstan-install']));
    }
  });

  it('gives the legacy operator the variables that an administrator has set for the operator, and keeps them', async () => {
    const at = { namespace: 'hypershift' };
    const env = async (name: string): Promise<Record<string, string>> => {
      const { spec } = (await client.get(DEPLOYMENTS, name, at)) as unknown as {
        readonly spec: {
          readonly template: {
            readonly spec: { readonly containers: readonly { readonly env?: readonly Variable[] }[] };
          };
        };
      };
      return Object.fromEntries(
        spec.template.spec.containers.flatMap(({ env: all = [] }) => all.map((each) => [each.name, each.value])),
      );
    };
    const variable = { name: 'IMAGE_AGENT_CAPI_PROVIDER', value: 'registry.example.com/provider' };
    const containers = [{ name: 'operator', env: [variable] }];
    const value = { spec: { template: { spec: { containers } } } };
    await client.patch(DEPLOYMENTS, 'operator', { type: 'strategic', value }, at);
    await client.delete(DEPLOYMENTS, 'operator-legacy', at);
    for (const round of [1, 2]) {
      await install(...PRIVATE);
      const legacy = await env('operator-legacy');
      expect([round, legacy[variable.name], legacy['KUBECONFIG']]).toEqual([round, variable.value, undefined]);
      expect(await env('operator')).toMatchObject({
        [variable.name]: variable.value,
        KUBECONFIG: expect.any(String) as string,
      });
    }
  });

  it('makes the server trust the shim and the webhooks by the CA of their certificates', async () => {
    const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
    const at = { namespace: 'hypershift' };
    const { data } = (await client.get(secrets, 'capi-conversion-webhook-shim-serving-cert', at)) as KubeObject & {
      readonly data: Readonly<Record<string, string>>;
    };
    expect(await client.get(DEFINITIONS, 'machines.cluster.hypershift.openshift.io')).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { caBundle: data['ca.crt'] } } } },
    });
  });

  it('registers the private groups behind those of the platform', async () => {
    const service = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta2.cluster.hypershift.openshift.io' },
    };
    expect(await find(service)).toMatchObject({ spec: { groupPriorityMinimum: 900 } });
  });

  it('refuses standard objects where they have moved, and lets private ones in', async () => {
    await client.create(DEFINITIONS, crd(storedAlone(cluster), { conversion: 'none' }));
    for (const name of ['moved', 'not-moved']) {
      const labels = name === 'moved' ? { 'hypershift.openshift.io/private-capi-types': 'true' } : {};
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    }
    const make = async (group: string, namespace: string): Promise<string> => {
      const resource = { group, version: 'v1beta2', plural: 'clusters', namespaced: true };
      const object = {
        apiVersion: `${group}/v1beta2`,
        kind: 'Cluster',
        metadata: { name: 'c', namespace },
        spec: { controlPlaneEndpoint: { host: 'h', port: 6443 } },
      };
      return client.create(resource, object).then(() => 'created', String);
    };
    await vi.waitFor(async () =>
      expect(await make('cluster.x-k8s.io', 'moved')).toContain(
        'the hosted cluster of namespace moved keeps its Cluster API objects in the private groups: create clusters there, not in cluster.x-k8s.io',
      ),
    );
    expect(await make('cluster.x-k8s.io', 'not-moved')).toBe('created');
  });

  it('keeps the selector of a Deployment that is there, which cannot be changed', async () => {
    const at = { namespace: 'hypershift' };
    const before = await client.get<KubeObject & { spec: { template: KubeObject } }>(DEPLOYMENTS, 'operator', at);
    await client.delete(DEPLOYMENTS, 'operator', at);
    const labels = { name: 'operator' };
    const { spec } = before;
    await client.create(DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'operator', namespace: 'hypershift' },
      spec: { ...spec, selector: { matchLabels: labels }, template: { ...spec.template, metadata: { labels } } },
    });
    expect((await install(...PRIVATE)).code).toBe(0);
    expect(await client.get(DEPLOYMENTS, 'operator', at)).toMatchObject({
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels: { app: 'operator', name: 'operator' } } },
      },
    });
    await client.delete(DEPLOYMENTS, 'operator', at);
  });

  it('refuses an earlier version over a later one', async () => {
    const name = 'machines.cluster.hypershift.openshift.io';
    const set = (version: string): Promise<KubeObject> =>
      client.patch(DEFINITIONS, name, {
        type: 'merge',
        value: { metadata: { annotations: { [VERSION_ANNOTATION]: version } } },
      });
    await set('9.1.0');
    const { code, err, out } = await install(...PRIVATE);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /machines\.cluster\.hypershift\.openshift\.io is of version 9\.1\.0, and this is \d+\.\d+\.\d+/,
    );
    await set('0.0.1');
    expect((await install(...PRIVATE)).code).toBe(0);
  });

  it('refuses standard types while a hosted cluster is on private ones, and takes the legacy operator away after', async () => {
    await host('mine', { 'hypershift.openshift.io/private-capi-types': 'true' });
    const refused = await install();
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('HostedCluster default/mine is on private Cluster API types');
    await client.delete(HOSTED_CLUSTERS, 'mine', { namespace: 'default' });
    const { code, out } = await install();
    expect([code, out]).toEqual([0, expect.stringContaining('deployment.apps/operator-legacy deleted\n')]);
  });

  it('is uninstalled only without hosted clusters, and leaves CRDs unless they are purged', async () => {
    expect((await install(...PRIVATE)).code).toBe(0);
    await host('last');
    const refused = await run('uninstall');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('HostedCluster default/last would no longer be reconciled');
    await client.delete(HOSTED_CLUSTERS, 'last', { namespace: 'default' });
    expect((await run('uninstall')).code).toBe(0);
    const objects = await rendered(...PRIVATE);
    for (const object of objects.filter(({ kind }) => !['CustomResourceDefinition', 'Namespace'].includes(kind))) {
      const left = await find(object);
      // The server registers the groups of CRDs again by itself.
      if (object.kind === 'APIService') expect(left).not.toMatchObject({ spec: { groupPriorityMinimum: 900 } });
      else expect([object.kind, left]).toEqual([object.kind, undefined]);
    }
    expect(await client.get(DEFINITIONS, 'machines.cluster.hypershift.openshift.io')).toBeDefined();
    expect((await run('uninstall', '--purge')).code).toBe(0);
    const left = (await client.list(DEFINITIONS)).items.map(({ metadata }) => metadata.name);
    expect(left.filter((name) => name?.includes('hypershift'))).toEqual([]);
    expect(left).toContain('clusters.cluster.x-k8s.io');
  });
});
