import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS } from '@capstan/hosting';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { HARBOUR_MACHINES, testPlatform } from '@capstan/provider/testing';
import { clusterObjects, HOME, hostedSimulation } from '@capstan/tools/hosting';
import { describe, expect, it } from 'vitest';
import { settledCluster } from './settled.js';
import type { HostedSimulation } from './settled.js';
import { Subject } from './scenario.js';

const PLATFORM = testPlatform();
const NAME = 'red';
const NAMESPACE = controlPlaneNamespace(HOME, NAME);
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const MINUTE_MS = 60_000;

async function uid({ client }: HostedSimulation): Promise<string | undefined> {
  const { items } = await client.list(NAMESPACES);
  return items.find(({ metadata }) => metadata.name === NAMESPACE)?.metadata.uid;
}

async function available({ client }: HostedSimulation): Promise<string> {
  const { status } = await client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
  const found = getCondition(status?.conditions as readonly Condition[] | undefined, 'Available');
  return `${found?.status ?? ''} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
}

describe('a control plane namespace that is deleted while its HostedCluster stays', { timeout: 240_000 }, () => {
  it('terminates without help where there are no machines, and the control plane is created again', async () => {
    const hosted = await hostedSimulation(new HostingPlatforms([PLATFORM]));
    const [image = ''] = hosted.images;
    await hosted.apply(clusterObjects(PLATFORM, NAME, image));
    const red = new Subject(hosted, PLATFORM, NAME);
    await red.available();
    const before = await uid(hosted);
    await hosted.client.delete(NAMESPACES, NAMESPACE);
    await hosted.simulation.runUntil(hosted.elapsed + 10 * MINUTE_MS);
    expect(await uid(hosted)).not.toBe(before);
    await red.available();
    hosted.simulation.end();
  });

  it('names the machines that block it, and terminates when those are deleted', async () => {
    const hosted = await settledCluster(PLATFORM, NAME);
    const { client, simulation } = hosted;
    const before = await uid(hosted);
    await client.delete(NAMESPACES, NAMESPACE);
    await simulation.runUntil(hosted.elapsed + 10 * MINUTE_MS);
    expect(await uid(hosted)).toBe(before);
    const [machine] = (await client.list(HARBOUR_MACHINES, { namespace: NAMESPACE })).items;
    const { name = '' } = machine?.metadata ?? {};
    const text = await available(hosted);
    expect(text).toMatch(
      /^False ControlPlaneNamespaceTerminating: Namespace clusters-red is being deleted since \S+, /,
    );
    expect(text).toContain(`, held by HarbourMachine ${name}: delete that in its cloud, then remove its finalizers`);
    expect(text.replace(/^\S+ \S+ /, '').length).toBeLessThanOrEqual(200);
    const value = { metadata: { finalizers: null } };
    await client.patch(HARBOUR_MACHINES, name, { type: 'merge', value }, { namespace: NAMESPACE });
    await simulation.runUntil(hosted.elapsed + 10 * MINUTE_MS);
    expect(await uid(hosted)).not.toBe(before);
    const red = new Subject(hosted, PLATFORM, NAME);
    await red.available();
    await red.poolIsWell('pool');
    expect(await red.machines()).toHaveLength(1);
    simulation.end();
  });
});
