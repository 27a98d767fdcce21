import type { NodePool } from '@capstan/api/hypershift';
import { NODE_POOLS } from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { clusterObjects, HOME, hostedSimulation, poolObject } from '@capstan/tools/hosting';
import { expect, it } from 'vitest';
import { Subject } from './scenario.js';

const PLATFORM = testPlatform();
const NODES: ResourceRef = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const BUDGETS: ResourceRef = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', namespaced: true };
const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
const IN_DEFAULT = { namespace: 'default', subresource: 'status' } as const;

/** A pod on a node, and a budget that lets it go nowhere. */
async function hold({ guest }: Subject, nodeName: string): Promise<void> {
  const labels = { app: 'web' };
  const pod: unknown = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', labels },
    spec: { nodeName, containers: [{ name: 'c', image: 'x' }] },
  };
  await guest.create(PODS, pod as KubeObject);
  const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  await guest.patch(PODS, 'web', { type: 'merge', value: running }, IN_DEFAULT);
  const budget: unknown = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  };
  await guest.create(BUDGETS, budget as KubeObject);
  const counts = {
    observedGeneration: 1,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
  };
  await guest.patch(BUDGETS, 'web', { type: 'merge', value: { status: counts } }, IN_DEFAULT);
}

it('a drain of an upgrade in place that a budget blocks is reported by the pool', { timeout: 120_000 }, async () => {
  const hosted = await hostedSimulation(new HostingPlatforms([PLATFORM]));
  const { client, simulation } = hosted;
  const [image = '', next = ''] = hosted.images;
  const spec = { replicas: 1, management: { upgradeType: 'InPlace' } };
  await hosted.apply([
    ...clusterObjects(PLATFORM, 'red', image),
    poolObject(PLATFORM, { name: 'red-pool', cluster: 'red', image }, spec),
  ]);
  const red = new Subject(hosted, PLATFORM, 'red');
  await red.nodes(1, 'v1.35.2');
  await red.upgrade(next, '4.22.1');
  const [node] = (await red.guest.list(NODES)).items;
  const { name = '' } = node?.metadata ?? {};
  await hold(red, name);
  await red.change('red-pool', { release: { image: next } });
  const updating = async (): Promise<string> => {
    const { status } = await client.get<NodePool>(NODE_POOLS, 'red-pool', { namespace: HOME });
    const found = status?.conditions?.find(({ type }) => type === 'UpdatingVersion');
    return `${found?.status ?? ''} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
  };
  await simulation.runUntil(hosted.elapsed + 240_000);
  expect(await updating()).toContain('True AsExpected: Nodepool update in progress.');
  await simulation.runUntil(hosted.elapsed + 180_000);
  const text = await updating();
  expect(text).toMatch(
    /^True DrainingNode: Node \S+: draining since \S+Z: Pod default\/web: PodDisruptionBudget web needs 1 pods, has 1: help them, or set spec.nodeDrainTimeout$/,
  );
  expect(text).toContain(`Node ${name}: `);
  const { items } = await client.list(EVENTS, { namespace: HOME });
  const events = items.filter((event) => event['reason'] === 'DrainingNode').map((event) => event['message']);
  expect(new Set(events)).toEqual(new Set([text.replace(/^True DrainingNode: /, '')]));
  await red.change('red-pool', { nodeDrainTimeout: '1m' });
  await red.poolRuns('red-pool', '4.22.1');
  await simulation.runUntil(hosted.elapsed + 60_000);
  expect(await updating()).toBe('False AsExpected: ');
  simulation.end();
});
