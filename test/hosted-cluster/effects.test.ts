import { CLUSTERS, CONTROL_PLANE_COMPONENTS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { HARBOUR_CLUSTERS } from '@capstan/provider/testing';
import { canonicalJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it, vi } from 'vitest';
import type { Loss } from './effects.js';
import { CLUSTER_ROLE_BINDINGS, INSIDE, NAMESPACES, SECRETS } from './objects.js';
import { hostedServer } from './server.js';
import { Fixture } from './fixture.js';
import { finishOneDeletion } from './fixture-roles.js';

const server = await hostedServer();
// Dozens of clusters come and go here.
vi.setConfig({ testTimeout: 120_000 });
const KINDS = [...INSIDE, HOSTED_CONTROL_PLANES, CONTROL_PLANE_COMPONENTS, CLUSTERS, HARBOUR_CLUSTERS];
/** Every request is lost in its turn where that is asked for, and otherwise one in so many. */
const STRIDE = process.env['CAPSTAN_LOSSES'] === 'all' ? 1 : 7;
/** More requests than a cluster takes to come up, or to go. */
const MOST_REQUESTS = 120;

/** An object without what depends on its times, its name and the order of creation. */
function plain(object: KubeObject, name: string): string {
  const { annotations, finalizers, labels, name: own, namespace, ownerReferences } = object.metadata;
  const { data, metadata: _, status, ...rest } = object;
  // A certificate is another every time.
  const kept = own === 'capi-webhooks-tls' ? Object.keys(data as object) : data;
  const owners = ownerReferences?.map((owner) => owner.name);
  const metadata = { annotations, finalizers, labels, name: own, namespace, owners };
  const { conditions = [], ...others } = { ...(status as { conditions?: { type: string }[] }) };
  const sorted = conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const text = canonicalJson({ ...rest, data: kept ?? null, metadata, status: others, conditions: sorted });
  return text.replaceAll(name, 'NAME').replaceAll(/"(lastTransitionTime|startedTime)":"[^"]*",?/g, '');
}

/** All that was made for a cluster. */
async function madeFor(fixture: Fixture): Promise<string[]> {
  const { client, controlPlaneNamespace: namespace, name } = fixture;
  const objects: KubeObject[] = [];
  for (const kind of KINDS) objects.push(...(await client.list(kind, { namespace })).items);
  const secrets = (await client.list(SECRETS, fixture)).items.filter(({ metadata }) =>
    metadata.name?.startsWith(`${name}-`),
  );
  objects.push(await client.get(NAMESPACES, namespace), ...secrets, await fixture.hostedCluster());
  objects.push(await client.get(CLUSTER_ROLE_BINDINGS, `hypershift-cluster-api-${namespace}`));
  return objects.map((object) => plain(object, name)).toSorted();
}

/** Brings a cluster up, or takes it down, while one request is lost; whether there was that request. */
async function withLoss(
  fixture: Fixture,
  loss: { at: number; what: Loss },
  play: () => Promise<unknown>,
): Promise<boolean> {
  fixture.effects.lose(loss.at, loss.what);
  for (let pass = 0; pass < 20 && fixture.effects.isPending; pass += 1) {
    // A program that lost an answer is restarted: it remembers nothing of what it meant to do.
    if ((await fixture.pass()) !== undefined) fixture.restart();
    await play();
  }
  return !fixture.effects.isPending;
}

async function untilGone(fixture: Fixture): Promise<void> {
  for (let pass = 0; pass < 20; pass += 1) {
    if ((await fixture.pass()) !== undefined) fixture.restart();
    if ((await fixture.find(HOSTED_CLUSTERS, fixture.name, fixture.namespace)) === undefined) return;
    await finishOneDeletion(fixture);
  }
}

async function fresh(name: string): Promise<Fixture> {
  const fixture = new Fixture(server, { name, namespace: 'losses' });
  await fixture.begin();
  return fixture;
}

describe.each<Loss>(['request', 'answer'])('whichever %s is lost', (what) => {
  it('a hosted cluster reaches the same state in the end', async () => {
    const whole = await fresh(`${what}-whole`);
    await whole.becomeAvailable();
    const expected = await madeFor(whole);
    let at = 0;
    for (; at < MOST_REQUESTS; at += STRIDE) {
      const fixture = await fresh(`${what}-${at}`);
      const isLost = await withLoss(fixture, { at, what }, async () => {
        await fixture.runDeployments();
        await fixture.reportControlPlane();
      });
      await fixture.becomeAvailable();
      expect([at, await madeFor(fixture)]).toEqual([at, expected]);
      if (!isLost) break;
    }
    expect(at).toBeGreaterThan(30);
    expect(at).toBeLessThan(MOST_REQUESTS);
  });

  it('a hosted cluster is deleted in the end, with all that was created for it', async () => {
    let at = 0;
    for (; at < MOST_REQUESTS; at += STRIDE) {
      const fixture = await fresh(`${what}-end-${at}`);
      await fixture.settle();
      await fixture.client.delete(HOSTED_CLUSTERS, fixture.name, fixture);
      const isLost = await withLoss(fixture, { at, what }, () => finishOneDeletion(fixture));
      await untilGone(fixture);
      expect(await fixture.find(HOSTED_CLUSTERS, fixture.name, fixture.namespace)).toBeUndefined();
      expect(await fixture.find(NAMESPACES, fixture.controlPlaneNamespace)).toBeUndefined();
      expect(
        await fixture.find(CLUSTER_ROLE_BINDINGS, `hypershift-cluster-api-${fixture.controlPlaneNamespace}`),
      ).toBeUndefined();
      if (!isLost) break;
    }
    expect(at).toBeGreaterThan(8);
    expect(at).toBeLessThan(MOST_REQUESTS);
  });
});

it('a hosted cluster that is deleted while it is being created leaves nothing behind, at any step', async () => {
  for (let at = 1; at < 36; at += 5) {
    const fixture = await fresh(`half-${at}`);
    await withLoss(fixture, { at, what: 'request' }, () => Promise.resolve());
    await fixture.client.delete(HOSTED_CLUSTERS, fixture.name, fixture);
    await untilGone(fixture);
    expect(await fixture.find(HOSTED_CLUSTERS, fixture.name, fixture.namespace)).toBeUndefined();
    expect(await fixture.find(NAMESPACES, fixture.controlPlaneNamespace)).toBeUndefined();
  }
});
