import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { compileJsonPath, customPrinter } from './index.js';

const now = Date.parse('2026-11-15T11:30:00Z');

const object: KubeObject = {
  apiVersion: 'x.io/v1',
  kind: 'Print',
  metadata: {
    name: 'p1',
    creationTimestamp: '2026-11-15T10:00:00Z',
    labels: { x: 'lab' },
    annotations: { 'a.b/c': 'dotted' },
  },
  spec: {
    s: 'text',
    i: 5,
    f: 2.75,
    b: true,
    o: { y: [1, '<&>'], x: 'ox' },
    a: ['p', 'q', 'r'],
    nul: null,
    d: '2026-11-10T00:00:00Z',
    empty: '',
    list: [
      { name: 'p', n: 1, ok: true },
      { name: 'q', n: 2, ok: false, deepkey: 'DK' },
    ],
    big: 9_007_199_254_740_993n,
    tiny: 0.000_01,
    huge: 1e25,
    emptyarr: [],
  },
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('a column of a custom resource', () => {
  it.each([
    ['string', '.spec.s', 'text'],
    ['string', '.spec.i', '5'],
    ['string', '.spec.f', '2.75'],
    ['string', '.spec.b', 'true'],
    ['string', '.spec.o', String.raw`{"x":"ox","y":[1,"\u003c\u0026\u003e"]}`],
    ['string', '.spec.a', '["p","q","r"]'],
    ['string', '.spec.nul', '<no value>'],
    ['string', '.spec.big', '9007199254740993'],
    ['string', '.spec.tiny', '1e-05'],
    ['string', '.spec.huge', '1e+25'],
    ['string', '.spec.emptyarr', '[]'],
    ['integer', '.spec.f', 2],
    ['integer', '.spec.s', null],
    ['integer', '.spec.nul', null],
    ['integer', '.spec.big', 9_007_199_254_740_993n],
    ['number', '.spec.i', 5],
    ['number', '.spec.f', 2.75],
    ['boolean', '.spec.b', true],
    ['boolean', '.spec.s', null],
    ['date', '.spec.d', '5d11h'],
    ['date', '.metadata.creationTimestamp', '90m'],
    ['date', '.spec.s', '<invalid>'],
    ['date', '.spec.empty', '<unknown>'],
    ['date', '.spec.i', null],
    ['string', '.status.conditions[?(@.type=="Ready")].status', 'True'],
    ['string', ".status.conditions[?(@.type=='Nope')].status", null],
    ['string', '.status.conditions[?(@.type=="Ready")].reason', null],
    ['string', '.status.conditions[?(@.type=="Ready")]', '{"status":"True","type":"Ready"}'],
    ['string', '.spec.a[0]', 'p'],
    ['string', '.spec.a[5]', null],
    ['string', '.spec.a[-1]', 'r'],
    ['string', '.spec.a[*]', 'p'],
    ['string', '.spec.a[1:]', 'q'],
    ['string', '.spec.emptyarr[0]', null],
    ['string', String.raw`.metadata.annotations['a\.b/c']`, 'dotted'],
    ['string', String.raw`.metadata.annotations.a\.b/c`, 'dotted'],
    ['string', '.metadata.labels.x', 'lab'],
    ['string', '.spec.missing.deep', null],
    ['string', '.spec.s.deep', null],
    ['string', '.spec.s[0]', null],
    ['string', '.spec.o[?(@.x)]', null],
    ['string', '.spec.list[*].name', 'p'],
    ['string', '.spec.list[?(@.n>1)].name', 'q'],
    ['string', '.spec.list[?(@.n==2)].name', 'q'],
    ['string', '.spec.list[?(@.n)].name', 'p'],
    ['string', '.spec.list[?(@.ok==true)].name', 'p'],
    ['string', ".spec.list[?(@.name!='p')].name", 'q'],
    ['string', '.spec.list[?(@.name==5)].name', null],
    ['string', '.spec.list[0,1].name', 'p'],
    ['string', '..deepkey', 'DK'],
  ])('of type %s at %s is %s', (type, jsonPath, expected) => {
    const printer = customPrinter([{ name: 'C', type, jsonPath }]);
    expect(printer.cells(object, now)).toEqual(['p1', expected]);
  });

  it('is described by its path unless it has words of its own', () => {
    const printer = customPrinter([
      { name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1 },
      { name: 'B', type: 'integer', jsonPath: '.spec.b', format: 'int32', description: 'words' },
    ]);
    expect(printer.columns.slice(1)).toEqual([
      {
        name: 'A',
        type: 'string',
        format: '',
        description: 'Custom resource definition column (in JSONPath format): .spec.a',
        priority: 1,
      },
      { name: 'B', type: 'integer', format: 'int32', description: 'words', priority: 0 },
    ]);
  });

  it.each([[undefined], [[]]])('is the age alone where the CRD states %j', (stated) => {
    const printer = customPrinter(stated);
    expect(printer.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
    expect(printer.cells(object, now)).toEqual(['p1', '90m']);
  });

  it('that cannot be read ends the table', () => {
    const printer = customPrinter([
      { name: 'A', type: 'string', jsonPath: '.spec.s' },
      { name: 'B', type: 'string', jsonPath: '.spec.a[x]' },
      { name: 'C', type: 'string', jsonPath: '.spec.s' },
    ]);
    expect(printer.columns.map(({ name }) => name)).toEqual(['Name', 'A']);
    expect(printer.cells(object, now)).toEqual(['p1', 'text']);
  });
});

describe('compileJsonPath', () => {
  it.each([
    ['.a[1:3]', { a: [1, 2, 3, 4] }, [2, 3]],
    ['.a[::2]', { a: [1, 2, 3, 4] }, [1, 3]],
    ['.a[:-1]', { a: [1, 2, 3] }, [1, 2]],
    ['.a[2:1]', { a: [1, 2, 3] }, []],
    ['.*', { a: 1, b: [2] }, [1, [2]]],
    ['..x', { a: { x: 1, b: [{ x: 2 }] } }, [1, 2]],
    ['.constructor', {}, []],
    ["[?(@.v<='b')].v", [{ v: 'a' }, { v: 'b' }, { v: 'c' }], ['a', 'b']],
    ['[?(@.v=="a)]")].w', [{ v: 'a)]', w: 1 }], [1]],
    [
      '[?(@.a==@.b)].n',
      [
        { a: 1, b: 1, n: 'x' },
        { a: 1, b: 2, n: 'y' },
      ],
      ['x'],
    ],
    ['.', { a: 1 }, [{ a: 1 }]],
  ])('%s finds in %j: %j', (path, value, expected) => {
    expect(compileJsonPath(path)(value)).toEqual(expected);
  });

  it.each([
    ['.a[', 'unterminated array'],
    ['.a[x]', 'invalid array index x'],
    ['.a[?(@.b', 'unterminated filter'],
    ['.a[?(@.b<>1)]', 'unrecognized filter operator <>'],
    ['.a[::0]', 'step must be > 0'],
    ['.a]', 'unrecognized character in action: ]'],
  ])('refuses %s: %s', (path, message) => {
    expect(() => compileJsonPath(path)).toThrow(new SyntaxError(message));
  });
});

it.each([
  ['indices again and again', `.l${'[0,0,0,0]'.repeat(20)}`],
  ['all that is below, again and again', '..'.repeat(40)],
])('a path that multiplies what it finds gives nothing: %s', (_case, path) => {
  let l: unknown = [{ a: 1 }];
  for (let depth = 0; depth < 30; depth += 1) l = [l, [l, { a: [1, 2, 3] }]].slice(0, depth < 8 ? 2 : 1);
  const begun = process.cpuUsage().user;
  expect(compileJsonPath(path)({ l })).toEqual([]);
  expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000);
});

it('a path is as long as people write them', () => {
  expect(() => compileJsonPath('.a'.repeat(2_048))).not.toThrow();
  expect(() => compileJsonPath('.a'.repeat(2_049))).toThrow('a path has at most 4096 characters');
});
