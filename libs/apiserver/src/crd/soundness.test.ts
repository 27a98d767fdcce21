import type { JsonObject } from '@capstan/meta';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFINITIONS_PATH, GROUP, Fixture, version, widget, widgets, widgetsPath } from './testing.js';

const WIDGET = `${widgetsPath()}/one`;
const DEFINITION = `${DEFINITIONS_PATH}/widgets.${GROUP}`;
const MERGE = 'application/merge-patch+json';

/** A schema of which stored objects may be sound; the stricter one refuses some of what the other lets pass. */
function schemaOf(isStrict: boolean): JsonObject {
  const items = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer', default: 1, ...(isStrict ? { maximum: 3 } : {}) },
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    },
  };
  const parts = { type: 'array', items };
  const keyed = { ...parts, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const text = { type: 'string', nullable: true, ...(isStrict ? { pattern: '^[a-c]*$' } : {}) };
  const rule = { rule: '!has(self.text) || self.text != "bb"', message: 'no bb' };
  const spec = { type: 'object', properties: { parts, keyed, open, text }, 'x-kubernetes-validations': [rule] };
  const status = { type: 'object', default: { phase: 'a' }, properties: { parts, keyed, phase: text } };
  return { type: 'object', properties: { spec, status } };
}

const definition = (isStrict: boolean): JsonObject =>
  version({}, { schema: { openAPIV3Schema: schemaOf(isStrict) }, subresources: { status: {} } });

/** Mostly what passes, so that what is stored is sound more often than not. */
const text = fc.constantFrom<unknown>('a', 'b', 'c', 'ab', 'bb', 'xyz', null, 5);
const part = fc.record(
  {
    name: fc.constantFrom('x', 'y', 'z'),
    size: fc.constantFrom<unknown>(1, 2, 3, 1, 5, null, 'big'),
    tags: fc.constantFrom<unknown>(['a'], ['b'], ['a', 'b'], ['a', 'a'], null),
    unknown: fc.constant(1),
  },
  { requiredKeys: ['name'] },
);
const parts = fc.oneof(
  { weight: 6, arbitrary: fc.uniqueArray(part, { maxLength: 3, selector: ({ name }) => name }) },
  { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [{}]) },
);
const metadata = fc.record(
  {
    labels: fc.constantFrom<unknown>({ a: 'b' }, { a: 'c' }, { a: 'd' }, { 'not a name': 'x' }, null),
    annotations: fc.constantFrom<unknown>({ a: 'b' }, { a: null }),
    finalizers: fc.constantFrom<unknown>(['a.b/c'], ['a.b/d'], ['?'], null),
    unknown: fc.constant(1),
  },
  { requiredKeys: [] },
);
const body = fc.record(
  {
    metadata,
    spec: fc.record(
      { parts, text, open: fc.constantFrom<unknown>({ a: 1 }, { a: { b: null } }) },
      { requiredKeys: [] },
    ),
    status: fc.record({ parts, keyed: parts, phase: text }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ verb: fc.constantFrom('merge', 'apply', 'put'), isStatus: fc.boolean(), body }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('redefine'), isStrict: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(fixture: Fixture, taken: Step): Promise<{ readonly status: number; readonly text: string }> {
  if ('isStrict' in taken) {
    const { status } = await fixture.merge(DEFINITION, { spec: { versions: [definition(taken.isStrict)] } });
    return { status, text: '' };
  }
  const target = taken.isStatus ? `${WIDGET}/status` : WIDGET;
  const given = { ...widget('one'), ...(taken.body as JsonObject) };
  if (taken.verb === 'merge') return fixture.send('PATCH', target, taken.body, MERGE);
  const named = { ...given, metadata: { ...taken.body.metadata, name: 'one' } };
  if (taken.verb === 'apply')
    return fixture.send('PATCH', `${target}?fieldManager=me&force=true`, named, 'application/apply-patch+yaml');
  const { metadata: live } = (await fixture.send('GET', WIDGET)).body;
  const resourceVersion = live.resourceVersion ?? '';
  return fixture.send('PUT', target, { ...named, metadata: { ...named.metadata, resourceVersion } });
}

it('answers every write as a server does that knows nothing of what it stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
      const fixture = new Fixture();
      await fixture.send('POST', DEFINITIONS_PATH, widgets(definition(false)));
      await fixture.send('POST', widgetsPath(), widget('one', { parts: [{ name: 'x' }], text: 'a' }));
      for (const each of steps) {
        const forgetful = new Fixture({ snapshot: structuredClone(fixture.server.store.snapshot({ history: false })) });
        const [observed, expected] = [await take(fixture, each), await take(forgetful, each)];
        expect([observed.status, observed.text]).toEqual([expected.status, expected.text]);
        const [stored, asKnown] = await Promise.all([fixture.send('GET', WIDGET), forgetful.send('GET', WIDGET)]);
        expect(stored.text).toBe(asKnown.text);
      }
    }),
    { numRuns: 15 },
  );
});

it('takes nothing for sound that an update only left as it was', async () => {
  const fixture = new Fixture();
  await fixture.send('POST', DEFINITIONS_PATH, widgets(definition(false)));
  const large = { name: 'x', size: 5 };
  await fixture.send('POST', widgetsPath(), widget('one', { parts: [large, { name: 'y', size: 1 }] }));
  await fixture.merge(DEFINITION, { spec: { versions: [definition(true)] } });
  expect((await fixture.merge(WIDGET, { spec: { text: 'a' } })).status).toBe(200);
  const { body: refusal } = await fixture.merge(WIDGET, { spec: { parts: [large, { name: 'z', size: 1 }] } });
  const reason = 'spec.parts[0].size in body should be less than or equal to 3';
  expect(refusal.message).toBe(`Widget.${GROUP} "one" is invalid: spec.parts[0].size: Invalid value: 5: ${reason}`);
});
