import type { JsonObject, KubeObject, WatchSink } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/fixture.js';
import { DEFINITIONS_PATH, Fixture, widget, widgetsPath } from './testing.js';
import { FakeConverter, convertedWidgets } from './testing-converter.js';

type Version = 'v1' | 'v2';
const VERSIONS: readonly Version[] = ['v1', 'v2'];
const MERGE = 'application/merge-patch+json';

interface Write {
  readonly verb: 'create' | 'patch' | 'delete';
  readonly name: string;
  readonly version: Version;
  readonly host: string;
  readonly port: string;
  /** Sent without waiting for the one before. */
  readonly isHasty: boolean;
  /** The webhook is out of order from here on, or works again. */
  readonly outage: boolean | undefined;
}

const writes: fc.Arbitrary<Write[]> = fc.array(
  fc.record({
    verb: fc.constantFrom<Write['verb']>('create', 'create', 'patch', 'patch', 'patch', 'delete'),
    name: fc.constantFrom('a', 'b'),
    version: fc.constantFrom<Version>('v1', 'v2'),
    host: fc.constantFrom('x', 'x', 'y'),
    port: fc.constantFrom('1', '2', '3'),
    isHasty: fc.boolean(),
    outage: fc.constantFrom(undefined, undefined, undefined, undefined, true, false, false),
  }),
  { minLength: 12, maxLength: 30 },
);

function specOf({ version, host, port }: Write): JsonObject {
  return version === 'v1' ? { address: `${host}:${port}` } : { host, port };
}

async function run(fixture: Fixture, write: Write): Promise<void> {
  const collection = widgetsPath(write.version);
  const one = `${collection}/${write.name}`;
  const answer = await {
    create: () => fixture.send('POST', collection, widget(write.name, specOf(write), write.version)),
    patch: () => fixture.send('PATCH', one, { spec: specOf(write) }, MERGE),
    delete: () => fixture.send('DELETE', one),
  }[write.verb]();
  // Conversion fails in an outage, names are taken or free; anything else is a fault of the server.
  expect([200, 201, 404, 409, 500]).toContain(answer.status);
  if (answer.status === 500) expect(answer.body.message).toContain('out of order');
}

/** The state that the events of a watch add up to; every event must make sense there. */
class Folded implements WatchSink {
  readonly state = new Map<string, KubeObject>();
  readonly types: string[] = [];
  #revision = 0;

  frame(frame: { readonly type: string; object(): unknown }): void {
    const object = frame.object() as KubeObject;
    const { name = '', resourceVersion } = object.metadata;
    // In the order of their revisions, each once.
    expect(Number(resourceVersion)).toBeGreaterThan(this.#revision);
    this.#revision = Number(resourceVersion);
    expect([frame.type, this.state.has(name)]).toEqual([frame.type, frame.type !== 'ADDED']);
    this.types.push(frame.type);
    if (frame.type === 'DELETED') this.state.delete(name);
    else this.state.set(name, object);
  }

  end(): void {
    throw new Error('the watch ended');
  }
}

async function watched(fixture: Fixture, target: string): Promise<Folded> {
  const { body } = await fixture.server.send({ method: 'GET', target, headers: {} });
  if (body.type !== 'watch') expect.unreachable('no watch');
  const folded = new Folded();
  body.start(folded);
  return folded;
}

/** Lets everything happen that only waits for its turn, and what waits for the clock. */
async function settle(clock: ManualClock): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
    clock.advance(2000);
  }
}

describe('for any writes in two versions', () => {
  it.each([
    ['everything', ''],
    ['a selection', 'fieldSelector=spec.host%3Dx'],
  ])('the list of %s equals the state that its watch adds up to', async (_name, selector) => {
    const types = new Set<string>();
    await fc.assert(
      fc.asyncProperty(writes, async (commands) => {
        const clock = new ManualClock();
        const converter = new FakeConverter();
        const fixture = new Fixture({ webhooks: converter, clock });
        await fixture.send('POST', DEFINITIONS_PATH, convertedWidgets());
        // Only the second version has the field.
        const versions = selector === '' ? VERSIONS : VERSIONS.slice(1);
        const folds = await Promise.all(
          versions.map((version) => watched(fixture, `${widgetsPath(version)}?watch=1&${selector}`)),
        );
        const sent: Promise<void>[] = [];
        for (const command of commands) {
          if (command.outage === true) converter.fail('out of order');
          else if (command.outage === false) converter.lie = undefined;
          const done = run(fixture, command);
          sent.push(done);
          if (!command.isHasty) await done;
        }
        await Promise.all(sent);
        converter.lie = undefined;
        await settle(clock);
        const lists: KubeObject[][] = [];
        for (const [at, version] of versions.entries()) {
          const { body } = await fixture.send('GET', `${widgetsPath(version)}?${selector}`);
          const items = [...(body.items ?? [])];
          lists.push(items);
          const folded = [...(folds[at] as Folded).state.values()];
          const byName = (a: KubeObject, b: KubeObject): number =>
            (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
          expect(folded.toSorted(byName)).toEqual(items);
        }
        // Nothing was lost on the way between the versions.
        if (lists.length === 2) {
          const addresses = lists[1]?.map((item) => {
            const { host, port } = item['spec'] as { host: string; port: string };
            return `${host}:${port}`;
          });
          expect(addresses).toEqual(lists[0]?.map((item) => (item['spec'] as JsonObject)['address']));
        }
        for (const fold of folds) for (const type of fold.types) types.add(type);
        expect(fixture.errors).toEqual([]);
      }),
      { numRuns: 25 },
    );
    // Writes that nobody sees would prove nothing.
    expect([...types].sort()).toEqual(['ADDED', 'DELETED', 'MODIFIED']);
  });
});
