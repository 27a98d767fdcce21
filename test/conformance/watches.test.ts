import { expect } from 'vitest';
import { CONFIG_MAPS, PODS, cached, configMap, given, pod, versionOf } from '../src/conformance/objects.js';
import { MERGE, METADATA, TABLE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('watches');

const merge = (s: Session, name: string, body: object): Promise<unknown> =>
  s.quiet('PATCH', `${CONFIG_MAPS}/${name}`, { body, type: MERGE });
const initial = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

it('a watch without a version first shows what is there (trap 6)', async (s) => {
  await cached(s, CONFIG_MAPS, versionOf(await given(s, CONFIG_MAPS, configMap('a'))));
  const unset = await s.watch(`${CONFIG_MAPS}?watch=true`);
  const zero = await s.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=0`);
  await Promise.all([unset.until(1), zero.until(1)]);
  await given(s, CONFIG_MAPS, configMap('b'));
  await Promise.all([unset.until(2), zero.until(2)]);
  s.note('unset', unset);
  s.note('zero', zero);
});

it('a watch from a version shows what came after it, deletions with their own version (trap 4)', async (s) => {
  const version = versionOf(await given(s, CONFIG_MAPS, configMap('a')));
  await merge(s, 'a', { data: { a: '2' } });
  await given(s, CONFIG_MAPS, configMap('b'));
  const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  await watch.until(2);
  await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
  await watch.until(3);
  s.note('after the create', watch);
  const again = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  await again.until(3);
  expect(again.events).toEqual(watch.events);
});

it('entering and leaving a selector is ADDED and DELETED (trap 4)', async (s) => {
  const version = versionOf(await given(s, CONFIG_MAPS, configMap('a', {}, { labels: { in: 'no' } })));
  const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}&labelSelector=in%3Dyes`);
  await merge(s, 'a', { data: { before: '1' } });
  await merge(s, 'a', { metadata: { labels: { in: 'yes' } } });
  await merge(s, 'a', { data: { inside: '1' } });
  await merge(s, 'a', { metadata: { labels: { in: 'no' } }, data: { inside: '2' } });
  await merge(s, 'a', { data: { after: '1' } });
  await merge(s, 'a', { metadata: { labels: { in: 'yes' } } });
  await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
  await watch.until(5);
  s.note('in=yes', watch);
});

it('field selectors follow an object in and out too', async (s) => {
  const version = versionOf(await given(s, PODS, pod('p')));
  const watch = await s.watch(`${PODS}?watch=true&resourceVersion=${version}&fieldSelector=status.phase%3DRunning`);
  for (const phase of ['Running', 'Failed'])
    await s.quiet('PATCH', `${PODS}/p/status`, { body: { status: { phase } }, type: MERGE });
  await watch.until(2);
  s.remark(
    'types',
    watch.events.map(({ type }) => type),
  );
});

it('a watch of one name sees that object alone', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  await given(s, CONFIG_MAPS, configMap('b'));
  const byField = await s.watch(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Db`);
  const byPath = await s.watch(`/api/v1/watch/namespaces/{ns}/configmaps/b`);
  await merge(s, 'a', { data: { x: '1' } });
  await merge(s, 'b', { data: { x: '2' } });
  await Promise.all([byField.until(2), byPath.until(2)]);
  s.note('by field', byField);
  s.remark(
    'by path',
    byPath.events.map(({ type }) => type),
  );
});

it(
  'WatchList sends the state, a bookmark that ends it, then goes on (trap 7)',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const watch = await s.watch(`${CONFIG_MAPS}?${initial}`);
    await watch.until(2);
    await given(s, CONFIG_MAPS, configMap('b'));
    await watch.until(3);
    s.note('list and go on', watch);
    const empty = await s.watch(`/api/v1/namespaces/{ns}/secrets?${initial}`);
    await empty.until(1);
    s.note('nothing there', empty);
    const bookmark = watch.events[1]?.object as { metadata: { resourceVersion: string } };
    expect(Number(bookmark.metadata.resourceVersion)).toBeGreaterThan(0);
  },
  { exempt: { 'real-1.30': 'WatchList is switched off there' } },
);

it(
  'WatchList from a version is not older than it',
  async (s) => {
    const version = versionOf(await given(s, CONFIG_MAPS, configMap('a')));
    await cached(s, CONFIG_MAPS, version);
    const watch = await s.watch(`${CONFIG_MAPS}?${initial}&resourceVersion=${version}`);
    const zero = await s.watch(`${CONFIG_MAPS}?${initial}&resourceVersion=0`);
    await Promise.all([watch.until(2), zero.until(2)]);
    s.note('from the version', watch);
  },
  { exempt: { 'real-1.30': 'WatchList is switched off there' } },
);

it(
  'without initial events a watch of version 0 starts now',
  async (s) => {
    await cached(s, CONFIG_MAPS, versionOf(await given(s, CONFIG_MAPS, configMap('a'))));
    const watch = await s.watch(
      `${CONFIG_MAPS}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
    );
    await given(s, CONFIG_MAPS, configMap('b'));
    await watch.until(1);
    s.remark(
      'first',
      watch.events.map(({ object }) => (object as { metadata: { name: string } }).metadata.name),
    );
  },
  { exempt: { 'real-1.30': 'WatchList is switched off there' } },
);

it('watch options that do not go together are refused', async (s) => {
  for (const query of [
    'sendInitialEvents=true',
    'sendInitialEvents=true&resourceVersionMatch=Exact',
    'resourceVersionMatch=NotOlderThan',
    'resourceVersion=abc',
    'resourceVersion=-5',
    'timeoutSeconds=x',
    'labelSelector=!!',
    'fieldSelector=data.x%3D1',
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&limit=x',
  ]) {
    const watch = await s.watch(`${CONFIG_MAPS}?watch=true&${query}`);
    s.note(query, watch);
  }
});

it(
  'a watch ends after its timeout, and sends bookmarks only on request',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const watch = await s.watch(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`);
    await watch.ended();
    expect(watch.error).toBeUndefined();
    s.note('one second', watch);
  },
  { slow: true },
);

it(
  'a version of the future ends a watch with an ERROR event',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const watch = await s.watch(
      `${CONFIG_MAPS}?watch=true&resourceVersion=999999999&timeoutSeconds=5&${initial.replace('watch=true&', '')}`,
    );
    await watch.ended(9000);
    s.note('far ahead', watch);
  },
  { slow: true },
);

it(
  'watches that allow bookmarks get one before they end',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const version = versionOf(await given(s, CONFIG_MAPS, configMap('b')));
    const [asked, other] = await Promise.all(
      ['&allowWatchBookmarks=true', ''].map((query) =>
        s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}&timeoutSeconds=4${query}`),
      ),
    );
    // A bookmark shows that something happened, if not to anything watched.
    await given(s, '/api/v1/namespaces/default/configmaps', configMap('bookmark-{ns}'));
    await Promise.all([asked?.ended(), other?.ended()]);
    expect(other?.events).toEqual([]);
    s.remark('bookmark', asked?.events.at(-1));
  },
  { slow: true },
);

it('a table watch sends rows, the columns only first', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  const watch = await s.watch(`${CONFIG_MAPS}?watch=true`, { accept: TABLE });
  await watch.until(1);
  await given(s, CONFIG_MAPS, configMap('b', { a: '1', b: '2' }));
  await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
  await watch.until(3);
  s.note('tables', watch);
});

it(
  'a metadata watch sends metadata alone',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const watch = await s.watch(`${CONFIG_MAPS}?${initial}`, { accept: METADATA });
    await watch.until(2);
    await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
    await watch.until(3);
    s.note('metadata', watch);
  },
  { exempt: { 'real-1.30': 'WatchList is switched off there' } },
);

it('finalizers show as MODIFIED, the last one going as DELETED', async (s) => {
  const version = versionOf(await given(s, CONFIG_MAPS, configMap('a', {}, { finalizers: ['example.com/hold'] })));
  const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
  await merge(s, 'a', { metadata: { finalizers: null } });
  await watch.until(2);
  s.note('going', watch);
});

it(
  'watches of all namespaces and of single ones agree',
  async (s) => {
    const version = versionOf(await given(s, CONFIG_MAPS, configMap('a', {}, { labels: { 'w-{ns}': 'x' } })));
    const all = await s.watch(`/api/v1/configmaps?watch=true&resourceVersion=${version}&labelSelector=w-{ns}`);
    const one = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
    const other = await s.watch(
      `/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=${version}&labelSelector=w-{ns}`,
    );
    await merge(s, 'a', { data: { x: '1' } });
    await Promise.all([all.until(1), one.until(1)]);
    expect(all.events).toEqual(one.events);
    expect(other.events).toEqual([]);
  },
  { recordsNothing: true },
);
