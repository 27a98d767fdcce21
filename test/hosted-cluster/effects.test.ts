import { CLUSTERS, CONTROL_PLANE_COMPONENTS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/provider';
import { HARBOUR_CLUSTERS } from '@capstan/provider/testing';
import { canonicalJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it, vi } from 'vitest';
import type { Loss } from './effects.js';
import { CLUSTER_ROLE_BINDINGS, INSIDE, NAMESPACES, SECRETS } from './objects.js';
import { hostedServer } from './server.js';
import { Stage } from './stage.js';
import { somebodyElse } from './world-roles.js';

const server = await hostedServer();
// Dozens of clusters come and go here.
vi.setConfig({ testTimeout: 120_000 });
const KINDS = [...INSIDE, HOSTED_CONTROL_PLANES, CONTROL_PLANE_COMPONENTS, CLUSTERS, HARBOUR_CLUSTERS];
/** Every request is lost in its turn where that is asked for, and otherwise one in so many. */
const STRIDE = process.env['CAPSTAN_LOSSES'] === 'all' ? 1 : 7;
/** More requests than a cluster takes to come up, or to go. */
const MOST_REQUESTS = 120;

/** An object without what says when and for whom it was made, and in which order. */
function plain(object: KubeObject, name: string): string {
  const { annotations, finalizers, labels, name: own, namespace, ownerReferences } = object.metadata;
  const { data, metadata: _, status, ...rest } = object;
  // A certificate is another every time.
  const kept = own === 'capi-webhooks-tls' ? Object.keys(data as object) : data;
  const owners = ownerReferences?.map((owner) => owner.name);
  const metadata = { annotations, finalizers, labels, name: own, namespace, owners };
  const { conditions = [], ...said } = { ...(status as { conditions?: { type: string }[] }) };
  const sorted = conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const text = canonicalJson({ ...rest, data: kept ?? null, metadata, status: said, conditions: sorted });
  return text.replaceAll(name, 'NAME').replaceAll(/"(lastTransitionTime|startedTime)":"[^"]*",?/g, '');
}

/** All that was made for a cluster. */
async function madeFor(stage: Stage): Promise<string[]> {
  const { client, controlPlaneNamespace: namespace, name } = stage;
  const objects: KubeObject[] = [];
  for (const kind of KINDS) objects.push(...(await client.list(kind, { namespace })).items);
  const beside = (await client.list(SECRETS, stage)).items.filter(({ metadata }) =>
    metadata.name?.startsWith(`${name}-`),
  );
  objects.push(await client.get(NAMESPACES, namespace), ...beside, await stage.hostedCluster());
  objects.push(await client.get(CLUSTER_ROLE_BINDINGS, `hypershift-cluster-api-${namespace}`));
  return objects.map((object) => plain(object, name)).toSorted();
}

/** Brings a cluster up, or takes it down, while one request is lost; whether there was that request. */
async function withLoss(
  stage: Stage,
  loss: { at: number; what: Loss },
  play: () => Promise<unknown>,
): Promise<boolean> {
  stage.effects.lose(loss.at, loss.what);
  for (let pass = 0; pass < 20 && stage.effects.isPending; pass += 1) {
    // A program that lost an answer is started anew: it remembers nothing of what it meant to do.
    if ((await stage.pass()) !== undefined) stage.restart();
    await play();
  }
  return !stage.effects.isPending;
}

async function untilGone(stage: Stage): Promise<void> {
  for (let pass = 0; pass < 20; pass += 1) {
    if ((await stage.pass()) !== undefined) stage.restart();
    if ((await stage.find(HOSTED_CLUSTERS, stage.name, stage.namespace)) === undefined) return;
    await somebodyElse(stage);
  }
}

async function fresh(name: string): Promise<Stage> {
  const stage = new Stage(server, { name, namespace: 'losses' });
  await stage.begin();
  return stage;
}

describe.each<Loss>(['request', 'answer'])('whichever %s is lost', (what) => {
  it('a hosted cluster comes to the same in the end', async () => {
    const whole = await fresh(`${what}-whole`);
    await whole.becomeAvailable();
    const expected = await madeFor(whole);
    let at = 0;
    for (; at < MOST_REQUESTS; at += STRIDE) {
      const stage = await fresh(`${what}-${at}`);
      const isLost = await withLoss(stage, { at, what }, async () => {
        await stage.runDeployments();
        await stage.controlPlaneSays();
      });
      await stage.becomeAvailable();
      expect([at, await madeFor(stage)]).toEqual([at, expected]);
      if (!isLost) break;
    }
    expect(at).toBeGreaterThan(30);
    expect(at).toBeLessThan(MOST_REQUESTS);
  });

  it('a hosted cluster is gone in the end, with all that was made for it', async () => {
    let at = 0;
    for (; at < MOST_REQUESTS; at += STRIDE) {
      const stage = await fresh(`${what}-end-${at}`);
      await stage.settle();
      await stage.client.delete(HOSTED_CLUSTERS, stage.name, stage);
      const isLost = await withLoss(stage, { at, what }, () => somebodyElse(stage));
      await untilGone(stage);
      expect(await stage.find(HOSTED_CLUSTERS, stage.name, stage.namespace)).toBeUndefined();
      expect(await stage.find(NAMESPACES, stage.controlPlaneNamespace)).toBeUndefined();
      expect(
        await stage.find(CLUSTER_ROLE_BINDINGS, `hypershift-cluster-api-${stage.controlPlaneNamespace}`),
      ).toBeUndefined();
      if (!isLost) break;
    }
    expect(at).toBeGreaterThan(8);
    expect(at).toBeLessThan(MOST_REQUESTS);
  });
});

it('a hosted cluster that goes while it is being made leaves nothing, however far it has come', async () => {
  for (let at = 1; at < 36; at += 5) {
    const stage = await fresh(`half-${at}`);
    await withLoss(stage, { at, what: 'request' }, () => Promise.resolve());
    await stage.client.delete(HOSTED_CLUSTERS, stage.name, stage);
    await untilGone(stage);
    expect(await stage.find(HOSTED_CLUSTERS, stage.name, stage.namespace)).toBeUndefined();
    expect(await stage.find(NAMESPACES, stage.controlPlaneNamespace)).toBeUndefined();
  }
});
