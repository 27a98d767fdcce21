/** What becomes of values on decoding, recorded from Kubernetes 1.36; the schema is that of field `v`. */
export interface ShapingCase {
  readonly name: string;
  readonly schema: object;
  readonly value: unknown;
  readonly shaped: unknown;
  readonly unknown: readonly string[];
}

/** Values with something to prune, to drop or to fill in. */
export const shapingCases: readonly ShapingCase[] = [
  {
    name: 'an unknown member',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    value: { a: 'x', b: 1 },
    shaped: { a: 'x' },
    unknown: ['v.b'],
  },
  {
    name: 'unknown members at every depth',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' } } },
        l: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } },
      },
    },
    value: { a: { b: 'x', z: 1 }, l: [{ c: 'x', y: 2 }, { x: 3 }], q: {} },
    shaped: { a: { b: 'x' }, l: [{ c: 'x' }, {}] },
    unknown: ['v.a.z', 'v.l[0].y', 'v.l[1].x', 'v.q'],
  },
  {
    name: 'unknown members of map values',
    schema: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
    value: { k: { a: 'x', b: 1 } },
    shaped: { k: { a: 'x' } },
    unknown: ['v.k.b'],
  },
  {
    name: 'members where everything is kept',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    value: { a: { b: [{ c: 1 }] } },
    shaped: { a: { b: [{ c: 1 }] } },
    unknown: [],
  },
  {
    name: 'specified members where the rest is kept',
    schema: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
    },
    value: { a: { b: 'x', c: 1 }, d: { e: 1 } },
    shaped: { a: { b: 'x' }, d: { e: 1 } },
    unknown: ['v.a.c'],
  },
  {
    name: 'lists where everything is kept',
    schema: {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    value: [{ a: { b: 'x', c: 1 }, z: 1 }],
    shaped: [{ a: { b: 'x' }, z: 1 }],
    unknown: ['v[0].a.c'],
  },
  {
    name: 'values of a map whose schema has no type',
    schema: { type: 'object', additionalProperties: true },
    value: { a: { b: 1 }, c: 'x', d: [{ e: 1 }] },
    shaped: { a: {}, c: 'x', d: [{}] },
    unknown: ['v.a.b', 'v.d[0].e'],
  },
  {
    name: 'metadata of an embedded resource',
    schema: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    value: { apiVersion: 'v1', kind: 'A', metadata: { name: 'x', zz: 1 }, spec: { a: 'x', b: 1 }, other: 1 },
    shaped: { apiVersion: 'v1', kind: 'A', metadata: { name: 'x', zz: 1 }, spec: { a: 'x' } },
    unknown: ['v.other', 'v.spec.b'],
  },
  {
    name: 'a member called metadata elsewhere',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    value: { a: 'x', metadata: { name: 'x' }, kind: 'y' },
    shaped: { a: 'x' },
    unknown: ['v.kind', 'v.metadata'],
  },
  {
    name: 'a scalar where an object is specified',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    value: 'x',
    shaped: 'x',
    unknown: [],
  },
  {
    name: 'an object where a scalar is specified',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    value: { a: { b: 1 } },
    shaped: { a: {} },
    unknown: ['v.a.b'],
  },
  {
    name: 'a missing member with a default',
    schema: { type: 'object', properties: { a: { type: 'string', default: 'd' } } },
    value: {},
    shaped: { a: 'd' },
    unknown: [],
  },
  {
    name: 'a present member with a default',
    schema: { type: 'object', properties: { a: { type: 'string', default: 'd' } } },
    value: { a: 'x' },
    shaped: { a: 'x' },
    unknown: [],
  },
  {
    name: 'a null that is not nullable with a default',
    schema: { type: 'object', properties: { a: { type: 'string', default: 'd' } } },
    value: { a: null },
    shaped: { a: 'd' },
    unknown: [],
  },
  {
    name: 'a null that is nullable with a default',
    schema: { type: 'object', properties: { a: { type: 'string', default: 'd', nullable: true } } },
    value: { a: null },
    shaped: { a: null },
    unknown: [],
  },
  {
    name: 'a null that is neither nullable nor defaulted',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
    value: { a: null, b: 'x' },
    shaped: { b: 'x' },
    unknown: [],
  },
  {
    name: 'a null that is nullable',
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true } } },
    value: { a: null },
    shaped: { a: null },
    unknown: [],
  },
  {
    name: 'nulls of map values',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    value: { a: null, b: 'x' },
    shaped: { b: 'x' },
    unknown: [],
  },
  {
    name: 'nulls of unknown schema',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    value: { a: null },
    shaped: { a: null },
    unknown: [],
  },
  {
    name: 'a default inside an absent object',
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string', default: 'd' } } } },
    },
    value: {},
    shaped: {},
    unknown: [],
  },
  {
    name: 'a default inside an empty object',
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string', default: 'd' } } } },
    },
    value: { a: {} },
    shaped: { a: { b: 'd' } },
    unknown: [],
  },
  {
    name: 'a default inside a default',
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string', default: 'd' } }, default: {} } },
    },
    value: {},
    shaped: { a: { b: 'd' } },
    unknown: [],
  },
  {
    name: 'defaults inside items',
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 5 } } } },
    value: [{}, { a: 1 }],
    shaped: [{ a: 5 }, { a: 1 }],
    unknown: [],
  },
  {
    name: 'defaults inside map values',
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 5 } } },
    },
    value: { x: {}, y: { a: 1 } },
    shaped: { x: { a: 5 }, y: { a: 1 } },
    unknown: [],
  },
  {
    name: 'a null item with a default',
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'x' } } },
    value: [null, { a: 'y' }],
    shaped: [{ a: 'x' }, { a: 'y' }],
    unknown: [],
  },
  {
    name: 'a default of an object and its members',
    schema: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: { b: { type: 'string', default: 'd' }, c: { type: 'string' } },
          default: { c: 'x' },
        },
      },
    },
    value: {},
    shaped: { a: { c: 'x', b: 'd' } },
    unknown: [],
  },
  {
    name: 'defaults in a list of lists',
    schema: {
      type: 'array',
      items: { type: 'array', items: { type: 'object', properties: { a: { type: 'boolean', default: false } } } },
    },
    value: [[{}], []],
    shaped: [[{ a: false }], []],
    unknown: [],
  },
  {
    name: 'a falsy default',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'integer', default: 0 },
        b: { type: 'boolean', default: false },
        c: { type: 'string', default: '' },
      },
    },
    value: {},
    shaped: { a: 0, b: false, c: '' },
    unknown: [],
  },
];
