import { Buffer } from 'node:buffer';
import type { ApiResponse, WatchFrame } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServer } from '../server.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Watched {
  readonly frames: WatchFrame[];
  ended: boolean;
  stop(): void;
}

function fixture(history = {}): { server: ApiServer; clock: ManualClock; write: (name: string) => void } {
  const clock = new ManualClock();
  const server = new ApiServer({ clock, random: countingRandom(), history });
  const write = (name: string): void => {
    const value = { metadata: { name } };
    const response = server.handle({
      method: 'POST',
      target: CONFIG_MAPS,
      headers: {},
      body: { type: 'value', value },
    });
    expect((response as ApiResponse).status).toBe(201);
  };
  return { server, clock, write };
}

function watch(server: ApiServer, query: string, accept?: string): Watched {
  const target = `${CONFIG_MAPS}?watch=1${query}`;
  const response = server.handle({
    method: 'GET',
    target,
    headers: accept === undefined ? {} : { accept },
  }) as ApiResponse;
  if (response.body.type !== 'watch') throw new Error(`no watch: ${response.status}`);
  const { body } = response;
  const watched: Watched = { frames: [], ended: false, stop: () => body.stop() };
  body.start({ frame: (frame) => watched.frames.push(frame), end: () => (watched.ended = true) });
  return watched;
}

function texts({ frames }: Watched): string[] {
  return frames.map((frame) => Buffer.from(frame.bytes()).toString());
}

describe('a watch', () => {
  it('is encoded once however many there are', () => {
    const { server, write } = fixture();
    const watchers = Array.from({ length: 100 }, () => watch(server, `&resourceVersion=${server.store.revision}`));
    write('a');
    const encodings = new Set(watchers.map(({ frames }) => frames[0]?.bytes()));
    expect(encodings.size).toBe(1);
    expect(watchers.every(({ frames }) => frames.length === 1)).toBe(true);
  });

  it('ends by itself, with a last bookmark before if asked for', () => {
    const { server, clock } = fixture();
    const plain = watch(server, '&timeoutSeconds=10');
    const marked = watch(server, '&timeoutSeconds=10&allowWatchBookmarks=true');
    clock.advance(9_000);
    expect([plain, marked].map(({ frames }) => frames.map(({ type }) => type))).toEqual([[], ['BOOKMARK']]);
    clock.advance(1_000);
    expect([plain.ended, marked.ended]).toEqual([true, true]);
  });

  it('is bookmarked once a minute with the newest revision', () => {
    const { server, clock, write } = fixture();
    const watched = watch(server, '&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnobody');
    write('a');
    clock.advance(60_000);
    const revision = String(server.store.revision);
    expect(texts(watched)).toEqual([
      `{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"${revision}"}}}\n`,
    ]);
  });

  it('from a revision that is gone gets one ERROR event and ends', () => {
    const { server, write } = fixture();
    write('a');
    server.store.compact(server.store.revision);
    const watched = watch(server, '&resourceVersion=2');
    expect(watched.ended).toBe(true);
    expect(texts(watched)).toHaveLength(1);
    expect(JSON.parse(texts(watched)[0] ?? '')).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
  });

  it('for a state still to come waits three seconds, then fails', () => {
    const { server, clock } = fixture();
    const query =
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=999';
    const watched = watch(server, query);
    clock.advance(2_999);
    expect(watched.frames).toEqual([]);
    clock.advance(1);
    expect(JSON.parse(texts(watched)[0] ?? '')).toMatchObject({
      type: 'ERROR',
      object: { code: 504, reason: 'Timeout' },
    });
  });

  it('for a state still to come opens as soon as it is there', () => {
    const { server, write } = fixture();
    const next = server.store.revision + 1;
    const query = `&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${next}`;
    const watched = watch(server, query);
    write('a');
    expect(watched.frames.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    write('b');
    expect(watched.frames.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'ADDED']);
  });

  it('leaves nothing behind when it is stopped', () => {
    const { server, clock, write } = fixture();
    const watched = watch(server, '&allowWatchBookmarks=true');
    watched.stop();
    write('a');
    clock.advance(3_600_000);
    expect(watched.frames).toEqual([]);
    expect(server.metrics.render()).toContain(
      'apiserver_registered_watchers{group="",version="v1",kind="ConfigMap"} 0',
    );
  });

  it('as a table names the columns once', () => {
    const { server, write } = fixture();
    const watched = watch(server, '', 'application/json;as=Table;v=v1;g=meta.k8s.io');
    write('a');
    write('b');
    const columns = watched.frames.map(
      (frame) => (frame.object() as { columnDefinitions: unknown }).columnDefinitions !== null,
    );
    expect(columns).toEqual([true, false]);
  });
});
