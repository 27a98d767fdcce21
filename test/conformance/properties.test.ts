import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backends } from '../src/conformance/backend.js';
import { CONFIG_MAPS, configMap } from '../src/conformance/objects.js';
import { MERGE, type Session, type Watching } from '../src/conformance/session.js';
import { openSession } from '../src/conformance/suite.js';

interface Write {
  readonly verb: 'create' | 'put' | 'patch' | 'label' | 'hold' | 'delete' | 'clear';
  readonly name: string;
  readonly value: string;
}

const writes = fc.array(
  fc.record<Write>({
    verb: fc.constantFrom('create', 'put', 'patch', 'label', 'hold', 'delete', 'clear'),
    name: fc.constantFrom('a', 'b', 'c'),
    value: fc.constantFrom('1', '2'),
  }),
  { minLength: 1, maxLength: 14 },
);

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels?: Record<string, string>;
  };
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: Item[];
}

/** Any of these may be refused; a refusal must change nothing, which the fold would show. */
async function apply(s: Session, { verb, name, value }: Write): Promise<void> {
  const at = `${CONFIG_MAPS}/${name}`;
  const patch = (body: object): Promise<unknown> => s.quiet('PATCH', at, { body, type: MERGE });
  switch (verb) {
    case 'create':
      await s.quiet('POST', CONFIG_MAPS, { body: configMap(name, { value }) });
      break;
    case 'put':
      await s.quiet('PUT', at, { body: configMap(name, { value }, { labels: { in: value } }) });
      break;
    case 'patch':
      await patch({ data: { value } });
      break;
    case 'label':
      await patch({ metadata: { labels: { in: value } } });
      break;
    case 'hold':
      await patch({ metadata: { finalizers: ['example.com/hold'] } });
      break;
    case 'delete':
      await s.quiet('DELETE', at);
      break;
    case 'clear':
      await patch({ metadata: { finalizers: null } });
      break;
  }
}

async function list(s: Session, query = ''): Promise<List> {
  const answer = await s.quiet('GET', `${CONFIG_MAPS}?${query}`);
  expect(answer.status).toBe(200);
  // Items of a list carry no kind; those of events do.
  const { metadata, items } = answer.body as List;
  return { metadata, items: items.map((item) => ({ kind: 'ConfigMap', apiVersion: 'v1', ...item })) };
}

/** The state a watcher ends up with, checking on the way that versions only grow. */
function fold(from: List, watching: Watching): Item[] {
  const state = new Map(from.items.map((item) => [item.metadata.name, item]));
  let last = Number(from.metadata.resourceVersion);
  for (const { type, object } of watching.events) {
    const item = object as Item;
    const { name, resourceVersion } = item.metadata;
    expect(Number(resourceVersion)).toBeGreaterThan(last);
    last = Number(resourceVersion);
    expect(type).toBe(type === 'DELETED' ? 'DELETED' : state.has(name) ? 'MODIFIED' : 'ADDED');
    if (type === 'DELETED') expect(state.delete(name)).toBe(true);
    else state.set(name, item);
  }
  return [...state.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Waits until a watch has seen everything: a marker written last. */
async function settle(s: Session, watches: readonly Watching[]): Promise<void> {
  await s.quiet('POST', CONFIG_MAPS, { body: configMap('zz-marker', {}, { labels: { in: '1' } }) });
  const hasMarker = (watch: Watching): boolean =>
    watch.events.some(({ object }) => (object as Item).metadata.name === 'zz-marker');
  for (const watch of watches) while (!hasMarker(watch)) await watch.until(watch.events.length + 1);
}

const bounded = { numRuns: 25, endOnFailure: true };

describe.each(backends().map((backend) => [backend.name, backend] as const))('on %s', (_name, backend) => {
  test('folding a watch from any revision over its list gives the present list', async () => {
    await fc.assert(
      fc.asyncProperty(writes, async (commands) => {
        const s = await openSession(backend);
        const starts: { from: List; watch: Watching; query: string }[] = [];
        for (const [at, command] of commands.entries()) {
          if (at % 4 === 0) {
            for (const query of ['', 'labelSelector=in%3D1']) {
              const from = await list(s, query);
              starts.push({
                from,
                query,
                watch: await s.watch(
                  `${CONFIG_MAPS}?watch=true&resourceVersion=${from.metadata.resourceVersion}&${query}`,
                ),
              });
            }
          }
          await apply(s, command);
        }
        await settle(
          s,
          starts.map(({ watch }) => watch),
        );
        for (const { from, watch, query } of starts) expect(fold(from, watch)).toEqual((await list(s, query)).items);
        // The same from the past: what a late comer reads equals what the early one saw.
        for (const { from, watch, query } of starts) {
          const late = await s.watch(
            `${CONFIG_MAPS}?watch=true&resourceVersion=${from.metadata.resourceVersion}&${query}`,
          );
          await late.until(watch.events.length);
          expect(late.events).toEqual(watch.events);
        }
        s.close();
      }),
      bounded,
    );
  });

  test('the pages of a list are one snapshot whatever is written between them', async () => {
    await fc.assert(
      fc.asyncProperty(writes, writes, fc.integer({ min: 1, max: 2 }), async (before, between, limit) => {
        const s = await openSession(backend);
        for (const command of before) await apply(s, command);
        const whole = await list(s);
        let page = await list(s, `limit=${limit}`);
        const pages = [...page.items];
        const { resourceVersion } = page.metadata;
        for (let at = 0; page.metadata.continue !== undefined; at += 1) {
          const command = between[at];
          if (command !== undefined) await apply(s, command);
          page = await list(s, `limit=${limit}&continue=${encodeURIComponent(page.metadata.continue)}`);
          expect(page.metadata.resourceVersion).toBe(resourceVersion);
          pages.push(...page.items);
        }
        expect(pages).toEqual(whole.items);
        const exact = await list(s, `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
        expect(exact.items).toEqual(whole.items);
        s.close();
      }),
      bounded,
    );
  });
});
