import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, fixedCredentials, HttpTransport, systemClock, systemRandom } from '@capstan/kube';
import { ManualClock, waitUntil } from '@capstan/kube/testing';
import fc from 'fast-check';
import { afterAll, describe, inject, it } from 'vitest';
import { BadWay, describeSurvival } from './bad-way.js';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
/** What a server on this machine needs to answer, more or less; which of them does not matter. */
const ANSWER_MS = 3;
/** How fast the informer's time passes in the end. */
const STRIDE_MS = 10_000;
const TIMEOUT_MS = 20_000;

const { ca, token, url, version } = inject('realKube');
const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
afterAll(() => transport.close());

/** The informer's time is virtual, so that it waits for nothing; the server's is its own, and it is not restarted. */
async function play(seed: number, watchList: boolean): Promise<void> {
  const clock = new ManualClock();
  const random = systemRandom(seed);
  const way = new BadWay(transport, random.split('way'));
  const namespace = `informer-${randomBytes(4).toString('hex')}`;
  const metadata = { name: namespace };
  await new Client(transport).create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await sleep(ANSWER_MS);
  };
  await describeSurvival({
    clock,
    random,
    way,
    namespace,
    watchList,
    restart: () => way.cut(1),
    pass,
    settle: async (knows) => {
      const options = { clock: systemClock(), limitMs: TIMEOUT_MS, everyMs: STRIDE_MS, pass };
      await waitUntil('the informer has what the server has', knows, options);
    },
  });
}

describe(`an informer on a bad way to kube-apiserver ${version}`, () => {
  it.each([true, false])('misses nothing in the end (initial events: %s)', async (watchList) => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 });
    await fc.assert(
      fc.asyncProperty(seeds, (seed) => play(seed, watchList)),
      { numRuns: 3 },
    );
  });
});
