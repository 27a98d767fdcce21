/** What expressions are about: data, and the schema that describes it. */
export const DATA = {
  i: 3,
  j: -7,
  s: 'hello',
  u: 'Some longer text, héllo 😀 x',
  b: true,
  d: 2.5,
  t: '2021-03-04T05:06:07.089Z',
  r: '90s',
  y: 'aGVsbG8=',
  x: '5',
  li: [5, 3, 9],
  ls: ['b', 'a', 'cc', 'a'],
  ld: [1.5, 2.5, -3.25],
  lt: ['2020-01-01T00:00:00Z'],
  set: ['x', 'y'],
  m: { a: 'A' },
  mi: { one: 1 },
  md: { x: 1.5 },
  o: { i: 1, s: 'os', o: { d: 4.5 } },
  lo: [{ i: 1, s: 'a', b: true }, { i: 2, s: 'b' }, { s: 'c' }],
};

const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const STRING = { type: 'string' };
const BOOLEAN = { type: 'boolean' };
const TIME = { type: 'string', format: 'date-time' };

/** Some of it bounded, some of it not: estimates differ by that. */
export const PROPERTIES = {
  i: INTEGER,
  j: INTEGER,
  s: { type: 'string', maxLength: 30 },
  u: STRING,
  b: BOOLEAN,
  d: NUMBER,
  t: TIME,
  r: { type: 'string', format: 'duration' },
  y: { type: 'string', format: 'byte' },
  x: { 'x-kubernetes-int-or-string': true },
  li: { type: 'array', maxItems: 9, items: INTEGER },
  ls: { type: 'array', items: { type: 'string', maxLength: 12 } },
  ld: { type: 'array', items: NUMBER },
  lt: { type: 'array', items: TIME },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: STRING },
  m: { type: 'object', additionalProperties: STRING },
  mi: { type: 'object', maxProperties: 5, additionalProperties: INTEGER },
  md: { type: 'object', additionalProperties: NUMBER },
  o: {
    type: 'object',
    properties: { i: INTEGER, s: STRING, o: { type: 'object', properties: { d: NUMBER, i: INTEGER } } },
  },
  lo: {
    type: 'array',
    maxItems: 4,
    items: { type: 'object', properties: { i: INTEGER, s: STRING, b: BOOLEAN } },
  },
};
