import { DEFAULT_HTTP_LIMITS } from '@capstan/apiserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../src/wait.js';
import { bounded, isWhole } from './bounds.js';
import { Victim, type VictimReport } from './victim.js';

const READERS = bounded(30, 60);
const OBJECT_BYTES = 4_000;
const OBJECTS = bounded(1_500, 25_000);
const LIST_BYTES = OBJECTS * OBJECT_BYTES;
/** What a reader may have of a list in memory for itself: a piece, and as much again. */
const READER_BYTES = 256 * 1024;
const MEBIBYTE = 1024 * 1024;
/** What may be there besides: the encoded form of what is stored, and a list that is read to its end meanwhile. */
const SHARED_BYTES = 2 * LIST_BYTES;
/** What serving anything at all leaves in the heap, coarsely. */
const HEAP_BYTES = 300 * MEBIBYTE;
const LIST = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';
const IN_FLIGHT = 'capstan_apiserver_response_bytes_in_flight';

async function filled(limits: Parameters<typeof Victim.start>[0] = {}): Promise<Victim> {
  const victim = await Victim.start(limits);
  await victim.send({ type: 'fill', namespace: 'default', count: OBJECTS, bytes: OBJECT_BYTES });
  return victim;
}

function expectShared(before: VictimReport, during: VictimReport): void {
  expect(during.bufferBytes - before.bufferBytes).toBeLessThan(READERS * READER_BYTES + SHARED_BYTES);
  if (isWhole) expect(during.rssBytes - before.rssBytes).toBeLessThan(SHARED_BYTES + HEAP_BYTES);
}

const LIMITS = { limitMs: 60_000, everyMs: 20 };

describe('readers that ask for a long list and take nothing', { timeout: 120_000 }, () => {
  let victim: Victim;

  beforeAll(async () => {
    victim = await filled();
  }, 120_000);

  afterAll(() => victim.close());

  it.each([
    ['as JSON', LIST, JSON_TYPE],
    ['as protobuf', LIST, 'application/vnd.kubernetes.protobuf'],
    ['as a table', `${LIST}?includeObject=Object`, `${JSON_TYPE};as=Table;v=v1;g=meta.k8s.io`],
    ['for eyes', `${LIST}?pretty=true`, JSON_TYPE],
  ])('%s hold a piece of it each, and others are served', async (_name, target, accept) => {
    const before = await victim.send({ type: 'collect' });
    for (let at = 0; at < READERS; at += 1) victim.stall(target, accept);
    const held = READERS * READER_BYTES;
    await eventually('all are being answered', async () => (await victim.metric(IN_FLIGHT)) >= held, LIMITS);
    const { status, size } = await victim.read(target, accept);
    expect([status, size > LIST_BYTES]).toEqual([200, true]);
    expect(await victim.metric(IN_FLIGHT)).toBeLessThanOrEqual(held + READER_BYTES);
    expectShared(before, await victim.send({ type: 'collect' }));
    victim.release();
    await eventually('nothing is held', async () => (await victim.metric(IN_FLIGHT)) === 0, LIMITS);
  });

  it('of a watch that begins with it hold it unencoded', async () => {
    const before = await victim.send({ type: 'collect' });
    for (let at = 0; at < READERS; at += 1) victim.stall(`${LIST}?watch=1&resourceVersion=0`, JSON_TYPE);
    const watchers = 'apiserver_registered_watchers{group="",version="v1",kind="ConfigMap"}';
    await eventually('all are watching', async () => (await victim.metric(watchers)) === READERS, LIMITS);
    expectShared(before, await victim.send({ type: 'collect' }));
    victim.release();
  });

  it('are bounded in all, and cut when their time is over', async () => {
    const room = 4;
    const limits = {
      responseBytesInFlight: room * READER_BYTES,
      responseWaitMs: 100,
      requestMs: 3_000,
      watchStallMs: 1_000,
    };
    const small = await filled(limits);
    try {
      for (let at = 0; at < room; at += 1) small.stall(LIST, JSON_TYPE);
      await eventually(
        'there is no more room',
        async () => (await small.metric(IN_FLIGHT)) === room * READER_BYTES,
        LIMITS,
      );
      const text = 'Too many requests, please try again later.\n';
      expect(await small.read(LIST)).toMatchObject({ status: 429, text });
      expect(await small.read(`${LIST}?limit=1`)).toMatchObject({ status: 200 });
      expect(await small.read('/readyz')).toMatchObject({ status: 200 });
      expect(await small.metric('capstan_apiserver_responses_refused_total')).toBe(1);
      small.stall(`${LIST}?watch=1&resourceVersion=0`, JSON_TYPE);
      small.stall(`${LIST}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, JSON_TYPE);
      const cut = (reason: string): Promise<number> =>
        small.metric(`capstan_apiserver_readers_cut_total{reason="${reason}"}`);
      await eventually('the readers are cut', async () => (await cut('deadline')) === room, LIMITS);
      await eventually('the watchers are cut', async () => (await cut('stalled')) === 2, LIMITS);
      expect(await small.metric(IN_FLIGHT)).toBe(0);
      const page = 500;
      expect((await small.read(`${LIST}?limit=${page}`)).size).toBeGreaterThan(page * OBJECT_BYTES);
    } finally {
      await small.close();
    }
  });

  it('find limits by default', () => {
    expect(DEFAULT_HTTP_LIMITS).toMatchObject({
      headersMs: 32_000,
      requestMs: 60_000,
      watchStallMs: 60_000,
      responseBytesInFlight: 128 * MEBIBYTE,
      responseWaitMs: 15_000,
    });
  });
});
