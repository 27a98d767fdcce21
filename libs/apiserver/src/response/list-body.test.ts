import { Buffer } from 'node:buffer';
import type { PayloadBody } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEFINITIONS_PATH, version, widget, widgets, widgetsPath, Fixture } from '../crd/testing.js';
import { writeYaml } from '../yaml/write.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const COUNT = 400;
const PIECE = 128 * 1024;

async function bodyOf(fixture: Fixture, target: string, headers: Record<string, string> = {}): Promise<PayloadBody> {
  const { body } = await fixture.server.send({ method: 'GET', target, headers });
  if (body.type !== 'payload') throw new Error(body.type);
  return body;
}

/** Objects whose texts are hard to quote, indent and fold. */
async function filled(count: number): Promise<Fixture> {
  const fixture = new Fixture();
  await fixture.send(
    'POST',
    DEFINITIONS_PATH,
    widgets(version({ text: { type: 'string' }, count: { type: 'integer' } })),
  );
  const texts = [
    'a\nb\n\n  c\n',
    '  leading',
    'ü "quoted" \\ \u2028',
    `${'words and '.repeat(30)}`,
    '- item: x',
    '',
    '0x10',
  ];
  for (let at = 0; at < count; at += 1) {
    const text = texts[at % texts.length] as string;
    const data = { text, filler: 'x'.repeat(700) };
    const metadata = { name: `m${String(at).padStart(4, '0')}`, annotations: { text } };
    await fixture.send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    await fixture.send('POST', widgetsPath(), widget(metadata.name, { text: `${text}${'y'.repeat(700)}`, count: at }));
  }
  return fixture;
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const FORMS: readonly (readonly [name: string, query: string, accept: string, expected: (value: unknown) => string])[] =
  [
    ['JSON', '', 'application/json', (value) => JSON.stringify(value)],
    ['JSON for eyes', '?pretty=true', 'application/json', (value) => JSON.stringify(value, undefined, 2)],
    ['YAML', '', 'application/yaml', writeYaml],
    ['a table', '', TABLE, (value) => JSON.stringify(value)],
    ['a table for eyes', '?pretty=1&includeObject=Object', TABLE, (value) => JSON.stringify(value, undefined, 2)],
    ['metadata', '', PARTIAL, (value) => JSON.stringify(value)],
    ['metadata for eyes', '?pretty=1', PARTIAL, (value) => JSON.stringify(value, undefined, 2)],
  ];

describe.each([0, 1, COUNT])('a list of %i', (count) => {
  const filling = filled(count);

  for (const target of [CONFIG_MAPS, widgetsPath()]) {
    it.each(FORMS)(`${target} as %s is what its value is, in small pieces`, async (_name, query, accept, expected) => {
      const body = await bodyOf(await filling, `${target}${query}`, { accept });
      const pieces = [...{ [Symbol.iterator]: () => body.pieces?.() as Iterator<Uint8Array> }];
      expect(Buffer.concat(pieces).toString()).toBe(expected(body.value()));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE + 4_000);
      expect(Buffer.concat(body.chunks()).equals(Buffer.concat(pieces))).toBe(true);
    });
  }

  it('as protobuf announces how long it is before it is encoded', async () => {
    const fixture = await filling;
    const accept = 'application/vnd.kubernetes.protobuf';
    const body = await bodyOf(fixture, CONFIG_MAPS, { accept });
    const bytes = Buffer.concat(body.chunks());
    const again = await bodyOf(fixture, CONFIG_MAPS, { accept });
    expect(bytes.equals(Buffer.concat(again.chunks()))).toBe(true);
    const { raw, rest } = unwrapped(bytes);
    // An empty content encoding and content type follow.
    expect([raw, rest.toString('hex')]).toEqual([expect.any(Number), '1a002200']);
    expect(count === 0 || raw > count * 700).toBe(true);
  });
});

/** The length that an envelope announces for its message, and what stands behind it. */
function unwrapped(bytes: Buffer): { raw: number; rest: Buffer } {
  // The magic, the tag and length of the type, and the type.
  let at = 4 + 2 + (bytes[5] as number) + 1;
  let raw = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] as number;
    raw += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { raw, rest: bytes.subarray(at + raw) };
  }
}

describe('a list under way', () => {
  it('shows what was there when it was asked for, whatever happens meanwhile', async () => {
    const fixture = await filled(COUNT);
    const body = await bodyOf(fixture, CONFIG_MAPS);
    const whole = Buffer.concat(body.chunks());
    const pieces = body.pieces?.() as Iterator<Uint8Array>;
    const got = [pieces.next().value as Uint8Array];
    await fixture.send('DELETE', CONFIG_MAPS);
    for (let next = pieces.next(); next.done !== true; next = pieces.next()) got.push(next.value);
    expect(got.length).toBeGreaterThan(1);
    expect(Buffer.concat(got).equals(whole)).toBe(true);
  });
});
