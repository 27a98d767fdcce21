import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, enumeration, restoredFirst, zeroValue } from './codec.js';
import { always, constant, derived, move, preserved, rename, same, unsupported, warned } from './field-rules.js';
import { codecViolations, lawViolations } from './laws.js';
import { Choices, MapEntry, absent, objectMaker } from './random-object.js';
import { mapToList } from './map-rules.js';
import { listOf } from './list-rules.js';
import { nested, optionalNested, reference, split } from './record-rules.js';
import type { Rule } from './rule.js';
import { TwoWayMap } from './two-way-map.js';

interface Context {
  readonly region: string;
}
const context: Context = { region: 'eu-1' };

function mapOf(...rules: Rule<Context>[]): TwoWayMap<Context> {
  return new TwoWayMap({ rules });
}

function issueLines(issues: readonly { path: string; message: string }[]): string[] {
  return issues.map((issue) => `${issue.path}: ${issue.message}`);
}

interface Pair {
  readonly name: string;
  readonly map: TwoWayMap<Context>;
  readonly left: Record<string, unknown>;
  readonly right: Record<string, unknown>;
}

const pairs: Pair[] = [
  { name: 'a rename', map: mapOf(rename('size', 'type')), left: { size: 'm' }, right: { type: 'm' } },
  { name: 'a move', map: mapOf(move('a.b', 'c.d.e')), left: { a: { b: [1] } }, right: { c: { d: { e: [1] } } } },
  {
    name: 'a name that holds a dot',
    map: mapOf(move(['labels', 'x.io/y'], 'y')),
    left: { labels: { 'x.io/y': '1' } },
    right: { y: '1' },
  },
  {
    name: 'an enumeration',
    map: mapOf(
      same(
        'mode',
        enumeration([
          ['On', true],
          ['Off', false],
        ]),
      ),
    ),
    left: { mode: 'Off' },
    right: { mode: false },
  },
  {
    name: 'a plain zero and an absent field',
    map: mapOf(same('n', zeroValue(0, { left: 'fill', right: 'omit' }))),
    left: { n: 0 },
    right: {},
  },
  {
    name: 'a list of records',
    map: mapOf(listOf('xs', 'ys', [rename('a', 'b')])),
    left: { xs: [{ a: 1 }, { a: 2 }] },
    right: { ys: [{ b: 1 }, { b: 2 }] },
  },
  {
    name: 'a map and a list with keys, also a treacherous one',
    map: mapOf(mapToList('m', 'l', 'name', [same('v')])),
    left: { m: { ['__proto__']: { v: 1 }, a: { v: 2 } } },
    right: {
      l: [
        { name: '__proto__', v: 1 },
        { name: 'a', v: 2 },
      ],
    },
  },
  {
    name: 'a nested record',
    map: mapOf(nested('a', 'b.c', [same('x')])),
    left: { a: { x: 1 } },
    right: { b: { c: { x: 1 } } },
  },
  {
    name: 'one object that is several',
    map: mapOf(...split<Context>({ machine: [move('spec.name', 'name')], disk: [move('spec.size', 'spec.size')] })),
    left: { spec: { name: 'a', size: 3 } },
    right: { machine: { name: 'a' }, disk: { spec: { size: 3 } } },
  },
  { name: 'a constant', map: mapOf(constant('right', 'kind', 'Disk')), left: {}, right: { kind: 'Disk' } },
  {
    name: 'a derived field',
    map: mapOf(derived<Context>('right', 'region', (from) => from.context.region)),
    left: {},
    right: { region: 'eu-1' },
  },
  {
    name: 'codecs one after the other',
    map: mapOf(same('x', compose(enumeration([['a', 'b']]), enumeration([['b', 'c']])))),
    left: { x: 'a' },
    right: { x: 'c' },
  },
  {
    name: 'a record that must not come out of nothing',
    map: mapOf(optionalNested('a', 'a', [constant('right', 'k', 1)])),
    left: {},
    right: {},
  },
  {
    name: 'an empty record that is always written',
    map: mapOf(
      same('x'),
      same('m.y'),
      always('left', 'm', () => ({})),
    ),
    left: { m: {}, x: 1 },
    right: { x: 1 },
  },
];

describe('a rule runs both ways:', () => {
  it.each(pairs)('$name', ({ map, left, right }) => {
    expect(map.forward(left, context)).toEqual({ value: right, errors: [], warnings: [] });
    expect(map.backward(right, context)).toEqual({ value: left, errors: [], warnings: [] });
    expect(lawViolations(map, 'left', left, context)).toEqual([]);
    expect(lawViolations(map, 'right', right, context)).toEqual([]);
  });
});

describe('what cannot be converted', () => {
  const names = { left: (x: object) => 'name' in x, right: (x: object) => 'name' in x };
  const map = mapOf(
    listOf('xs', 'xs', [unsupported('left', 'gpu', 'there are no GPUs'), warned('left', 'hint', 'hints are not kept')]),
    same(
      'mode',
      enumeration([
        ['On', 'on'],
        ['Off', 'off'],
      ]),
    ),
    constant('left', 'kind', 'Disk'),
    derived<Context>('left', 'region', (from) => from.context.region),
    mapToList('m', 'l', 'name', [same('v')]),
    reference('ref', 'ref', names, [same('name'), same('x')]),
  );
  it.each([
    [{ xs: [{}, { gpu: 1 }] }, ['xs[1].gpu: there are no GPUs']],
    [{ mode: 'Maybe' }, ['mode: Unsupported value: "Maybe": supported values: "On", "Off"']],
    [{ kind: 'Tape' }, ['kind: must be "Disk", and is "Tape"']],
    [{ region: 'us-1' }, ['region: is "us-1", which cannot be kept: it will be "eu-1"']],
    [{ xs: 3 }, ['xs: must be a list']],
    [{ xs: [3] }, ['xs[0]: must be an object']],
    [{ m: [] }, ['m: must be an object']],
    [{ m: { a: 1 } }, ['m[a]: must be an object']],
    [{ m: { a: { w: 1 } } }, ['m[a].w: is a field this conversion does not know']],
    [{ other: 1 }, ['other: is a field this conversion does not know']],
  ])('is an error with its path: %j', (source, expected) => {
    expect(issueLines(map.forward(source, context).errors)).toEqual(expected);
  });
  it('reports wrong keys of a list on the way back', () => {
    const { errors } = map.backward({ l: [{ name: 'a' }, { name: 'a' }, {}] }, context);
    expect(issueLines(errors)).toEqual(['l[1].name: Duplicate value: "a"', 'l[2].name: must be a string']);
  });
  it('warns of what is dropped', () => {
    const outcome = map.forward({ xs: [{ hint: 1 }], ref: { x: 1 } }, context);
    expect(issueLines(outcome.warnings)).toEqual([
      'xs[0].hint: hints are not kept',
      'ref: names nothing, and is dropped',
    ]);
    expect(outcome.errors).toEqual([]);
  });
});

describe('what the other side has no place for', () => {
  const rules = [
    same<Context>('metadata'),
    same<Context>('paused', zeroValue(false, { left: 'omit', right: 'distinguish' })),
    listOf<Context>('xs', 'xs', [same('a'), preserved('right', 'b')]),
    same<Context>('phase', restoredFirst('right', { forward: (x) => x, backward: (x) => (x === 'New' ? 'Old' : x) })),
  ];
  const map = new TwoWayMap<Context>({ rules, preserve: { side: 'right', annotation: 'kept', content: 'sparse' } });
  const right = { paused: false, phase: 'New', xs: [{ a: 1 }, { a: 2, b: 3 }] };

  it('is kept in an annotation, and comes back from it', () => {
    const { value } = map.backward(right, context);
    const kept = '{"paused":false,"xs":{"1":{"b":3}},"phase":"New"}';
    expect(value).toEqual({ metadata: { annotations: { kept } }, phase: 'Old', xs: [{ a: 1 }, { a: 2 }] });
    expect(map.forward(value, context).value).toEqual({ metadata: {}, ...right });
    expect(lawViolations(map, 'right', right, context)).toEqual([]);
  });
  it('leaves no annotation where there is nothing to keep', () => {
    expect(map.backward({ xs: [{ a: 1 }] }, context).value).toEqual({ xs: [{ a: 1 }] });
  });
  it('is an error where the annotation holds no object', () => {
    const errorsOf = (kept: string): string[] =>
      issueLines(map.forward({ metadata: { annotations: { kept } } }, context).errors);
    expect(errorsOf('[]')).toEqual(['metadata.annotations.kept: must hold a JSON object']);
    expect(errorsOf('{')).toHaveLength(1);
  });
  it('finds its item again by a key, whatever was done to the list in between', () => {
    const keyed = new TwoWayMap<Context>({
      rules: [same('metadata'), listOf('xs', 'xs', [same('n'), same('a'), preserved('right', 'b')], { key: 'n' })],
      preserve: { side: 'right', annotation: 'kept', content: 'sparse' },
    });
    const source = {
      xs: [
        { n: 'x', b: 1 },
        { n: 'y', a: 1 },
        { n: 'z', b: 3 },
      ],
    };
    const old = keyed.backward(source, context).value as { metadata: object; xs: object[] };
    const edited = { ...old, xs: [{ n: 'new' }, ...old.xs.toReversed().slice(0, 2)] };
    expect(keyed.forward(edited, context).value['xs']).toEqual([{ n: 'new' }, { n: 'z', b: 3 }, { n: 'y', a: 1 }]);
    expect(lawViolations(keyed, 'right', source, context)).toEqual([]);
  });
});

describe('the laws', () => {
  it('find a field that is lost without an error or a warning', () => {
    const lossy = mapOf(same('a', { forward: () => 1, backward: (x) => x }));
    expect(lawViolations(lossy, 'left', { a: 2 }, context)).toEqual([
      'a is lost without an error or a warning',
      'comes back as {"a":1}, not as {"a":2}',
    ]);
  });
  it('find a codec that does not come back', () => {
    const codec = { forward: (x: unknown) => String(x), backward: (x: unknown) => x };
    expect(codecViolations(codec, { left: [1], right: ['a'] }, context)).toEqual([
      'left: comes back as {"value":"1"}, not as {"value":1}',
    ]);
  });
  it('find a rule that changes its source', () => {
    const greedy = mapOf({
      claims: { left: [], right: [] },
      convert: ({ source }) => {
        source['metadata'] = 1;
      },
    });
    expect(() => lawViolations(greedy, 'left', { metadata: {} }, context)).toThrow(TypeError);
  });
  it('refuse an enumeration that cannot run back', () => {
    expect(() =>
      enumeration([
        ['a', 'x'],
        ['b', 'x'],
      ]),
    ).toThrow(RangeError);
  });
  it('hold for random objects of a small schema', () => {
    const fields = ['name string', 'mode string', 'xs[].a int32', 'm{}.v bool'];
    const map = mapOf(
      move('name', 'spec.name'),
      same('mode'),
      listOf('xs', 'ys', [rename('a', 'b')]),
      mapToList('m', 'l', 'key', [same('v')]),
    );
    const make = objectMaker(fields);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40, size: 'max' }), (numbers) => {
        expect(lawViolations(map, 'left', make(new Choices(numbers)), context)).toEqual([]);
      }),
    );
  });
});

describe('random objects', () => {
  const numbers = Array.from({ length: 50 }, (_, at) => at * 7 + 1);
  const fields = ['name string', 'xs[].a int32', 'm{} bool', 'inner.deep.b string'];

  it('have no leaf that is absent, be it of a record, a list or a map', () => {
    const make = objectMaker(fields, (path) => (path === 'name' || path === 'm{}' ? absent : undefined));
    const made = make(new Choices(numbers));
    expect(made).not.toHaveProperty('name');
    expect(Object.values((made['m'] as object | undefined) ?? {})).toEqual([]);
  });

  it('have the lists, maps and records that are asked for, and none that is left out', () => {
    const asked: string[] = [];
    const make = objectMaker(fields, undefined, (path) => {
      asked.push(path);
      return path === 'inner' || path === 'inner.deep';
    });
    const made = make(new Choices(numbers.map(() => 0)));
    expect(made).toEqual({ inner: { deep: {} } });
    expect(asked).toEqual(['xs', 'm', 'inner', 'inner.deep']);
  });

  it('have keys that their maker chose, where it matters', () => {
    const entry = new MapEntry('known', true);
    const make = objectMaker(['m{} bool'], () => entry);
    expect(make(new Choices([1, 2]))).toEqual({ m: { known: true } });
  });
});

describe('what holds fields that rules read', () => {
  const map = mapOf(
    move('secret.name', 'secretName'),
    listOf('xs', 'xs', [same('a')]),
    nested('inner', 'inner', [same('b')]),
  );

  it.each([
    ['a text', { secret: 'odd' }, ['secret: must be an object']],
    ['a list', { secret: [{ name: 'odd' }] }, ['secret: must be an object']],
    ['a record for a list', { xs: { a: 1 } }, ['xs: must be a list']],
    ['a text in a list', { xs: ['odd'] }, ['xs[0]: must be an object']],
    ['a field with an error already', { inner: 7 }, ['inner: must be an object']],
    ['null', { secret: null, xs: null, inner: null }, []],
  ])('cannot be %s, which gives one error', (_name, source, expected) => {
    const { errors } = map.forward(source as never, context);
    expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual(expected);
  });
});
