import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bounded } from './bounds.js';
import { Victim } from './victim.js';

/*
 * The embedded server has one thread: a client that keeps it busy for long must not block the others. How long it is
 * blocked is measured in the server's own CPU time, which a busy machine does not stretch.
 */

const OBJECTS = bounded(8_000, 50_000);
/** A turn, a piece of work that is not torn apart, and what the collector of garbage takes; without turns all of the work. */
const LONGEST_TURN_MS = bounded(100, 200);
const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';

describe('the embedded server answers other clients during', { timeout: 120_000 }, () => {
  let victim: Victim;

  beforeAll(async () => {
    victim = await Victim.start();
    const metadata = { labels: { app: 'a' } };
    await victim.send({ type: 'fill', namespace: 'default', count: OBJECTS, bytes: 1_000, metadata });
  }, 120_000);

  afterAll(() => victim.close());

  /** Expects that the work does not block other clients for long. */
  async function expectTurns(work: () => Promise<unknown>): Promise<void> {
    await victim.send({ type: 'watch' });
    await work();
    const { longestTurnMs } = await victim.send({ type: 'watched' });
    expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS);
  }

  it.each([
    ['JSON', JSON_TYPE, ''],
    ['JSON for eyes', JSON_TYPE, '?pretty=1'],
    ['protobuf', 'application/vnd.kubernetes.protobuf', ''],
    ['YAML', 'application/yaml', '?limit=1000'],
    ['a table', `${JSON_TYPE};as=Table;v=v1;g=meta.k8s.io`, ''],
    ['metadata', `${JSON_TYPE};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`, ''],
    ['what a selector takes', JSON_TYPE, '?labelSelector=app%3Da&fieldSelector=metadata.name%21%3Dx'],
    ['a watch of what is there', JSON_TYPE, '?watch=1&resourceVersion=0&timeoutSeconds=1'],
    ['a watch of what was', JSON_TYPE, '?watch=1&resourceVersion=200&timeoutSeconds=1'],
  ])('a long list as %s', async (_name, accept, query) => {
    await expectTurns(async () => {
      const { status, size } = await victim.read(`${MAPS}${query}`, accept);
      expect([status, size > 500_000]).toEqual([200, true]);
    });
  });

  it('a deletecollection, which deletes one after the other', async () => {
    await expectTurns(async () => {
      const { status } = await victim.read(MAPS, JSON_TYPE, 'DELETE');
      expect(status).toBe(200);
    });
    expect((await victim.send({ type: 'report' })).objects).toBe(0);
  });

  it('the work of controllers in the same process: a terminating namespace, and dependents of deleted owners', async () => {
    const count = OBJECTS / 8;
    await victim.send({ type: 'controllers' });
    await victim.read('/api/v1/namespaces', JSON_TYPE, 'POST', { metadata: { name: 'going' } });
    await victim.send({ type: 'fill', namespace: 'going', count, bytes: 100 });
    const { text } = await victim.read(MAPS, JSON_TYPE, 'POST', { metadata: { name: 'owner' } });
    const { uid } = (JSON.parse(text) as { metadata: { uid: string } }).metadata;
    const metadata = { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] };
    await victim.send({ type: 'fill', namespace: 'default', count, bytes: 100, metadata });
    await expectTurns(async () => {
      await victim.read('/api/v1/namespaces/going', JSON_TYPE, 'DELETE');
      await victim.read(`${MAPS}/owner?propagationPolicy=Background`, JSON_TYPE, 'DELETE');
      const isEmpty = async (): Promise<boolean> => (await victim.send({ type: 'report' })).objects === 0;
      await waitUntil('all are gone', isEmpty, { clock: systemClock(), limitMs: 120_000, everyMs: 50 });
    });
  });
});
