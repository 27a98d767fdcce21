import { ApiServer } from '@capstan/apiserver';
import {
  apply,
  Client,
  connectOwnFile,
  defineOperator,
  Manager,
  sleep,
  systemClock,
  systemRandom,
} from '@capstan/kube';
import type { FlagKinds, OperatorDefinition } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject, Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { addSidecar } from '@capstan/translate/sidecar';
import type { PodTemplate } from '@capstan/translate/sidecar';
import { beforeEach, expect, it } from 'vitest';
import { KnownServers } from '../guests/known-servers.js';
import { translatedTransport } from '../runtime/translated-transport.js';
import { anyOperator } from './components.js';
import { LiveHost } from './process-host.js';
import { workloadsProcess } from './workloads.js';

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const AT = { namespace: 'default' };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;

const sets = (group: string) => ({ group, version: 'v1', plural: 'sets', namespaced: true, kind: 'Set' }) as const;

function crd(group: string): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
  const names = { plural: 'sets', singular: 'set', kind: 'Set', listKind: 'SetList' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `sets.${group}` },
    spec: { group, names, scope: 'Namespaced', versions },
  } as KubeObject;
}

function set(group: string, name: string, spec: object = {}): KubeObject {
  return { apiVersion: `${group}/v1`, kind: 'Set', metadata: { name, ...AT }, spec } as KubeObject;
}

const clock = systemClock();
let server: ApiServer;
let direct: Client;

beforeEach(async () => {
  server = new ApiServer({ clock, random: systemRandom('sidecar') });
  direct = new Client(server, { userAgent: 'test' });
  for (const group of [STANDARD, PRIVATE]) {
    await direct.create(CRDS, crd(group));
    await waitUntil(
      `${group} is served`,
      () =>
        direct.list(sets(group), AT).then(
          () => true,
          () => false,
        ),
      {
        clock,
        limitMs: 10_000,
        everyMs: 10,
      },
    );
  }
});

const names = async (client: Client, group: string): Promise<string[]> =>
  (await client.list(sets(group), AT)).items.map(({ apiVersion, metadata }) => `${apiVersion} ${metadata.name}`);

function translated(): Transport {
  return translatedTransport(server, translate(new GroupMapping(CLUSTER_API_RULES)));
}

it('stores under private groups what a client writes under standard ones, and shows it so', async () => {
  const client = new Client(translated(), { userAgent: 'test' });
  const owner = { apiVersion: `${STANDARD}/v1`, kind: 'Set', name: 'x', uid: 'u' };
  const { metadata, ...rest } = set(STANDARD, 'a');
  const made = await client.create(sets(STANDARD), { ...rest, metadata: { ...metadata, ownerReferences: [owner] } });
  expect(made.apiVersion).toBe(`${STANDARD}/v1`);
  await client.patch(sets(STANDARD), 'a', { type: 'merge', value: { spec: { replicas: 2 } } }, AT);
  const current = await client.get(sets(STANDARD), 'a', AT);
  await client.update(sets(STANDARD), { ...current, status: { replicas: 1 } }, { subresource: 'status' });
  await apply(client, sets(STANDARD), set(STANDARD, 'b', { replicas: 3 }), { fieldOwner: 'test' });
  expect(await names(client, STANDARD)).toEqual([`${STANDARD}/v1 a`, `${STANDARD}/v1 b`]);
  expect(await names(direct, PRIVATE)).toEqual([`${PRIVATE}/v1 a`, `${PRIVATE}/v1 b`]);
  expect(await names(direct, STANDARD)).toEqual([]);
  const stored = await direct.get(sets(PRIVATE), 'a', AT);
  expect([stored['spec'], stored['status']]).toEqual([{ replicas: 2 }, { replicas: 1 }]);
  expect(stored.metadata.ownerReferences?.[0]?.apiVersion).toBe(`${PRIVATE}/v1`);
});

it('hides what the platform has under standard groups, and refuses private ones', async () => {
  await direct.create(sets(STANDARD), set(STANDARD, 'of-the-platform'));
  const client = new Client(translated(), { userAgent: 'test' });
  expect(await names(client, STANDARD)).toEqual([]);
  await expect(client.list(sets(PRIVATE), AT)).rejects.toThrow(/not find/u);
});

it('translates each event of a watch', async () => {
  const manager = new Manager({ transport: translated(), clock, random: systemRandom('watch') });
  const informer = manager.cache.informer(sets(STANDARD));
  const end = new AbortController();
  const running = manager.run(end.signal);
  await direct.create(sets(STANDARD), set(STANDARD, 'of-the-platform'));
  for (const name of ['a', 'b']) await direct.create(sets(PRIVATE), set(PRIVATE, name));
  const seen = (): string[] => [...informer.store.list()].map((each) => `${each.apiVersion} ${each.metadata.name}`);
  await waitUntil('both are seen', () => Promise.resolve(seen().length === 2), { clock, limitMs: 10_000, everyMs: 10 });
  expect(seen().toSorted()).toEqual([`${STANDARD}/v1 a`, `${STANDARD}/v1 b`]);
  end.abort();
  await running;
});

it('leaves out events of objects that are hidden', async () => {
  const manager = new Manager({ transport: translated(), clock, random: systemRandom('hidden') });
  const informer = manager.cache.informer(CRDS, { metadataOnly: true });
  const end = new AbortController();
  const running = manager.run(end.signal);
  const shown = await direct.get(CRDS, `sets.${PRIVATE}`);
  await waitUntil('CRDs are seen', () => Promise.resolve(informer.store.get(`sets.${STANDARD}`) !== undefined), {
    clock,
    limitMs: 10_000,
    everyMs: 10,
  });
  expect([...informer.store.list()].map(({ metadata }) => metadata.uid)).toEqual([shown.metadata.uid]);
  end.abort();
  await running;
});

/** Lists by every way it has to the management cluster. */
function listing(found: string[]): OperatorDefinition<FlagKinds> {
  const FLAGS = { 'cloud-config': 'string' } as const;
  return anyOperator(
    defineOperator({
      name: 'listing',
      flags: FLAGS,
      build: async (context) => {
        const { flags, options } = context;
        const ways = [options.transport, await context.inCluster()];
        const file = flags['cloud-config'];
        if (file !== undefined) ways.push(await connectOwnFile(context, file));
        for (const transport of ways) found.push((await names(new Client(transport), STANDARD)).join());
        return new Manager({ ...options, leaderElection: undefined });
      },
    }),
  );
}

it.each<[string, (template: PodTemplate) => PodTemplate, readonly string[]]>([
  ['without a proxy', (template) => template, ['platform', 'platform']],
  [
    'by KUBECONFIG and by its flag, as the autoscaler does',
    (template) => addSidecar(template, { component: 'cluster-autoscaler', image: 'i', native: true }),
    ['hosted', 'platform', 'hosted'],
  ],
])('lets a process of a workload connect %s', async (_, change, expected) => {
  await direct.create(sets(STANDARD), set(STANDARD, 'platform'));
  await direct.create(sets(PRIVATE), set(PRIVATE, 'hosted'));
  const found: string[] = [];
  const host = new LiveHost({ transport: server, clock, random: systemRandom('host') });
  const servers = new KnownServers(clock);
  host.spawn(workloadsProcess({ host, servers, operatorOf: () => listing(found) }));
  const labels = { app: 'cluster-autoscaler' };
  const containers = [{ name: 'cluster-autoscaler', image: 'i', command: ['cluster-autoscaler'], args: [] }];
  const template = change({ metadata: { labels }, spec: { containers } });
  await direct.create(DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cluster-autoscaler', ...AT },
    spec: { selector: { matchLabels: labels }, template },
  } as KubeObject);
  await waitUntil('it has listed', () => Promise.resolve(found.length >= expected.length), {
    clock,
    limitMs: 10_000,
    everyMs: 10,
  });
  await sleep(clock, 10);
  expect(found).toEqual(expected.map((name) => `${STANDARD}/v1 ${name}`));
  await host.close();
});
