import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOLD_LIMIT } from './output.js';
import { JsonRewriter } from './rewriter.js';
import type { Shape } from './shape.js';
import { members } from './shape.js';

const swap = (text: string): string => (text === 'a/v1' ? 'bb/v1' : text === 'bb/v1' ? 'a/v1' : text);

/** Changes every `apiVersion`, whatever is around it, but for what is in `labels`. */
const anywhere: Shape = {};
const version: Shape = { text: swap, others: anywhere, items: anywhere };
anywhere.members = members({ apiVersion: version, labels: {} });
version.members = anywhere.members;
anywhere.others = anywhere;
anywhere.items = anywhere;

const named: Shape = { decide: (name) => (name.startsWith('hidden') ? 'drop' : 'keep') };
const element: Shape = { filtered: true, members: members({ name: named, apiVersion: { text: swap } }) };
const list: Shape = { members: members({ items: { items: element } }) };
const stream: Shape = {
  filtered: true,
  members: members({
    type: { decide: (type) => (type === 'BOOKMARK' ? 'keep' : undefined) },
    object: { members: members({ name: named, apiVersion: { text: swap } }) },
  }),
};

function rewritten(shape: Shape, bytes: Uint8Array, cuts: readonly number[] = []): Buffer {
  const rewriter = new JsonRewriter(shape);
  const out: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    out.push(...rewriter.push(bytes.subarray(from, cut)));
    from = cut;
  }
  out.push(...rewriter.end());
  return Buffer.concat(out);
}

const text = (shape: Shape, document: string, cuts?: readonly number[]): string =>
  rewritten(shape, Buffer.from(document), cuts).toString();

const everyCut = (document: string): number[][] =>
  Array.from({ length: Buffer.byteLength(document) + 1 }, (_, cut) => [cut]);

describe('strings at their place', () => {
  it.each([
    ['{"apiVersion":"a/v1"}', '{"apiVersion":"bb/v1"}'],
    [
      '{ "x" : [ { "apiVersion" : "bb/v1" } , 1.0, 90071992547409931 ] }\n',
      '{ "x" : [ { "apiVersion" : "a/v1" } , 1.0, 90071992547409931 ] }\n',
    ],
    ['{"labels":{"apiVersion":"a/v1"},"apiVersion":"a/v1"}', '{"labels":{"apiVersion":"a/v1"},"apiVersion":"bb/v1"}'],
    [String.raw`{"api\u0056ersion":"a\u002fv1"}`, String.raw`{"api\u0056ersion":"bb/v1"}`],
    [String.raw`{"x":[{"\u0061piVersion":"a/v1"}]}`, String.raw`{"x":[{"\u0061piVersion":"bb/v1"}]}`],
    [
      '{"x":{"y":[{"app":"a/v1"},{"z":{}}]},"apiVersion":"a/v1"}',
      '{"x":{"y":[{"app":"a/v1"},{"z":{}}]},"apiVersion":"bb/v1"}',
    ],
    ['{"apiVersion":"a/v1","apiVersion":"a/v1"}', '{"apiVersion":"bb/v1","apiVersion":"bb/v1"}'],
    [String.raw`{"s":"{\"apiVersion\":\"a/v1\"}","t":"\\"}`, String.raw`{"s":"{\"apiVersion\":\"a/v1\"}","t":"\\"}`],
    ['{"apiVersion":{"apiVersion":"a/v1"}}', '{"apiVersion":{"apiVersion":"bb/v1"}}'],
    ['{"apiVersion":["a/v1"],"kind":"apiVersion"}', '{"apiVersion":["a/v1"],"kind":"apiVersion"}'],
    ['{"apiVersion":"a/v1"}\n{"apiVersion":"bb/v1"}\n', '{"apiVersion":"bb/v1"}\n{"apiVersion":"a/v1"}\n'],
    ['{"ключ":"значение","apiVersion":"a/v1","é":[]}', '{"ключ":"значение","apiVersion":"bb/v1","é":[]}'],
    ['[]', '[]'],
    ['"a/v1"', '"a/v1"'],
    ['{"apiVersion":"a/v1', '{"apiVersion":"a/v1'],
    ['{"apiVersion"', '{"apiVersion"'],
    ['}]{"apiVersion":"a/v1"}', '}]{"apiVersion":"bb/v1"}'],
  ])('%s', (document, expected) => {
    expect(text(anywhere, document)).toBe(expected);
    for (const cuts of everyCut(document)) expect(text(anywhere, document, cuts)).toBe(expected);
  });

  it('lets a string pass that is longer than anything it looks for', () => {
    const document = `{"apiVersion":"${'x'.repeat(100_000)}","b":{"apiVersion":"a/v1"}}`;
    const expected = document.replace('a/v1', 'bb/v1');
    expect(text(anywhere, document)).toBe(expected);
    expect(text(anywhere, document, [50, 500, 5000, 50_000])).toBe(expected);
  });

  it('leaves bytes alone that are no UTF-8', () => {
    const document = Buffer.concat([Buffer.from('{"apiVersion":"'), Buffer.from([0xff, 0x2f]), Buffer.from('"}')]);
    expect(rewritten(anywhere, document).equals(document)).toBe(true);
  });

  it('changes keys where they carry names', () => {
    const shape: Shape = { keys: swap, members: members({ 'a/v1': { text: swap } }) };
    const document = '{"a/v1":"a/v1","x":"a/v1"}';
    for (const cuts of everyCut(document)) expect(text(shape, document, cuts)).toBe('{"bb/v1":"bb/v1","x":"a/v1"}');
  });
});

describe('elements that are left out', () => {
  it.each([
    ['{"items":[{"name":"a"},{"name":"hidden"},{"name":"b"}]}', '{"items":[{"name":"a"},{"name":"b"}]}'],
    ['{"items":[{"name":"hidden"},{"name":"b"}],"x":1}', '{"items":[{"name":"b"}],"x":1}'],
    ['{"items":[{"name":"b"},{"name":"hidden"}]}', '{"items":[{"name":"b"}]}'],
    ['{"items":[{"name":"hidden"}]}', '{"items":[]}'],
    ['{"items":[]}', '{"items":[]}'],
    ['{"items":[ ]}', '{"items":[ ]}'],
    ['{"items":null}', '{"items":null}'],
    ['{"items":[{"apiVersion":"a/v1","name":"b"},{}, 7]}', '{"items":[{"apiVersion":"bb/v1","name":"b"},{}, 7]}'],
    [
      '{"items":[\n {"x":{"name":"hidden"},"name":"b"},\n {"name":"hidden"}\n]}',
      '{"items":[\n {"x":{"name":"hidden"},"name":"b"}\n]}',
    ],
  ])('%s', (document, expected) => {
    for (const cuts of everyCut(document)) expect(text(list, document, cuts)).toBe(expected);
  });

  it('leaves lines of a stream out with their line ends, and holds no bookmark back', () => {
    const lines = [
      '{"type":"ADDED","object":{"apiVersion":"a/v1","name":"x"}}\n',
      '{"type":"MODIFIED","object":{"name":"hidden"}}\n',
      '{"type":"BOOKMARK","object":{"apiVersion":"a/v1"}}\n',
    ];
    const expected = `${lines[0]}${lines[2]}`.replaceAll('a/v1', 'bb/v1');
    const document = lines.join('');
    for (const cuts of everyCut(document)) expect(text(stream, document, cuts)).toBe(expected);
    const rewriter = new JsonRewriter(stream);
    const first = Buffer.concat(rewriter.push(Buffer.from(lines[2] as string))).toString();
    expect(first).toBe(lines[2]?.replace('a/v1', 'bb/v1'));
  });

  it('shows nothing of an element that is cut off before its API group is known', () => {
    expect(text(list, '{"items":[{"name":"a"},{"x":1,"name":"hid')).toBe('{"items":[{"name":"a"}');
    expect(text(list, '{"items":[{"name":"a"},{"name":"b","x":"c')).toBe('{"items":[{"name":"a"},{"name":"b","x":"c');
  });

  it('refuses to hold back without end', () => {
    const rewriter = new JsonRewriter(list);
    const begin = Buffer.from(`{"items":[{"x":"${'y'.repeat(HOLD_LIMIT)}`);
    expect(() => rewriter.push(begin)).toThrow('do not name its API group');
  });
});

describe('any document, cut anywhere', () => {
  const reference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key === 'labels') return [key, inner];
        if (key === 'apiVersion' && typeof inner === 'string') return [key, swap(inner)];
        return [key, reference(inner)];
      }),
    );
  };
  const key = fc.oneof(
    fc.constantFrom('apiVersion', 'labels', 'metadata'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const leaf = fc.oneof(
    fc.constantFrom('a/v1', 'bb/v1', 'a/v1"', '\\'),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
    ),
  }));
  const cutsOf = (size: number): fc.Arbitrary<number[]> =>
    fc.array(fc.nat(size), { maxLength: 12 }).map((cuts) => cuts.sort((one, other) => one - other));
  const cutDocument = fc
    .tuple(tree, fc.constantFrom(undefined, 1, 2))
    .map(([value, indent]) => Buffer.from(JSON.stringify({ value }, null, indent)))
    .chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length)));

  it('changes what the reference changes, and back', () => {
    fc.assert(
      fc.property(cutDocument, ([bytes, cuts]) => {
        const forth = rewritten(anywhere, bytes, cuts);
        expect(JSON.parse(forth.toString())).toEqual(reference(JSON.parse(bytes.toString())));
        expect(rewritten(anywhere, forth).equals(bytes)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('never stumbles over what is no JSON, and loses none of it', () => {
    const noise = fc
      .array(fc.constantFrom(...'{}[]",:\\ax1 \n'), { maxLength: 60 })
      .map((bytes) => Buffer.from(bytes.join('')));
    const changed: Shape = { ...anywhere, members: members({}) };
    fc.assert(
      fc.property(noise, (bytes) => {
        expect(rewritten(changed, bytes, [bytes.length >> 1]).equals(bytes)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
