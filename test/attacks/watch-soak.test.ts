import { systemClock } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bounded } from './bounds.js';
import { Victim } from './victim.js';

/*
 * Many watchers of one resource for a long time: every one gets every event, once and in order, and the server does not
 * grow. 800 watchers and 4.5 million events whole, 50 and 40,000 in a slice.
 */

const WATCHERS = bounded(50, 800);
const ROUNDS = 8;
const EVENTS_OF_ROUND = bounded(100, 704);
const WATCH = '/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=';
const MEBIBYTE = 1024 * 1024;
/** The store keeps the last events for those who come back; that, and what the collector leaves. */
const MAX_GROWTH_BYTES = 24 * MEBIBYTE;

/** Reads events of the counter. */
class Follower {
  /** The number that is expected next. */
  next = 0;
  wrong: string | undefined;
  #rest = '';

  readonly onData = (piece: Buffer): void => {
    const lines = `${this.#rest}${piece.toString('latin1')}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  };

  #take(line: string): void {
    const isFirst = this.next === 0;
    const expected = `{"type":"${isFirst ? 'ADDED' : 'MODIFIED'}",`;
    if (line.startsWith(expected) && line.includes(`"data":{"n":"${this.next}"}`)) this.next += 1;
    else this.wrong ??= `${line.slice(0, 300)} where ${this.next} was expected`;
  }
}

let victim: Victim;

beforeAll(async () => {
  victim = await Victim.start();
}, 60_000);

afterAll(() => victim.close());

it(
  'every watcher gets every event in order, and memory stays flat',
  { timeout: bounded(120_000, 1_800_000) },
  async () => {
    const { text } = await victim.read('/api/v1/namespaces/default/configmaps');
    const { metadata } = JSON.parse(text) as { readonly metadata: { readonly resourceVersion: string } };
    const followers = Array.from({ length: WATCHERS }, () => new Follower());
    for (const follower of followers) await victim.follow(`${WATCH}${metadata.resourceVersion}`, follower.onData);
    const sizes: { readonly heap: number; readonly buffers: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = round * EVENTS_OF_ROUND;
      await victim.send({ type: 'count', from, count: EVENTS_OF_ROUND });
      const state = (): readonly [behind: number, wrong: string | undefined] => [
        followers.filter(({ next }) => next < from + EVENTS_OF_ROUND).length,
        followers.find(({ wrong }) => wrong !== undefined)?.wrong,
      ];
      await waitToSee(
        'all watchers have all events',
        () => Promise.resolve(state()),
        ([behind, wrong]) => behind === 0 || wrong !== undefined,
        {
          clock: systemClock(),
          limitMs: 300_000,
          everyMs: 20,
        },
      );
      expect(state()).toEqual([0, undefined]);
      const { bufferBytes, heapBytes } = await victim.send({ type: 'collect' });
      sizes.push({ heap: heapBytes, buffers: bufferBytes });
    }
    expect(followers.every(({ next }) => next === ROUNDS * EVENTS_OF_ROUND)).toBe(true);
    expect(await victim.metric('capstan_apiserver_watch_backlog_bytes')).toBe(0);
    // What grows with events and not with watchers grows in every round.
    const [, second] = sizes;
    const last = sizes.at(-1);
    expect((last?.heap ?? 0) - (second?.heap ?? 0), `sizes: ${JSON.stringify(sizes)}`).toBeLessThan(MAX_GROWTH_BYTES);
    expect((last?.buffers ?? 0) - (second?.buffers ?? 0), `sizes: ${JSON.stringify(sizes)}`).toBeLessThan(
      MAX_GROWTH_BYTES,
    );
  },
);
