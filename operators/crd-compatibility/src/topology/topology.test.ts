import { ApiServer } from '@capstan/apiserver';
import { infrastructure } from '@capstan/api/config';
import { crd } from '@capstan/api/model';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { ReconcileContext } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { describe, expect, it, vi } from 'vitest';
import { DEFINITIONS } from '../kinds.js';
import { checkerManifests } from '../manifests.js';
import { planFor, replicasFor } from './decide.js';
import { reconcileTopology } from './reconcile.js';

const infra = (status: object): never => ({ metadata: { name: 'cluster' }, status }) as never;
const deployment = (replicas: number): never => ({ metadata: {}, spec: { replicas } }) as never;

describe('as many replicas as the layout asks for', () => {
  it.each([
    [undefined, undefined],
    [infra({}), undefined],
    [infra({ controlPlaneTopology: 'SingleReplica' }), 1],
    [infra({ controlPlaneTopology: 'SingleReplica', infrastructureTopology: 'SingleReplica' }), 1],
    [infra({ controlPlaneTopology: 'SingleReplica', infrastructureTopology: 'HighlyAvailable' }), 2],
    [infra({ controlPlaneTopology: 'HighlyAvailable', infrastructureTopology: 'HighlyAvailable' }), 2],
    [infra({ controlPlaneTopology: 'External', infrastructureTopology: 'SingleReplica' }), 1],
    [infra({ controlPlaneTopology: 'DualReplica', infrastructureTopology: 'HighlyAvailable' }), 2],
  ])('%j has %s', (given, replicas) => {
    expect(replicasFor(given)).toBe(replicas);
  });

  it.each([
    ['a cluster that does not say', undefined, { deployment: deployment(2), hasBudget: true }, {}],
    ['no Deployment', 1, { deployment: undefined, hasBudget: false }, {}],
    ['all as it should be', 2, { deployment: deployment(2), hasBudget: true }, {}],
    ['one of one', 1, { deployment: deployment(1), hasBudget: false }, {}],
    ['a node that is alone now', 1, { deployment: deployment(2), hasBudget: true }, { scale: 1, budget: 'remove' }],
    ['more nodes', 2, { deployment: deployment(1), hasBudget: false }, { scale: 2, budget: 'create' }],
    ['a Deployment scaled by hand', 2, { deployment: deployment(5), hasBudget: true }, { scale: 2 }],
    ['a budget that was deleted', 2, { deployment: deployment(2), hasBudget: false }, { budget: 'create' }],
  ] as const)('%s', (_title, replicas, there, plan) => {
    expect(planFor(replicas, there)).toEqual(plan);
  });
});

it('the layout is followed when it changes', async () => {
  const client = new Client(new ApiServer({ clock: systemClock(), random: systemRandom() }));
  const namespace = 'compat';
  const core = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
  await client.create(core, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
  const budgets = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', namespaced: true };
  const made = checkerManifests({ namespace, image: 'capstan:test' });
  for (const object of made) {
    if (object.kind === 'Deployment') await client.create(deployments, object);
    if (object.kind === 'PodDisruptionBudget') await client.create(budgets, object);
  }
  const reconcile = reconcileTopology(client, namespace);
  const run = async (): Promise<unknown> => {
    const { signal } = new AbortController();
    expect(await reconcile({ namespace: '', name: '' }, { signal } as ReconcileContext)).toEqual({
      requeueAfterMs: 60_000,
    });
    const { spec } = await client.get(deployments, 'crd-compatibility', { namespace });
    const hasBudget = await client.get(budgets, 'crd-compatibility', { namespace }).then(
      () => true,
      (error: unknown) => !isNotFound(error),
    );
    return [(spec as { replicas: number }).replicas, hasBudget];
  };
  // No OpenShift: as it was installed.
  expect(await run()).toEqual([2, true]);
  await client.create(DEFINITIONS, crd(infrastructure));
  const infrastructures = { group: 'config.openshift.io', version: 'v1', plural: 'infrastructures', namespaced: false };
  const cluster = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {},
  };
  await vi.waitFor(() => client.create(infrastructures, cluster), { timeout: 10_000 });
  for (const [topology, state] of [
    ['SingleReplica', [1, false]],
    ['HighlyAvailable', [2, true]],
    ['SingleReplica', [1, false]],
  ] as const) {
    const value = { status: { controlPlaneTopology: topology, infrastructureTopology: topology } };
    await client.patch(infrastructures, 'cluster', { type: 'merge', value }, { subresource: 'status' });
    expect(await run()).toEqual(state);
  }
});
