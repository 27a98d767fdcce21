import type { StoreSnapshot } from '@capstan/apiserver';
import type { ResourceKind } from '@capstan/kube';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CONFIG_MAPS, kindOf, PRIVATE, STANDARD } from '../fixture.js';
import { MigrationRun } from './scenario.js';
import { NAMESPACE, prepareServer } from './server.js';

const AT = { namespace: NAMESPACE };
const SECRETS: ResourceKind = { ...CONFIG_MAPS, plural: 'secrets', kind: 'Secret' };

let snapshot: StoreSnapshot;
let run: MigrationRun;
beforeAll(async () => {
  snapshot = await prepareServer();
}, 60_000);
beforeEach(() => {
  run = new MigrationRun(snapshot);
});
afterEach(() => run.close());

const merge = (metadata: object) => ({ type: 'merge', value: { metadata } }) as const;

it('reports a machine that is deleted while its instance lives', async () => {
  const machines = kindOf(STANDARD, 'Machine');
  await run.fixture.client.patch(machines, 'workers-1', merge({ finalizers: null }), AT);
  await run.fixture.client.delete(machines, 'workers-1', AT);
  expect(run.history.violations).toEqual([
    expect.stringMatching(
      /Machine workers-1 .* leaves instance aws:\/\/\/us-east-1a\/i-0123456789 with 0 Machines in cluster.x-k8s.io$/u,
    ),
  ]);
});

it('reports an owner that does not exist', async () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'gone' };
  await run.fixture.client.patch(CONFIG_MAPS, 'owned', merge({ ownerReferences: [owner] }), AT);
  expect(run.history.violations[0]).toMatch(
    /ConfigMap owned .* refers to the owner ConfigMap x, which does not exist$/u,
  );
});

it('reports an object that has lost its owner', async () => {
  await run.fixture.client.patch(CONFIG_MAPS, 'owned', merge({ ownerReferences: null }), AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/ConfigMap owned .* has lost its owner$/u)]);
});

it('reports a Secret that is deleted', async () => {
  await run.fixture.client.delete(SECRETS, 'owned', AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/Secret owned .* is deleted$/u)]);
});

it('reports a second Machine of an instance', async () => {
  const machines = kindOf(STANDARD, 'Machine');
  const { spec } = await run.fixture.client.get(machines, 'workers-1', AT);
  await run.fixture.create(machines, { metadata: { name: 'workers-2', ...AT }, spec } as never);
  expect(run.history.violations).toEqual([expect.stringMatching(/i-0123456789 with 2 Machines in cluster.x-k8s.io$/u)]);
});

it('reports a Machine whose instance does not live', async () => {
  run.controllers.instances.clear();
  await run.fixture.client.patch(kindOf(STANDARD, 'Machine'), 'workers-1', merge({ labels: { a: 'b' } }), AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/i-0123456789, which does not live$/u)]);
});

it('reports copies that count before every machine has one', async () => {
  const name = 'infra-a';
  const annotations = { 'hypershift.openshift.io/migration-copied': 'x' };
  const { spec } = await run.fixture.client.get(kindOf(STANDARD, 'Cluster'), name, AT);
  await run.fixture.create(kindOf(PRIVATE, 'Cluster'), { metadata: { name, ...AT, annotations }, spec } as never);
  expect(run.history.violations).toEqual([
    expect.stringMatching(/i-0123456789 with 0 Machines in cluster.hypershift.openshift.io$/u),
  ]);
});

it.each([
  ['deployments', 'kube-apiserver', { spec: { replicas: 1 } }],
  ['statefulsets', 'etcd', { spec: { template: { spec: { nodeName: 'n' } } } }],
])('reports one of the %s that does not read Cluster API and is changed', async (plural, name, value) => {
  const kind = { group: 'apps', version: 'v1', plural, namespaced: true };
  await run.fixture.client.patch(kind, name, { type: 'merge', value }, AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/is no workload of Cluster API/u)]);
});

it('reports a pod of the control plane that ends', async () => {
  const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true };
  await run.fixture.client.delete(pods, 'kube-apiserver-0', { ...AT, gracePeriodSeconds: 0 });
  expect(run.history.violations).toEqual([expect.stringMatching(/Pod kube-apiserver-0 .*no workload of Cluster API/u)]);
});
