/** The server's errors about the schemas of CRDs, recorded from Kubernetes 1.36. */
export interface AdmissionCase {
  readonly name: string;
  readonly schema: object;
  readonly status?: boolean;
  readonly errors: readonly string[];
}

/** Schemas that are refused, and their likes that are not. */
export const admissionCases: readonly AdmissionCase[] = [
  {
    name: 'an empty schema',
    schema: {},
    errors: ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root'],
  },
  {
    name: 'a root that is no object',
    schema: { type: 'string' },
    errors: ['spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
  },
  {
    name: 'a field without type',
    schema: { type: 'object', properties: { v: {} } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Required value: must not be empty for specified object fields',
    ],
  },
  {
    name: 'items without type',
    schema: { type: 'object', properties: { v: { type: 'array', items: {} } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.type: Required value: must not be empty for specified array items',
    ],
  },
  {
    name: 'a list without items',
    schema: { type: 'object', properties: { v: { type: 'array' } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].items: Required value: must be specified'],
  },
  {
    name: 'a map value without type',
    schema: { type: 'object', properties: { v: { type: 'object', additionalProperties: {} } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].additionalProperties.type: Required value: must not be empty for specified object fields',
    ],
  },
  {
    name: 'an unknown type',
    schema: { type: 'object', properties: { v: { type: 'foo' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  },
  {
    name: 'the null type',
    schema: { type: 'object', properties: { v: { type: 'null' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
      'spec.validation.openAPIV3Schema.properties[v].type: Forbidden: type cannot be set to null, use nullable as an alternative',
    ],
  },
  {
    name: 'several schemas for items',
    schema: { type: 'object', properties: { v: { type: 'array', items: [{ type: 'string' }] } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items: Forbidden: items must be a schema object and not an array',
    ],
  },
  {
    name: 'additionalProperties at the root',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    errors: ['spec.validation.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root'],
  },
  {
    name: 'properties and additionalProperties',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
  },
  {
    name: 'properties and additionalProperties true',
    schema: {
      type: 'object',
      properties: { v: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true } },
    },
    errors: [],
  },
  {
    name: 'unique items',
    schema: { type: 'object', properties: { v: { type: 'array', items: { type: 'string' }, uniqueItems: true } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
  },
  {
    name: 'a reference',
    schema: { type: 'object', properties: { v: { $ref: '#/x' } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].$ref: Forbidden: $ref is not supported'],
  },
  {
    name: 'an id',
    schema: { type: 'object', properties: { v: { type: 'string', id: 'x' } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].id: Forbidden: id is not supported'],
  },
  {
    name: 'definitions',
    schema: { type: 'object', properties: { v: { type: 'string', definitions: { a: { type: 'string' } } } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].definitions: Forbidden: definitions is not supported'],
  },
  {
    name: 'dependencies',
    schema: { type: 'object', properties: { v: { type: 'string', dependencies: { a: ['b'] } } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].dependencies: Forbidden: dependencies is not supported'],
  },
  {
    name: 'pattern properties',
    schema: { type: 'object', properties: { v: { type: 'string', patternProperties: { a: { type: 'string' } } } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].patternProperties: Forbidden: patternProperties is not supported',
    ],
  },
  {
    name: 'additional items',
    schema: { type: 'object', properties: { v: { type: 'array', items: { type: 'string' }, additionalItems: true } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].additionalItems: Forbidden: additionalItems is not supported',
    ],
  },
  {
    name: 'a dialect',
    schema: { type: 'object', properties: { v: { type: 'string', $schema: 'x' } } },
    errors: ['spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported'],
  },
  {
    name: 'a nullable root',
    schema: { type: 'object', nullable: true },
    errors: ['spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root'],
  },
  {
    name: 'preserve-unknown-fields false',
    schema: { type: 'object', properties: { v: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
    ],
  },
  {
    name: 'preserve-unknown-fields without type',
    schema: { type: 'object', properties: { v: { 'x-kubernetes-preserve-unknown-fields': true } } },
    errors: [],
  },
  {
    name: 'a bad pattern',
    schema: { type: 'object', properties: { v: { type: 'string', pattern: '(' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ],
  },
  {
    name: 'a pattern with a look-ahead',
    schema: { type: 'object', properties: { v: { type: 'string', pattern: '(?=a)' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  },
  {
    name: 'a type inside anyOf',
    schema: { type: 'object', properties: { v: { type: 'string', anyOf: [{ type: 'string' }] } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].anyOf[0].type: Forbidden: must be empty to be structural'],
  },
  {
    name: 'a default inside allOf',
    schema: { type: 'object', properties: { v: { type: 'string', allOf: [{ default: 'x' }] } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].allOf[0].default: Forbidden: must be undefined to be structural',
    ],
  },
  {
    name: 'a description inside oneOf',
    schema: { type: 'object', properties: { v: { type: 'string', oneOf: [{ description: 'x' }] } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].oneOf[0].description: Forbidden: must be empty to be structural',
    ],
  },
  {
    name: 'a title inside not',
    schema: { type: 'object', properties: { v: { type: 'string', not: { title: 'x' } } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].not.title: Forbidden: must be empty to be structural'],
  },
  {
    name: 'nullable inside anyOf',
    schema: { type: 'object', properties: { v: { type: 'string', anyOf: [{ nullable: true }] } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].nullable: Forbidden: must be false to be structural',
    ],
  },
  {
    name: 'additionalProperties inside anyOf',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          additionalProperties: { type: 'string' },
          anyOf: [{ additionalProperties: { maxLength: 1 } }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural',
    ],
  },
  {
    name: 'extensions inside anyOf',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string' },
          anyOf: [
            {
              'x-kubernetes-list-type': 'set',
              'x-kubernetes-map-type': 'atomic',
              'x-kubernetes-list-map-keys': ['a'],
              'x-kubernetes-int-or-string': true,
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          ],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].type: Required value: must be object if x-kubernetes-map-type is specified',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].type: Required value: must be array if x-kubernetes-list-type is specified',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  },
  {
    name: 'metadata inside anyOf',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'object', properties: { metadata: { type: 'object' } }, anyOf: [{ properties: { metadata: {} } }] },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context',
    ],
  },
  {
    name: 'a property that only an alternative knows',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ properties: { b: { maxLength: 1 } } }] },
      },
    },
    errors: [],
  },
  {
    name: 'items that only an alternative knows',
    schema: {
      type: 'object',
      properties: {
        v: { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ items: { maxLength: 1 } }] },
      },
    },
    errors: [],
  },
  {
    name: 'a rule inside allOf',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural',
    ],
  },
  {
    name: 'int-or-string with a type',
    schema: { type: 'object', properties: { v: { type: 'string', 'x-kubernetes-int-or-string': true } } },
    errors: [],
  },
  {
    name: 'int-or-string spelled out',
    schema: {
      type: 'object',
      properties: { v: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } },
    },
    errors: [],
  },
  {
    name: 'int-or-string spelled out in allOf',
    schema: {
      type: 'object',
      properties: {
        v: {
          'x-kubernetes-int-or-string': true,
          allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
        },
      },
    },
    errors: [],
  },
  {
    name: 'int-or-string spelled out the wrong way round',
    schema: {
      type: 'object',
      properties: { v: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].anyOf[0].type: Forbidden: must be empty to be structural',
      'spec.validation.openAPIV3Schema.properties[v].anyOf[1].type: Forbidden: must be empty to be structural',
    ],
  },
  {
    name: 'int-or-string with preserve-unknown-fields',
    schema: {
      type: 'object',
      properties: { v: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ],
  },
  {
    name: 'int-or-string that is embedded',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-int-or-string': true,
          'x-kubernetes-embedded-resource': true,
          properties: { a: { type: 'string' } },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ],
  },
  {
    name: 'an embedded resource without type',
    schema: {
      type: 'object',
      properties: { v: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Required value: must be object if x-kubernetes-embedded-resource is true',
    ],
  },
  {
    name: 'an embedded resource that is a list',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Invalid value: "array": must be object if x-kubernetes-embedded-resource is true',
    ],
  },
  {
    name: 'an embedded resource without anything',
    schema: { type: 'object', properties: { v: { type: 'object', 'x-kubernetes-embedded-resource': true } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  },
  {
    name: 'an embedded map',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          additionalProperties: { type: 'string' },
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
    ],
  },
  {
    name: 'an embedded resource inside metadata',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: {
            metadata: {
              type: 'object',
              properties: {
                labels: {
                  type: 'object',
                  'x-kubernetes-embedded-resource': true,
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].properties[metadata].properties[labels].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
    ],
  },
  {
    name: 'an embedded kind that is no text',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { kind: { type: 'integer' }, apiVersion: { type: 'integer' }, metadata: { type: 'string' } },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].properties[apiVersion].type: Invalid value: "integer": must be string',
      'spec.validation.openAPIV3Schema.properties[v].properties[kind].type: Invalid value: "integer": must be string',
      'spec.validation.openAPIV3Schema.properties[v].properties[metadata].type: Invalid value: "string": must be object',
    ],
  },
  {
    name: 'metadata at the root',
    schema: { type: 'object', properties: { metadata: { type: 'object' } } },
    errors: [],
  },
  {
    name: 'metadata with names at the root',
    schema: {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { name: { type: 'string', pattern: '^a' }, generateName: { type: 'string' } },
        },
      },
    },
    errors: [],
  },
  {
    name: 'metadata with labels at the root',
    schema: {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  },
  {
    name: 'metadata with a description at the root',
    schema: { type: 'object', properties: { metadata: { type: 'object', description: 'x' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  },
  {
    name: 'metadata that is no object',
    schema: { type: 'object', properties: { metadata: { type: 'string' } } },
    errors: ['spec.validation.openAPIV3Schema.properties[metadata].type: Invalid value: "string": must be object'],
  },
  {
    name: 'a kind that is no text',
    schema: { type: 'object', properties: { kind: { type: 'integer' }, apiVersion: { type: 'boolean' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[apiVersion].type: Invalid value: "boolean": must be string',
      'spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: "integer": must be string',
    ],
  },
  {
    name: 'a default in metadata',
    schema: {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ],
  },
  {
    name: 'a list type on a text',
    schema: { type: 'object', properties: { v: { type: 'string', 'x-kubernetes-list-type': 'set' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ],
  },
  {
    name: 'a list type without type',
    schema: {
      type: 'object',
      properties: { v: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'set' } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Required value: must be array if x-kubernetes-list-type is specified',
    ],
  },
  {
    name: 'an unknown list type',
    schema: {
      type: 'object',
      properties: { v: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'foo' } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map"',
    ],
  },
  {
    name: 'keys without list type',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  },
  {
    name: 'keys with list type set',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  },
  {
    name: 'a map list without keys',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'a map list of texts',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'a map list with an unknown key',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['z'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties',
    ],
  },
  {
    name: 'a map list with a compound key',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } }, required: ['a'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.properties[a].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'a map list with a key twice',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a', 'a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-list-map-keys: Invalid value: ["a","a"]: must not contain duplicate entries',
    ],
  },
  {
    name: 'a map list with an optional key',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
  },
  {
    name: 'a map list with a defaulted key',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [],
  },
  {
    name: 'a map list with a nullable key',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string', nullable: true } }, required: ['a'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.properties[a].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    ],
  },
  {
    name: 'a map list of nullable items',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], nullable: true },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'a set of granular objects',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  },
  {
    name: 'a set of atomic objects',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-map-type': 'atomic' },
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    errors: [],
  },
  {
    name: 'a set of sets',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'array',
          items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  },
  {
    name: 'a set of nullable items',
    schema: {
      type: 'object',
      properties: { v: { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set',
    ],
  },
  {
    name: 'a map type on a text',
    schema: { type: 'object', properties: { v: { type: 'string', 'x-kubernetes-map-type': 'atomic' } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
    ],
  },
  {
    name: 'an unknown map type',
    schema: {
      type: 'object',
      properties: { v: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-map-type': 'foo' } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"',
    ],
  },
  {
    name: 'a default of the wrong type',
    schema: { type: 'object', properties: { v: { type: 'string', default: 5 } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].default: Invalid value: "integer":  in body must be of type string: "integer"',
    ],
  },
  {
    name: 'a default out of bounds',
    schema: { type: 'object', properties: { v: { type: 'integer', maximum: 3, default: 5 } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].default: Invalid value: 5:  in body should be less than or equal to 3',
    ],
  },
  {
    name: 'a default outside its enum',
    schema: { type: 'object', properties: { v: { type: 'string', enum: ['a'], default: 'b' } } },
    errors: ['spec.validation.openAPIV3Schema.properties[v].default: Unsupported value: "b": supported values: "a"'],
  },
  {
    name: 'a default with unknown fields',
    schema: {
      type: 'object',
      properties: { v: { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'x', b: 1 } } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].default: Invalid value: {"a":"x","b":1}: must not have unknown fields',
    ],
  },
  {
    name: 'a default that misses a requirement',
    schema: {
      type: 'object',
      properties: { v: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], default: {} } },
    },
    errors: ['spec.validation.openAPIV3Schema.properties[v].default.a: Required value'],
  },
  {
    name: 'a good default',
    schema: {
      type: 'object',
      properties: { v: { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'x' } } },
    },
    errors: [],
  },
  {
    name: 'a default of a bad embedded resource',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          default: { a: 1 },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].default.apiVersion: Required value',
      'spec.validation.openAPIV3Schema.properties[v].default.kind: Required value',
    ],
  },
  {
    name: 'a default inside embedded metadata',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } } },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ],
  },
  {
    name: 'a default in map values of embedded metadata',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: {
            metadata: {
              type: 'object',
              properties: { labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } } },
            },
          },
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata',
    ],
  },
  {
    name: 'a bad default of items',
    schema: { type: 'object', properties: { v: { type: 'array', items: { type: 'string', default: 5 } } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].items.default: Invalid value: "integer":  in body must be of type string: "integer"',
    ],
  },
  {
    name: 'a null default, which is none',
    schema: { type: 'object', properties: { v: { type: 'string', default: null } } },
    errors: [],
  },
  {
    name: 'an empty rule',
    schema: { type: 'object', properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] } } },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].rule: Required value: rule is not specified',
    ],
  },
  {
    name: 'a blank message',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', message: ' ' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].message: Invalid value: " ": must be non-empty if specified',
    ],
  },
  {
    name: 'a message of two lines',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', message: 'a\nb' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
    ],
  },
  {
    name: 'a rule of two lines without message',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true\n&& true' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
    ],
  },
  {
    name: 'an unknown reason',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', reason: 'Foo' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].reason: Unsupported value: "Foo": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
  },
  {
    name: 'a field path that leads nowhere',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { type: 'string' } },
          'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path',
    ],
  },
  {
    name: 'a field path without dot',
    schema: {
      type: 'object',
      properties: {
        v: {
          type: 'object',
          properties: { a: { type: 'string' } },
          'x-kubernetes-validations': [{ rule: 'true', fieldPath: 'a' }],
        },
      },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].fieldPath: Invalid value: "a": must be a valid path',
    ],
  },
  {
    name: 'a blank message expression',
    schema: {
      type: 'object',
      properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', messageExpression: '  ' }] } },
    },
    errors: [
      'spec.validation.openAPIV3Schema.properties[v].x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified',
    ],
  },
  {
    name: 'an enum at the root with a status subresource',
    schema: { type: 'object', properties: { a: { type: 'string' } }, enum: [{}] },
    status: true,
    errors: [
      'spec.validation.openAPIV3Schema: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":[{}],"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":{"a":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"string","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
    ],
  },
  {
    name: 'a root that is no object with a status subresource',
    schema: { type: 'array', items: { type: 'string' } },
    status: true,
    errors: [
      'spec.validation.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      'spec.validation.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
    ],
  },
];
