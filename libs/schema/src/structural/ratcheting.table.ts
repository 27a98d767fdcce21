/** The server's errors about updates, recorded from Kubernetes 1.36; the schema is that of field `v`. */
export interface RatchetingCase {
  readonly name: string;
  readonly schema: object;
  readonly old: unknown;
  readonly value: unknown;
  readonly errors: readonly string[];
}

/** Updates of values of which something is wrong. */
export const ratchetingCases: readonly RatchetingCase[] = [
  {
    name: 'an unchanged bad member',
    schema: { type: 'object', properties: { a: { type: 'string', maxLength: 2 }, b: { type: 'string' } } },
    old: { a: 'long', b: 'x' },
    value: { a: 'long', b: 'y' },
    errors: [],
  },
  {
    name: 'a changed bad member',
    schema: { type: 'object', properties: { a: { type: 'string', maxLength: 2 } } },
    old: { a: 'long' },
    value: { a: 'longer' },
    errors: ['v.a: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'a new bad member',
    schema: { type: 'object', properties: { a: { type: 'string', maxLength: 2 }, b: { type: 'string' } } },
    old: { b: 'x' },
    value: { a: 'long', b: 'x' },
    errors: ['v.a: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'a requirement that was missed before, object unchanged',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' }, c: { type: 'string' } }, required: ['b'] },
        d: { type: 'string' },
      },
    },
    old: { a: { c: 'x' }, d: '1' },
    value: { a: { c: 'x' }, d: '2' },
    errors: [],
  },
  {
    name: 'a requirement that was missed before, object changed',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' }, c: { type: 'string' } }, required: ['b'] },
      },
    },
    old: { a: { c: 'x' } },
    value: { a: { c: 'y' } },
    errors: ['v.a.b: Required value'],
  },
  {
    name: 'a bad item of a map list, another changed',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    old: [
      { k: 'a', v: 'long' },
      { k: 'b', v: '1' },
    ],
    value: [
      { k: 'a', v: 'long' },
      { k: 'b', v: '2' },
    ],
    errors: [],
  },
  {
    name: 'a bad item of a map list, moved',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    old: [
      { k: 'a', v: 'long' },
      { k: 'b', v: '1' },
    ],
    value: [
      { k: 'b', v: '1' },
      { k: 'a', v: 'long' },
    ],
    errors: [],
  },
  {
    name: 'a bad item of a map list, changed',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    old: [{ k: 'a', v: 'long' }],
    value: [{ k: 'a', v: 'longer' }],
    errors: ['v[0].v: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'a bad item of a map list, renamed',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    old: [{ k: 'a', v: 'long' }],
    value: [{ k: 'b', v: 'long' }],
    errors: ['v[0].v: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'a bad item of an atomic list, another added',
    schema: { type: 'array', items: { type: 'string', maxLength: 2 } },
    old: ['long'],
    value: ['long', 'x'],
    errors: ['v[0]: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'a bad atomic list, unchanged',
    schema: {
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'string', maxLength: 2 } }, b: { type: 'string' } },
    },
    old: { l: ['long'], b: '1' },
    value: { l: ['long'], b: '2' },
    errors: [],
  },
  {
    name: 'a bad item of a set, another added',
    schema: { type: 'array', items: { type: 'string', maxLength: 2 }, 'x-kubernetes-list-type': 'set' },
    old: ['long'],
    value: ['long', 'x'],
    errors: ['v[0]: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'too many items, unchanged',
    schema: {
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'string' }, maxItems: 1 }, b: { type: 'string' } },
    },
    old: { l: ['a', 'b'], b: '1' },
    value: { l: ['a', 'b'], b: '2' },
    errors: [],
  },
  {
    name: 'too many items, one changed',
    schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    old: ['a', 'b'],
    value: ['a', 'c'],
    errors: ['v: Too many: 2: must have at most 1 item'],
  },
  {
    name: 'a map value that was bad before',
    schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
    old: { a: 'long', b: 'x' },
    value: { a: 'long', b: 'y' },
    errors: [],
  },
  {
    name: 'unknown members make an object count as changed',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, required: ['z'] },
    old: { a: 1 },
    value: { a: 1 },
    errors: ['v.z: Required value'],
  },
  {
    name: 'alternatives of an unchanged object',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'string' },
        o: {
          type: 'object',
          properties: { x: { type: 'string' }, y: { type: 'string' } },
          oneOf: [{ required: ['x'] }, { required: ['y'] }],
        },
      },
    },
    old: { a: '1', o: {} },
    value: { a: '2', o: {} },
    errors: [],
  },
  {
    name: 'an unchanged member inside an alternative of a changed object',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ properties: { a: { maxLength: 2 } } }],
    },
    old: { a: 'long', b: '1' },
    value: { a: 'long', b: '2' },
    errors: [
      'v.a: Too long: may not be more than 2 bytes',
      '<nil>: Invalid value: "": "v" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    name: 'repetitions that were there before',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    old: ['a', 'a'],
    value: ['a', 'a', 'b', 'b'],
    errors: [],
  },
  {
    name: 'new repetitions',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    old: ['a'],
    value: ['a', 'a'],
    errors: ['v[1]: Duplicate value: "a"'],
  },
  {
    name: 'an unchanged bad embedded resource',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    old: { a: 1 },
    value: { a: 1 },
    errors: ['v.apiVersion: Required value', 'v.kind: Required value'],
  },
  {
    name: 'a bad value that became another type',
    schema: { type: 'object', properties: { a: { type: 'string', maxLength: 2 } } },
    old: { a: 'long' },
    value: { a: 5 },
    errors: ['v.a: Invalid value: "integer": v.a in body must be of type string: "integer"'],
  },
  {
    name: 'an enum that shrank, value kept',
    schema: { type: 'object', properties: { e: { type: 'string', enum: ['a'] }, b: { type: 'string' } } },
    old: { e: 'old', b: '1' },
    value: { e: 'old', b: '2' },
    errors: [],
  },
  {
    name: 'a map list with two keys',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, p: { type: 'integer' }, v: { type: 'string', maxLength: 2 } },
        required: ['k', 'p'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
    },
    old: [
      { k: 'a', p: 1, v: 'long' },
      { k: 'a', p: 2, v: 'x' },
    ],
    value: [
      { k: 'a', p: 2, v: 'y' },
      { k: 'a', p: 1, v: 'long' },
    ],
    errors: [],
  },
];
