/** The server's errors when rules are evaluated, recorded from Kubernetes 1.36; the schema is that of field `v`. */
export interface RuleCase {
  readonly name: string;
  readonly schema: object;
  readonly value: unknown;
  readonly old?: unknown;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Values that rules are evaluated on. */
export const ruleCases: readonly RuleCase[] = [
  {
    name: 'a rule that holds',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { a: 1 },
    errors: [],
    warnings: [],
  },
  {
    name: 'a rule that fails on an object shows no value',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { a: 0 },
    errors: ['v: Invalid value: failed rule: self.a > 0'],
    warnings: [],
  },
  {
    name: 'a rule that fails on a scalar shows the value',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    value: -5,
    errors: ['v: Invalid value: -5: failed rule: self > 0'],
    warnings: [],
  },
  {
    name: 'a rule that fails on a text shows the text',
    schema: { type: 'string', 'x-kubernetes-validations': [{ rule: "self.startsWith('a')" }] },
    value: 'b"c',
    errors: ['v: Invalid value: "b\\"c": failed rule: self.startsWith(\'a\')'],
    warnings: [],
  },
  {
    name: 'a rule that fails on a list shows no value',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-validations': [{ rule: 'self.size() < 2' }] },
    value: ['a', 'b'],
    errors: ['v: Invalid value: failed rule: self.size() < 2'],
    warnings: [],
  },
  {
    name: 'a message',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', message: ' must be positive ' }] },
    value: 0,
    errors: ['v: Invalid value: 0: must be positive'],
    warnings: [],
  },
  {
    name: 'a message expression',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', messageExpression: "'got ' + string(self)" }],
    },
    value: 0,
    errors: ['v: Invalid value: 0: got 0'],
    warnings: [],
  },
  {
    name: 'a message expression before the message',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'plain', messageExpression: "'got ' + string(self)" }],
    },
    value: 0,
    errors: ['v: Invalid value: 0: got 0'],
    warnings: [],
  },
  {
    name: 'a message expression that fails',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.size() > 5', message: 'plain', messageExpression: 'string(self[9])' }],
    },
    value: [1],
    errors: ['v: Invalid value: plain'],
    warnings: [],
  },
  {
    name: 'a message expression that evaluates to blanks',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'plain', messageExpression: "' '" }],
    },
    value: 0,
    errors: ['v: Invalid value: 0: plain'],
    warnings: [],
  },
  {
    name: 'a message expression of two lines',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'plain', messageExpression: "'a\\nb'" }],
    },
    value: 0,
    errors: ['v: Invalid value: 0: plain'],
    warnings: [],
  },
  {
    name: 'the reason Forbidden',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'm', reason: 'FieldValueForbidden' }],
    },
    value: 0,
    errors: ['v: Forbidden: m'],
    warnings: [],
  },
  {
    name: 'the reason Required',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'm', reason: 'FieldValueRequired' }],
    },
    value: 0,
    errors: ['v: Required value: m'],
    warnings: [],
  },
  {
    name: 'the reason Duplicate',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'm', reason: 'FieldValueDuplicate' }],
    },
    value: 0,
    errors: ['v: Duplicate value: 0'],
    warnings: [],
  },
  {
    name: 'the reason Invalid',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', message: 'm', reason: 'FieldValueInvalid' }],
    },
    value: 0,
    errors: ['v: Invalid value: 0: m'],
    warnings: [],
  },
  {
    name: 'a field path',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'object', properties: { c: { type: 'integer' } } } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0', message: 'm', fieldPath: '.b.c' }],
    },
    value: { a: 0 },
    errors: ['v.b.c: Invalid value: m'],
    warnings: [],
  },
  {
    name: 'a field path in brackets',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, 'b.c': { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0', message: 'm', fieldPath: "['b.c']" }],
    },
    value: { a: 0 },
    errors: ['v.b.c: Invalid value: m'],
    warnings: [],
  },
  {
    name: 'a field path into a map',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, m: { type: 'object', additionalProperties: { type: 'string' } } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0', message: 'm', fieldPath: '.m.x' }],
    },
    value: { a: 0 },
    errors: ['v.m[x]: Invalid value: m'],
    warnings: [],
  },
  {
    name: 'rules at several depths',
    schema: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: { b: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 2' }] } },
          'x-kubernetes-validations': [{ rule: 'self.b > 1' }],
        },
      },
      'x-kubernetes-validations': [{ rule: 'self.a.b > 0' }],
    },
    value: { a: { b: 0 } },
    errors: [
      'v: Invalid value: failed rule: self.a.b > 0',
      'v.a: Invalid value: failed rule: self.b > 1',
      'v.a.b: Invalid value: 0: failed rule: self > 2',
    ],
    warnings: [],
  },
  {
    name: 'rules of items',
    schema: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
    value: [1, 0, -1],
    errors: ['v[1]: Invalid value: 0: failed rule: self > 0', 'v[2]: Invalid value: -1: failed rule: self > 0'],
    warnings: [],
  },
  {
    name: 'rules of map values',
    schema: {
      type: 'object',
      additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    },
    value: { x: 0, y: 1 },
    errors: ['v[x]: Invalid value: 0: failed rule: self > 0'],
    warnings: [],
  },
  {
    name: 'a rule on a null is not evaluated',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }], nullable: true } },
    },
    value: { a: null },
    errors: [],
    warnings: [],
  },
  {
    name: 'a rule on an absent member is not evaluated',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
    },
    value: {},
    errors: [],
    warnings: [],
  },
  {
    name: 'an error instead of a verdict',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { b: 1 },
    errors: ['v: Invalid value: "object": no such key: a evaluating rule: self.a > 0'],
    warnings: [],
  },
  {
    name: 'a missing index',
    schema: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule: 'self[5] > 0' }] },
    value: [1],
    errors: ['v: Invalid value: "array": index out of bounds: 5 evaluating rule: self[5] > 0'],
    warnings: [],
  },
  {
    name: 'a division by zero',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: '1 / self > 0' }] },
    value: 0,
    errors: ['v: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0'],
    warnings: [],
  },
  {
    name: 'an integer or text compared with the wrong one',
    schema: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
    value: 'x',
    errors: [
      'v: Invalid value: "": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self > 5',
    ],
    warnings: [],
  },
  {
    name: 'an integer or text compared with the right one',
    schema: {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [{ rule: 'type(self) == int ? self > 5 : self.size() > 5' }],
    },
    value: 3,
    errors: ['v: Invalid value: 3: failed rule: type(self) == int ? self > 5 : self.size() > 5'],
    warnings: [],
  },
  {
    name: 'an escaped member',
    schema: {
      type: 'object',
      properties: { 'a-b': { type: 'integer' }, namespace: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: "self.a__dash__b > 0 && self.__namespace__ != 'x'" }],
    },
    value: { 'a-b': 0, namespace: 'x' },
    errors: ["v: Invalid value: failed rule: self.a__dash__b > 0 && self.__namespace__ != 'x'"],
    warnings: [],
  },
  {
    name: 'the name of an embedded resource',
    schema: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [{ rule: "self.metadata.name == 'a' && self.kind == 'Pod'" }],
    },
    value: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
    errors: ["v: Invalid value: failed rule: self.metadata.name == 'a' && self.kind == 'Pod'"],
    warnings: [],
  },
  {
    name: 'rules are skipped when the schema is broken',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { a: 0, b: 5 },
    errors: [
      'v.b: Invalid value: "integer": v.b in body must be of type string: "integer"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
    warnings: [],
  },
  {
    name: 'rules run in spite of errors that do not matter',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string', pattern: '^x$' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { a: 0, b: 'y' },
    errors: ['v.b: Invalid value: "y": v.b in body should match \'^x$\'', 'v: Invalid value: failed rule: self.a > 0'],
    warnings: [],
  },
  {
    name: 'dates and durations',
    schema: {
      type: 'object',
      properties: { d: { type: 'string', format: 'date-time' }, t: { type: 'string', format: 'duration' } },
      'x-kubernetes-validations': [{ rule: "self.d > timestamp('2024-01-01T00:00:00Z') && self.t < duration('1h')" }],
    },
    value: { d: '2023-01-01T00:00:00Z', t: '2h' },
    errors: ["v: Invalid value: failed rule: self.d > timestamp('2024-01-01T00:00:00Z') && self.t < duration('1h')"],
    warnings: [],
  },
  {
    name: 'a set that only changed its order',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        b: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
      'x-kubernetes-validations': [{ rule: 'self.a == self.b' }],
    },
    value: { a: ['x', 'y'], b: ['y', 'x'] },
    errors: [],
    warnings: [],
  },
  {
    name: 'a map list that only changed its order',
    schema: {
      type: 'object',
      properties: {
        a: {
          type: 'array',
          items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        b: {
          type: 'array',
          items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      },
      'x-kubernetes-validations': [{ rule: 'self.a == self.b' }],
    },
    value: { a: [{ k: 'x' }, { k: 'y' }], b: [{ k: 'y' }, { k: 'x' }] },
    errors: [
      "v: Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(list(selfType.a.@idx), list(selfType.b.@idx))'\n | self.a == self.b\n | .......^",
    ],
    warnings: [],
  },
  {
    name: 'a transition rule on create is not evaluated',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
    value: 1,
    errors: [],
    warnings: [],
  },
  {
    name: 'a transition rule that holds',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
    value: 2,
    old: 1,
    errors: [],
    warnings: [],
  },
  {
    name: 'a transition rule that fails',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'must not shrink' }] },
    value: 1,
    old: 2,
    errors: ['v: Invalid value: 1: must not shrink'],
    warnings: [],
  },
  {
    name: 'a transition rule on an unchanged value fails all the same',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != oldSelf', message: 'must change' }] },
    value: 1,
    old: 1,
    errors: ['v: Invalid value: 1: must change'],
    warnings: [],
  },
  {
    name: 'a transition rule of a new member is not evaluated',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        b: { type: 'string' },
      },
    },
    value: { a: 1 },
    old: { b: 'x' },
    errors: [],
    warnings: [],
  },
  {
    name: 'a transition rule of items of a map list',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          k: { type: 'string' },
          v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        },
        required: ['k'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    value: [
      { k: 'b', v: 0 },
      { k: 'a', v: 5 },
    ],
    old: [
      { k: 'a', v: 4 },
      { k: 'b', v: 1 },
    ],
    errors: ['v[0].v: Invalid value: 0: failed rule: self >= oldSelf'],
    warnings: [],
  },
  {
    name: 'a transition rule of map values',
    schema: {
      type: 'object',
      additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
    },
    value: { x: 0, y: 1 },
    old: { x: 1 },
    errors: ['v[x]: Invalid value: 0: failed rule: self >= oldSelf'],
    warnings: [],
  },
  {
    name: 'an optional old value on create',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: 'oldSelf.hasValue() || self == 0', optionalOldSelf: true, message: 'starts at 0' },
      ],
    },
    value: 1,
    errors: ['v: Invalid value: 1: starts at 0'],
    warnings: [],
  },
  {
    name: 'an optional old value on update',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: '!oldSelf.hasValue() || self >= oldSelf.value()', optionalOldSelf: true, message: 'must not shrink' },
      ],
    },
    value: 1,
    old: 2,
    errors: ['v: Invalid value: 1: must not shrink'],
    warnings: [],
  },
  {
    name: 'an optional old value with a default',
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf.orValue(10)', optionalOldSelf: true }],
    },
    value: 1,
    errors: ['v: Invalid value: 1: failed rule: self >= oldSelf.orValue(10)'],
    warnings: [],
  },
  {
    name: 'a rule that failed before on an unchanged value warns',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] }, b: { type: 'string' } },
    },
    value: { a: 0, b: '2' },
    old: { a: 0, b: '1' },
    errors: [],
    warnings: ['v.a: Invalid value: 0: failed rule: self > 0'],
  },
  {
    name: 'a rule that failed before on a changed value fails',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
    },
    value: { a: -1 },
    old: { a: 0 },
    errors: ['v.a: Invalid value: -1: failed rule: self > 0'],
    warnings: [],
  },
  {
    name: 'a rule of a changed object over an unchanged member fails',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
    },
    value: { a: 0, b: '2' },
    old: { a: 0, b: '1' },
    errors: ['v: Invalid value: failed rule: self.a > 0'],
    warnings: [],
  },
  {
    name: 'a rule of an item of an unchanged atomic list warns',
    schema: {
      type: 'object',
      properties: {
        l: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
        b: { type: 'string' },
      },
    },
    value: { l: [0], b: '2' },
    old: { l: [0], b: '1' },
    errors: [],
    warnings: ['v.l[0]: Invalid value: 0: failed rule: self > 0'],
  },
  {
    name: 'a rule of an item of a changed atomic list fails',
    schema: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
    value: [0, 1],
    old: [0],
    errors: ['v[0]: Invalid value: 0: failed rule: self > 0'],
    warnings: [],
  },
  {
    name: 'a rule of an unchanged item of a map list warns',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'integer' } },
        required: ['k'],
        'x-kubernetes-validations': [{ rule: 'self.v > 0' }],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    value: [
      { k: 'a', v: 0 },
      { k: 'b', v: 2 },
    ],
    old: [
      { k: 'a', v: 0 },
      { k: 'b', v: 1 },
    ],
    errors: [],
    warnings: ['v[0]: Invalid value: failed rule: self.v > 0'],
  },
  {
    name: 'an expression that costs too much',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      maxItems: 100000,
      'x-kubernetes-validations': [
        {
          rule: 'self.all(x, self.all(y, self.all(z, x + y + z >= 0))) && self.all(x, self.all(y, self.all(z, x + y + z >= 0)))',
        },
      ],
    },
    value: [
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ],
    errors: [
      'v: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, self.all(z, x + y + z >= 0))) && self.all(x, self.all(y, self.all(z, x + y + z >= 0)))',
    ],
    warnings: [],
  },
];
