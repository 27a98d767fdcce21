import type { ApiRequest, ApiResponse, WatchFrame } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEFINITIONS_PATH, widget, widgets, widgetsPath, Fixture } from '../crd/testing.js';
import { HandTurns } from '../testing/turns.js';
import { ManualClock } from '../testing/fixture.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const COUNT = 12;

/** A clock whose turns the test gives. */
class TurnsClock extends ManualClock {
  readonly turns = new HandTurns();
}

function map(name: string, labels: Record<string, string> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { name } };
}

async function filled(): Promise<{ fixture: Fixture; clock: TurnsClock; turns: HandTurns }> {
  const clock = new TurnsClock();
  const fixture = new Fixture({ clock });
  for (let at = 0; at < COUNT; at += 1)
    await fixture.send('POST', CONFIG_MAPS, map(`m${at + 10}`, { even: `${at % 2 === 0}` }));
  return { fixture, clock, turns: clock.turns };
}

function request(method: string, target: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, target, headers: {}, ...more };
}

/** Begins a request that gives way at once. */
function begun(fixture: Fixture, turns: HandTurns, asked: ApiRequest): Promise<ApiResponse> {
  turns.areShort = true;
  const answer = fixture.server.handle(asked);
  turns.areShort = false;
  expect(answer).toBeInstanceOf(Promise);
  return answer as Promise<ApiResponse>;
}

function names({ body }: ApiResponse): (string | undefined)[] {
  const { items } = (body.type === 'payload' ? body.value() : {}) as { items: { metadata: { name?: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

async function stored(fixture: Fixture): Promise<number> {
  return ((await fixture.send('GET', CONFIG_MAPS)).body.items ?? []).length;
}

describe('long work gives way', () => {
  it('after every object that a deletecollection deletes, and reports all in the end', async () => {
    const { fixture, turns } = await filled();
    const answer = begun(fixture, turns, request('DELETE', CONFIG_MAPS));
    for (let at = 0; at < 3; at += 1) {
      expect(await stored(fixture)).toBe(COUNT - at);
      await turns.give();
    }
    // Others are quicker, or slower: neither is this request's business.
    await fixture.send('DELETE', `${CONFIG_MAPS}/m19`);
    await fixture.send('POST', CONFIG_MAPS, map('m99'));
    await turns.giveAll();
    const response = await answer;
    expect([response.status, names(response).length]).toEqual([200, COUNT]);
    expect((await fixture.send('GET', CONFIG_MAPS)).body.items?.map(({ metadata }) => metadata.name)).toEqual(['m99']);
  });

  it('and stops when the client has left', async () => {
    const { fixture, turns } = await filled();
    const left = new AbortController();
    const answer = begun(fixture, turns, request('DELETE', CONFIG_MAPS, { signal: left.signal }));
    await turns.give();
    left.abort();
    await turns.giveAll();
    expect((await answer).status).toBe(504);
    expect(await stored(fixture)).toBe(COUNT - 1);
  });

  it('and stops when its time is over', async () => {
    const { fixture, clock, turns } = await filled();
    const answer = begun(fixture, turns, request('DELETE', CONFIG_MAPS));
    await turns.give();
    clock.advance(60_000);
    expect((await answer).status).toBe(504);
    await turns.giveAll();
    expect(await stored(fixture)).toBe(COUNT - 1);
  });

  it.each([
    ['', 6, undefined],
    ['&limit=2', 2, expect.any(String) as string],
  ])('while a selector looks through a snapshot%s, which no write disturbs', async (more, count, token) => {
    const { fixture, turns } = await filled();
    const { revision } = fixture.server.store;
    const answer = begun(fixture, turns, request('GET', `${CONFIG_MAPS}?labelSelector=even%3Dtrue${more}`));
    await turns.give();
    await fixture.send('DELETE', `${CONFIG_MAPS}/m20`);
    await fixture.send('POST', CONFIG_MAPS, map('m11a', { even: 'true' }));
    await turns.giveAll();
    const response = await answer;
    expect(names(response)).toEqual(['m10', 'm12', 'm14', 'm16', 'm18', 'm20'].slice(0, count));
    const { metadata } = (response.body.type === 'payload' ? response.body.value() : {}) as { metadata: object };
    expect(metadata).toEqual({
      resourceVersion: String(revision),
      ...(token === undefined ? {} : { continue: token }),
    });
  });

  it('after every object of a CRD that goes', async () => {
    const { fixture, turns } = await filled();
    await fixture.send('POST', DEFINITIONS_PATH, widgets());
    for (let at = 0; at < 5; at += 1) await fixture.send('POST', widgetsPath(), widget(`w${at}`));
    const { store } = fixture.server;
    await turns.during(() => fixture.server.handle(request('DELETE', `${DEFINITIONS_PATH}/widgets.crd.example.com`)));
    const counts: number[] = [];
    do counts.push(store.count('crd.example.com/widgets'));
    while (await turns.give());
    expect(counts).toEqual([5, 4, 3, 2, 1, 0]);
    expect((await fixture.send('GET', `${DEFINITIONS_PATH}/widgets.crd.example.com`)).status).toBe(404);
    expect(fixture.errors).toEqual([]);
  });

  it('while a watch replays the past, in order and without gaps, and no bookmark is ahead of it', async () => {
    const { fixture, clock, turns } = await filled();
    const target = `${CONFIG_MAPS}?watch=1&resourceVersion=0&allowWatchBookmarks=true`;
    const { body } = await fixture.server.send(request('GET', target));
    const seen: string[] = [];
    const frame = (each: WatchFrame, isPast?: boolean): void => {
      const { metadata } = each.object() as { metadata: { name?: string } };
      seen.push(`${each.type} ${metadata.name ?? ''}${isPast === true ? ' (past)' : ''}`);
    };
    await turns.during(() => (body.type === 'watch' ? body.start({ frame, end: () => seen.push('END') }) : undefined));
    await turns.give();
    await fixture.send('POST', CONFIG_MAPS, map('new'));
    await fixture.send('DELETE', `${CONFIG_MAPS}/m10`);
    clock.advance(60_000);
    expect(seen).toEqual(['ADDED m10 (past)', 'ADDED m11 (past)']);
    await turns.giveAll();
    clock.advance(60_000);
    const past = Array.from({ length: COUNT }, (_, at) => `ADDED m${at + 10} (past)`);
    expect(seen).toEqual([...past, 'ADDED new', 'DELETED m10', 'BOOKMARK ']);
    if (body.type === 'watch') body.stop();
  });

  it('between two requests of a client in process', async () => {
    const { fixture, turns } = await filled();
    const got: number[] = [];
    const asking = turns.during(async () => {
      for (let at = 0; at < 3; at += 1) got.push((await fixture.server.send(request('GET', CONFIG_MAPS))).status);
    });
    const counts: number[] = [];
    do counts.push(got.length);
    while (await turns.give());
    await asking;
    expect([counts, got]).toEqual([
      [0, 1, 2, 3],
      [200, 200, 200],
    ]);
  });

  it('not at all where time does not pass by itself', async () => {
    const fixture = new Fixture();
    for (let at = 0; at < COUNT; at += 1) await fixture.send('POST', CONFIG_MAPS, map(`m${at}`));
    expect(fixture.server.handle(request('GET', `${CONFIG_MAPS}?labelSelector=a%21%3Db`))).not.toBeInstanceOf(Promise);
    expect(fixture.server.handle(request('DELETE', CONFIG_MAPS))).not.toBeInstanceOf(Promise);
    expect(fixture.server.store.count('/configmaps')).toBe(0);
  });
});
