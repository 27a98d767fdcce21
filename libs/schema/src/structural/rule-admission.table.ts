/** The server's errors about the rules of CRDs, recorded from Kubernetes 1.36. */
import type { AdmissionCase } from './admission.table.js';

/** Rules that are refused, and their likes that are not. */
export const ruleAdmissionCases: readonly AdmissionCase[] = [
  {
    name: 'a good rule',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { type: 'integer' } },
          'x-kubernetes-validations': [{ rule: 'self.a > 0' }],
        },
      },
    },
    errors: [],
  },
  {
    name: 'a rule that is no boolean',
    schema: {
      type: 'object',
      properties: { v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 1' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self + 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
    ],
  },
  {
    name: 'a rule with a syntax error',
    schema: {
      type: 'object',
      properties: { v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self \\u003e","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:7: Syntax error: mismatched input \'<EOF>\' expecting {\'[\', \'{\', \'(\', \'.\', \'-\', \'!\', \'true\', \'false\', \'null\', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self >\n | ......^',
    ],
  },
  {
    name: 'a rule with an unknown field',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { type: 'integer' } },
          'x-kubernetes-validations': [{ rule: 'self.b > 0' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b \\u003e 0","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field \'b\'\n | self.b > 0\n | ....^',
    ],
  },
  {
    name: 'a rule with an unknown variable',
    schema: {
      type: 'object',
      properties: { v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'foo > 0' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"foo \\u003e 0","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:1: undeclared reference to \'foo\' (in container \'\')\n | foo > 0\n | ^',
    ],
  },
  {
    name: 'a rule with mismatched types',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { type: 'integer' }, b: { type: 'string' } },
          'x-kubernetes-validations': [{ rule: 'self.a == self.b' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.a == self.b","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:8: found no matching overload for \'_==_\' applied to \'(int, string)\'\n | self.a == self.b\n | .......^',
    ],
  },
  {
    name: 'a message expression that is no text',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', messageExpression: 'self' }] },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].messageExpression: Invalid value: {"Rule":"self \\u003e 0","Message":"","MessageExpression":"self","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string',
    ],
  },
  {
    name: 'a message expression with an error',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', messageExpression: 'foo' }] },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].messageExpression: Invalid value: {"Rule":"self \\u003e 0","Message":"","MessageExpression":"foo","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to \'foo\' (in container \'\')\n | foo\n | ^',
    ],
  },
  {
    name: 'oldSelf in items of an atomic list',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] } },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[v]',
    ],
  },
  {
    name: 'oldSelf in items of a set',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[v]',
    ],
  },
  {
    name: 'oldSelf in items of a map list',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: {
            type: 'object',
            properties: { k: { type: 'string' }, v: { type: 'integer' } },
            required: ['k'],
            'x-kubernetes-validations': [{ rule: 'self.v >= oldSelf.v' }],
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          maxItems: 10,
        },
      },
    },
    errors: [],
  },
  {
    name: 'oldSelf below items of an atomic list',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] } },
          },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.properties[a].x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[v]',
    ],
  },
  {
    name: 'optionalOldSelf without oldSelf',
    schema: {
      type: 'object',
      properties: { v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', optionalOldSelf: true }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ],
  },
  {
    name: 'optionalOldSelf with oldSelf',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: 'self > oldSelf.orValue(0)', optionalOldSelf: true }],
        },
      },
    },
    errors: [],
  },
  {
    name: 'a field of unknown type in a rule',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { 'x-kubernetes-preserve-unknown-fields': true } },
          'x-kubernetes-validations': [{ rule: 'has(self.a)' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"has(self.a)","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:4: undefined field \'a\'\n | has(self.a)\n | ...^',
    ],
  },
  {
    name: 'a literal pattern that is bad',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: "self.matches('(')" }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.matches(\'(\')","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:14: invalid matches argument\n | self.matches(\'(\')\n | .............^',
    ],
  },
  {
    name: 'an unbounded list in a list',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'array', items: { type: 'string' } },
          'x-kubernetes-validations': [{ rule: 'self.all(x, x.all(y, y.size() > 0))' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      'spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ],
  },
  {
    name: 'a list of texts without bounds',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-validations': [{ rule: "self.all(x, x.contains('abc'))" }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      'spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ],
  },
  {
    name: 'a bounded list of bounded texts',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string', maxLength: 10 },
          maxItems: 10,
          'x-kubernetes-validations': [{ rule: "self.all(x, x.contains('abc'))" }],
        },
      },
    },
    errors: [],
  },
  {
    name: 'a rule of items of an unbounded list',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'string' }, b: { type: 'string' } },
            'x-kubernetes-validations': [{ rule: 'self.a.contains(self.b)' }],
          },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      'spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ],
  },
  {
    name: 'a default that breaks its rule',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5', message: 'm' }], default: 1 },
      },
    },
    errors: ['spec.validation.openAPIV3Schema.properties[v].default: Invalid value: 1: m'],
  },
  {
    name: 'a default that keeps its rule',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5', message: 'm' }], default: 9 },
      },
    },
    errors: [],
  },
  {
    name: 'a default that breaks a rule on creation',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self > 5', optionalOldSelf: true, message: 'm' }],
          default: 1,
        },
      },
    },
    errors: ['spec.validation.openAPIV3Schema.properties[v].default: Invalid value: 1: m'],
  },
  {
    name: 'many costly rules',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: {
            f0: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f1: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f2: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f3: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f4: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f5: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f6: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f7: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f8: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f9: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f10: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f11: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f12: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
            f13: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              maxItems: 1000,
              'x-kubernetes-validations': [{ rule: 'self.all(x, x.contains(x))' }],
            },
          },
        },
      },
    },
    errors: [],
  },
];
