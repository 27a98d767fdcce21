/** What the server says about values, recorded from Kubernetes 1.36; the schema is that of the field `v`. */
export interface ValidationCase {
  readonly name: string;
  readonly schema: object;
  readonly value: unknown;
  readonly errors: readonly string[];
}

export const validationCases: readonly ValidationCase[] = [
  {
    name: 'a text where an integer is wanted',
    schema: { type: 'integer' },
    value: 'x',
    errors: [
      'v: Invalid value: "string": v in body must be of type integer: "string"',
    ],
  },
  {
    name: 'a boolean where an integer is wanted',
    schema: { type: 'integer' },
    value: true,
    errors: [
      'v: Invalid value: "boolean": v in body must be of type integer: "boolean"',
    ],
  },
  {
    name: 'a list where an integer is wanted',
    schema: { type: 'integer' },
    value: [1],
    errors: [
      'v: Invalid value: "array": v in body must be of type integer: "array"',
    ],
  },
  {
    name: 'an object where an integer is wanted',
    schema: { type: 'integer' },
    value: {},
    errors: [
      'v: Invalid value: "object": v in body must be of type integer: "object"',
    ],
  },
  {
    name: 'a fraction where an integer is wanted',
    schema: { type: 'integer' },
    value: 1.5,
    errors: [
      'v: Invalid value: "number": v in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in v',
    ],
  },
  {
    name: 'a whole float where an integer is wanted',
    schema: { type: 'integer' },
    value: 1000,
    errors: [],
  },
  {
    name: 'a float beyond exact integers where an integer is wanted',
    schema: { type: 'integer' },
    value: 1e+21,
    errors: [
      'v: Invalid value: "number": v in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in v',
    ],
  },
  {
    name: 'the largest 64-bit integer',
    schema: { type: 'integer' },
    value: 9223372036854775807n,
    errors: [],
  },
  {
    name: 'the smallest 64-bit integer',
    schema: { type: 'integer' },
    value: -9223372036854775808n,
    errors: [],
  },
  {
    name: 'an integer where a text is wanted',
    schema: { type: 'string' },
    value: 1,
    errors: [
      'v: Invalid value: "integer": v in body must be of type string: "integer"',
    ],
  },
  {
    name: 'a null where a text is wanted, which is dropped',
    schema: { type: 'string' },
    value: null,
    errors: [],
  },
  {
    name: 'a null item in a list',
    schema: { type: 'array', items: { type: 'string' } },
    value: ['a', null],
    errors: [
      'v[1]: Invalid value: "null": v[1] in body must be of type string: "null"',
    ],
  },
  {
    name: 'a null item in a list of nullables',
    schema: { type: 'array', items: { type: 'string', nullable: true } },
    value: ['a', null],
    errors: [],
  },
  {
    name: 'an integer where a boolean is wanted',
    schema: { type: 'boolean' },
    value: 0,
    errors: [
      'v: Invalid value: "integer": v in body must be of type boolean: "integer"',
    ],
  },
  {
    name: 'a text where a number is wanted',
    schema: { type: 'number' },
    value: '1',
    errors: [
      'v: Invalid value: "string": v in body must be of type number: "string"',
    ],
  },
  {
    name: 'an integer where a number is wanted',
    schema: { type: 'number' },
    value: 1,
    errors: [],
  },
  {
    name: 'an object where a list is wanted',
    schema: { type: 'array', items: { type: 'string' } },
    value: {},
    errors: [
      'v: Invalid value: "object": v in body must be of type array: "object"',
    ],
  },
  {
    name: 'a list where an object is wanted',
    schema: { type: 'object', properties: {} },
    value: [],
    errors: [
      'v: Invalid value: "array": v in body must be of type object: "array"',
    ],
  },
  {
    name: 'a text where an object is wanted',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    value: 'x',
    errors: [
      'v: Invalid value: "string": v in body must be of type object: "string"',
    ],
  },
  {
    name: 'an int32 beyond its range',
    schema: { type: 'integer', format: 'int32' },
    value: 2147483648,
    errors: [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v',
    ],
  },
  {
    name: 'an int32 below its range',
    schema: { type: 'integer', format: 'int32' },
    value: -2147483649,
    errors: [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v',
    ],
  },
  {
    name: 'the largest int32',
    schema: { type: 'integer', format: 'int32' },
    value: 2147483647,
    errors: [],
  },
  {
    name: 'an int64 as a float beyond its range',
    schema: { type: 'integer', format: 'int64' },
    value: 10000000000000000000,
    errors: [
      'v: Invalid value: "float64": v in body must be of type int64: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in v',
    ],
  },
  {
    name: 'a boolean for an int32',
    schema: { type: 'integer', format: 'int32' },
    value: true,
    errors: [
      'v: Invalid value: "": v in body must be of type int32: ""',
    ],
  },
  {
    name: 'an object for an int32',
    schema: { type: 'integer', format: 'int32' },
    value: {},
    errors: [
      'v: Invalid value: "": v in body must be of type int32: ""',
    ],
  },
  {
    name: 'a fraction for an int32',
    schema: { type: 'integer', format: 'int32' },
    value: 1.5,
    errors: [
      'v: Invalid value: "float64": v in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v',
    ],
  },
  {
    name: 'a text for an int32',
    schema: { type: 'integer', format: 'int32' },
    value: '1',
    errors: [
      'v: Invalid value: "string": v in body must be of type integer: "string"',
    ],
  },
  {
    name: 'an unknown integer format',
    schema: { type: 'integer', format: 'uint8' },
    value: 300,
    errors: [],
  },
  {
    name: 'a float beyond 32 bits',
    schema: { type: 'number', format: 'float' },
    value: 1e+39,
    errors: [
      '<nil>: Invalid value: "": Checked value must be of type number with format float in v',
    ],
  },
  {
    name: 'a float within 32 bits',
    schema: { type: 'number', format: 'float' },
    value: 1e+38,
    errors: [],
  },
  {
    name: 'a double',
    schema: { type: 'number', format: 'double' },
    value: 1e+308,
    errors: [],
  },
  {
    name: 'a number below the minimum',
    schema: { type: 'integer', minimum: 1 },
    value: 0,
    errors: [
      'v: Invalid value: 0: v in body should be greater than or equal to 1',
    ],
  },
  {
    name: 'a number at the minimum',
    schema: { type: 'integer', minimum: 1 },
    value: 1,
    errors: [],
  },
  {
    name: 'a number at an exclusive minimum',
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
    value: 1,
    errors: [
      'v: Invalid value: 1: v in body should be greater than 1',
    ],
  },
  {
    name: 'a number above the maximum',
    schema: { type: 'integer', maximum: 10 },
    value: 11,
    errors: [
      'v: Invalid value: 11: v in body should be less than or equal to 10',
    ],
  },
  {
    name: 'a number at an exclusive maximum',
    schema: { type: 'integer', maximum: 10, exclusiveMaximum: true },
    value: 10,
    errors: [
      'v: Invalid value: 10: v in body should be less than 10',
    ],
  },
  {
    name: 'a float above the maximum',
    schema: { type: 'number', maximum: 1.5 },
    value: 2.5,
    errors: [
      'v: Invalid value: 2.5: v in body should be less than or equal to 1.5',
    ],
  },
  {
    name: 'an integer above a fractional maximum of numbers',
    schema: { type: 'number', maximum: 1.5 },
    value: 2,
    errors: [
      'v: Invalid value: 2: v in body should be less than or equal to 1',
    ],
  },
  {
    name: 'an integer with a fractional maximum',
    schema: { type: 'integer', maximum: 1.5 },
    value: 1,
    errors: [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in v',
    ],
  },
  {
    name: 'an integer with a maximum beyond int32',
    schema: { type: 'integer', format: 'int32', maximum: 3000000000 },
    value: 1,
    errors: [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in v',
    ],
  },
  {
    name: 'a large bound of floats',
    schema: { type: 'number', maximum: 1000000 },
    value: 1000000.5,
    errors: [
      'v: Invalid value: 1.0000005e+06: v in body should be less than or equal to 1e+06',
    ],
  },
  {
    name: 'a tiny bound of floats',
    schema: { type: 'number', minimum: 0.00001 },
    value: 0.000001,
    errors: [
      'v: Invalid value: 1e-06: v in body should be greater than or equal to 1e-05',
    ],
  },
  {
    name: 'a bound printed plainly',
    schema: { type: 'number', minimum: 0.0001 },
    value: 0.00001,
    errors: [
      'v: Invalid value: 1e-05: v in body should be greater than or equal to 0.0001',
    ],
  },
  {
    name: 'a number that is not a multiple',
    schema: { type: 'integer', multipleOf: 3 },
    value: 10,
    errors: [
      'v: Invalid value: 10: v in body should be a multiple of 3',
    ],
  },
  {
    name: 'a number that is a multiple',
    schema: { type: 'integer', multipleOf: 3 },
    value: 9,
    errors: [],
  },
  {
    name: 'a float that is not a multiple',
    schema: { type: 'number', multipleOf: 0.5 },
    value: 0.75,
    errors: [
      'v: Invalid value: 0.75: v in body should be a multiple of 0.5',
    ],
  },
  {
    name: 'a float that is a multiple',
    schema: { type: 'number', multipleOf: 0.1 },
    value: 0.3,
    errors: [],
  },
  {
    name: 'a multiple of nothing',
    schema: { type: 'integer', multipleOf: 0 },
    value: 1,
    errors: [
      'v: Invalid value: 0: factor MultipleOf declared for v must be positive: 0',
    ],
  },
  {
    name: 'all bounds broken at once',
    schema: { type: 'integer', minimum: 5, maximum: 1, multipleOf: 2 },
    value: 3,
    errors: [
      'v: Invalid value: 3: v in body should be a multiple of 2',
      'v: Invalid value: 3: v in body should be greater than or equal to 5',
      'v: Invalid value: 3: v in body should be less than or equal to 1',
    ],
  },
  {
    name: 'a text that is too long',
    schema: { type: 'string', maxLength: 3 },
    value: 'abcd',
    errors: [
      'v: Too long: may not be more than 3 bytes',
    ],
  },
  {
    name: 'a text at the longest, counted in code points',
    schema: { type: 'string', maxLength: 2 },
    value: '😀😀',
    errors: [],
  },
  {
    name: 'a text of one character too long',
    schema: { type: 'string', maxLength: 1 },
    value: 'ab',
    errors: [
      'v: Too long: may not be more than 1 byte',
    ],
  },
  {
    name: 'a text that is too short',
    schema: { type: 'string', minLength: 2 },
    value: 'a',
    errors: [
      'v: Invalid value: "a": v in body should be at least 2 chars long',
    ],
  },
  {
    name: 'a text of surrogates that is too short',
    schema: { type: 'string', minLength: 2 },
    value: '😀',
    errors: [
      'v: Invalid value: "😀": v in body should be at least 2 chars long',
    ],
  },
  {
    name: 'a text that does not match',
    schema: { type: 'string', pattern: '^x$' },
    value: 'y',
    errors: [
      'v: Invalid value: "y": v in body should match \'^x$\'',
    ],
  },
  {
    name: 'a text that matches somewhere',
    schema: { type: 'string', pattern: 'b' },
    value: 'abc',
    errors: [],
  },
  {
    name: 'a pattern of letters of any script',
    schema: { type: 'string', pattern: '^\\p{L}+$' },
    value: 'été',
    errors: [],
  },
  {
    name: 'only the first broken limit of a text',
    schema: { type: 'string', maxLength: 1, minLength: 5, pattern: '^x$' },
    value: 'ab',
    errors: [
      'v: Too long: may not be more than 1 byte',
    ],
  },
  {
    name: 'a text with a quote that does not match',
    schema: { type: 'string', pattern: '^x$' },
    value: 'a"b',
    errors: [
      'v: Invalid value: "a\\"b": v in body should match \'^x$\'',
    ],
  },
  {
    name: 'a text outside an enum',
    schema: { type: 'string', enum: ['a', 'b'] },
    value: 'c',
    errors: [
      'v: Unsupported value: "c": supported values: "a", "b"',
    ],
  },
  {
    name: 'a text in an enum',
    schema: { type: 'string', enum: ['a', 'b'] },
    value: 'a',
    errors: [],
  },
  {
    name: 'a number outside an enum',
    schema: { type: 'integer', enum: [1, 2] },
    value: 3,
    errors: [
      'v: Unsupported value: 3: supported values: "1", "2"',
    ],
  },
  {
    name: 'a boolean outside an enum',
    schema: { type: 'boolean', enum: [true] },
    value: false,
    errors: [
      'v: Unsupported value: false: supported values: "true"',
    ],
  },
  {
    name: 'an object outside an enum',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, enum: [{ a: 1 }] },
    value: { a: 2 },
    errors: [
      'v: Unsupported value: {"a":2}: supported values: "{\\"a\\":1}"',
    ],
  },
  {
    name: 'an object in an enum',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, enum: [{ a: 1, b: 2 }] },
    value: { b: 2, a: 1 },
    errors: [],
  },
  {
    name: 'a list outside an enum',
    schema: { type: 'array', items: { type: 'integer' }, enum: [[1]] },
    value: [1, 2],
    errors: [
      'v: Unsupported value: [1,2]: supported values: "[1]"',
    ],
  },
  {
    name: 'a fraction that converts to an allowed integer',
    schema: { type: 'number', enum: [1] },
    value: 1.5,
    errors: [],
  },
  {
    name: 'a null that is allowed by name only',
    schema: { type: 'string', nullable: true, enum: ['a', null] },
    value: null,
    errors: [
      'v: Unsupported value: null: supported values: "a", "null"',
    ],
  },
  {
    name: 'an enum of several types',
    schema: { 'x-kubernetes-preserve-unknown-fields': true, enum: ['a', 1, null, { x: 1 }] },
    value: 'b',
    errors: [
      'v: Unsupported value: "b": supported values: "a", "1", "null", "{\\"x\\":1}"',
    ],
  },
  {
    name: 'a list that is too short',
    schema: { type: 'array', items: { type: 'string' }, minItems: 2 },
    value: ['a'],
    errors: [
      'v: Invalid value: 1: v in body should have at least 2 items',
    ],
  },
  {
    name: 'a list that is too long',
    schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    value: ['a', 'b', 'c'],
    errors: [
      'v: Too many: 3: must have at most 1 item',
    ],
  },
  {
    name: 'an empty list',
    schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
    value: [],
    errors: [
      'v: Invalid value: 0: v in body should have at least 1 items',
    ],
  },
  {
    name: 'bad items by their index',
    schema: { type: 'array', items: { type: 'integer' } },
    value: [1, 'a', 2, 'b'],
    errors: [
      'v[1]: Invalid value: "string": v[1] in body must be of type integer: "string"',
      'v[3]: Invalid value: "string": v[3] in body must be of type integer: "string"',
    ],
  },
  {
    name: 'bad items of nested lists',
    schema: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    value: [[1], ['a']],
    errors: [
      'v[1][0]: Invalid value: "string": v[1][0] in body must be of type integer: "string"',
    ],
  },
  {
    name: 'an object with too few members',
    schema: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 2 },
    value: { a: 'b' },
    errors: [
      'v: Invalid value: 1: v in body should have at least 2 properties',
    ],
  },
  {
    name: 'an object with too many members',
    schema: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
    value: { a: 'b', c: 'd' },
    errors: [
      'v: Too many: 2: must have at most 1 item',
    ],
  },
  {
    name: 'a bad value of a map',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    value: { 'a.b': 'x' },
    errors: [
      'v.a.b: Invalid value: "string": v.a.b in body must be of type integer: "string"',
    ],
  },
  {
    name: 'members of a map that allows none',
    schema: { type: 'object', additionalProperties: false },
    value: { a: 1 },
    errors: [
      'v: Invalid value: "a": v.a in body is a forbidden property',
    ],
  },
  {
    name: 'a missing required member',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
    value: { b: 'x' },
    errors: [
      'v.a: Required value',
    ],
  },
  {
    name: 'a required member with null, which is dropped',
    schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    value: { a: null },
    errors: [
      'v.a: Required value',
    ],
  },
  {
    name: 'a required nullable member with null',
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true } }, required: ['a'] },
    value: { a: null },
    errors: [],
  },
  {
    name: 'members named like those of every object',
    schema: { type: 'object', properties: { constructor: { type: 'string' }, toString: { type: 'string' } }, required: ['constructor'] },
    value: { toString: 1 },
    errors: [
      'v.toString: Invalid value: "integer": v.toString in body must be of type string: "integer"',
      'v.constructor: Required value',
    ],
  },
  {
    name: 'bad members by their path',
    schema: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'array', items: { type: 'object', properties: { c: { type: 'integer' } } } } } } } },
    value: { a: { b: [{ c: 1 }, { c: 'x' }] } },
    errors: [
      'v.a.b[1].c: Invalid value: "string": v.a.b[1].c in body must be of type integer: "string"',
    ],
  },
  {
    name: 'an integer or text that is a boolean',
    schema: { 'x-kubernetes-int-or-string': true },
    value: true,
    errors: [
      'v: Invalid value: "boolean": v in body must be of type integer,string: "boolean"',
    ],
  },
  {
    name: 'an integer or text that is a fraction',
    schema: { 'x-kubernetes-int-or-string': true },
    value: 1.5,
    errors: [
      'v: Invalid value: "number": v in body must be of type integer,string: "number"',
    ],
  },
  {
    name: 'an integer or text that is a text',
    schema: { 'x-kubernetes-int-or-string': true },
    value: '10%',
    errors: [],
  },
  {
    name: 'an integer or text that is a list',
    schema: { 'x-kubernetes-int-or-string': true },
    value: [],
    errors: [
      'v: Invalid value: "array": v in body must be of type integer,string: "array"',
    ],
  },
  {
    name: 'an integer or text spelled out that is a boolean',
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    value: true,
    errors: [
      'v: Invalid value: "boolean": v in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v: Invalid value: "boolean": v in body must be of type integer: "boolean"',
    ],
  },
  {
    name: 'an integer or text with a pattern',
    schema: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' },
    value: 'ten',
    errors: [
      'v: Invalid value: "ten": v in body should match \'^[0-9]+%$\'',
    ],
  },
  {
    name: 'an integer or text beyond a maximum',
    schema: { 'x-kubernetes-int-or-string': true, maximum: 5 },
    value: 7,
    errors: [
      'v: Invalid value: 7: v in body should be less than or equal to 5',
    ],
  },
  {
    name: 'anything where everything is kept',
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
    value: { a: [1, { b: null }] },
    errors: [],
  },
  {
    name: 'none of two alternatives',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    value: {},
    errors: [
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v.a: Required value',
    ],
  },
  {
    name: 'one of two alternatives',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    value: { b: 'x' },
    errors: [],
  },
  {
    name: 'the alternative that came further is reported',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, anyOf: [{ required: ['a', 'b'] }, { required: ['b'], properties: { b: { minimum: 5 } } }] },
    value: { b: 3 },
    errors: [
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v.b: Invalid value: 3: v.b in body should be greater than or equal to 5',
    ],
  },
  {
    name: 'none of exactly one',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    value: {},
    errors: [
      '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found none valid',
      'v.a: Required value',
    ],
  },
  {
    name: 'both of exactly one',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    value: { a: 'x', b: 'y' },
    errors: [
      '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'exactly one of exactly one',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    value: { a: 'x' },
    errors: [],
  },
  {
    name: 'three of exactly one',
    schema: { type: 'string', oneOf: [{ minLength: 1 }, { minLength: 2 }, { minLength: 3 }] },
    value: 'abc',
    errors: [
      '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found 3 valid alternatives',
    ],
  },
  {
    name: 'one of all',
    schema: { type: 'string', allOf: [{ minLength: 1 }, { maxLength: 2 }] },
    value: 'abc',
    errors: [
      'v: Too long: may not be more than 2 bytes',
      '<nil>: Invalid value: "": "v" must validate all the schemas (allOf)',
    ],
  },
  {
    name: 'none of all',
    schema: { type: 'string', allOf: [{ minLength: 5 }, { maxLength: 2 }] },
    value: 'abc',
    errors: [
      'v: Invalid value: "abc": v in body should be at least 5 chars long',
      'v: Too long: may not be more than 2 bytes',
      '<nil>: Invalid value: "": "v" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    name: 'all of all',
    schema: { type: 'string', allOf: [{ minLength: 1 }, { maxLength: 3 }] },
    value: 'abc',
    errors: [],
  },
  {
    name: 'the same complaint twice',
    schema: { type: 'string', maxLength: 2, allOf: [{ maxLength: 2 }] },
    value: 'abc',
    errors: [
      'v: Too long: may not be more than 2 bytes',
      '<nil>: Invalid value: "": "v" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    name: 'what must not be',
    schema: { type: 'string', not: { enum: ['a'] } },
    value: 'a',
    errors: [
      '<nil>: Invalid value: "": "v" must not validate the schema (not)',
    ],
  },
  {
    name: 'what must not be and is not',
    schema: { type: 'string', not: { enum: ['a'] } },
    value: 'b',
    errors: [],
  },
  {
    name: 'nested alternatives',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } }, anyOf: [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { not: { required: ['c'] } }] },
    value: { a: '1', b: '2', c: '3' },
    errors: [
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'alternatives of items',
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] } },
    value: [{ a: '1' }, {}, { a: '1', b: '2' }],
    errors: [
      '<nil>: Invalid value: "": "v[1]" must validate one and only one schema (oneOf). Found none valid',
      'v[1].a: Required value',
      '<nil>: Invalid value: "": "v[2]" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'an alternative without any constraint',
    schema: { type: 'string', anyOf: [{}] },
    value: 'a',
    errors: [],
  },
  {
    name: 'a format inside an alternative',
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    value: 'x',
    errors: [
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v: Invalid value: "x": v in body must be of type ipv4: "x"',
    ],
  },
  {
    name: 'a bad date-time',
    schema: { type: 'string', format: 'date-time' },
    value: 'yesterday',
    errors: [
      'v: Invalid value: "yesterday": v in body must be of type date-time: "yesterday"',
    ],
  },
  {
    name: 'an integer for a date-time',
    schema: { type: 'string', format: 'date-time' },
    value: 5,
    errors: [
      'v: Invalid value: "int64": v in body must be of type date-time: "int64"',
    ],
  },
  {
    name: 'an object for a date-time',
    schema: { type: 'string', format: 'date-time' },
    value: {},
    errors: [
      'v: Invalid value: "": v in body must be of type date-time: ""',
    ],
  },
  {
    name: 'a boolean for a date-time',
    schema: { type: 'string', format: 'date-time' },
    value: false,
    errors: [
      'v: Invalid value: "": v in body must be of type date-time: ""',
    ],
  },
  {
    name: 'a list for a date-time, which passes',
    schema: { type: 'string', format: 'date-time' },
    value: [],
    errors: [],
  },
  {
    name: 'a format with dashes elsewhere',
    schema: { type: 'string', format: 'date-ti-me' },
    value: 'x',
    errors: [
      'v: Invalid value: "x": v in body must be of type date-ti-me: "x"',
    ],
  },
  {
    name: 'an unknown format',
    schema: { type: 'string', format: 'ip' },
    value: 'x',
    errors: [],
  },
  {
    name: 'a format on a boolean means nothing',
    schema: { type: 'boolean', format: 'date' },
    value: true,
    errors: [],
  },
  {
    name: 'a numeric format on a text means nothing',
    schema: { type: 'string', format: 'int32' },
    value: 'x',
    errors: [],
  },
  {
    name: 'a repeated item of a set',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    value: ['a', 'b', 'a', 'a'],
    errors: [
      'v[2]: Duplicate value: "a"',
    ],
  },
  {
    name: 'a repeated compound of a set',
    schema: { type: 'array', items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }, 'x-kubernetes-list-type': 'set' },
    value: [{ a: 1, b: 2 }, { b: 2, a: 1 }],
    errors: [
      'v[1]: Duplicate value: {"a":1,"b":2}',
    ],
  },
  {
    name: 'a text and a number in a set',
    schema: { type: 'array', items: { 'x-kubernetes-int-or-string': true }, 'x-kubernetes-list-type': 'set' },
    value: [1, '1'],
    errors: [],
  },
  {
    name: 'a repeated key of a map list',
    schema: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string' } }, required: ['k'] }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    value: [{ k: 'a', v: '1' }, { k: 'a', v: '2' }],
    errors: [
      'v[1]: Duplicate value: {"k":"a"}',
    ],
  },
  {
    name: 'repeated keys of a map list with two',
    schema: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' }, p: { type: 'integer' }, v: { type: 'string' } }, required: ['k', 'p'] }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'p'] },
    value: [{ k: 'a', p: 1 }, { k: 'a', p: 2 }, { k: 'a', p: 1 }],
    errors: [
      'v[2]: Duplicate value: {"k":"a","p":1}',
    ],
  },
  {
    name: 'absent keys of a map list',
    schema: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    value: [{ v: '1' }, { v: '2' }],
    errors: [
      'v[1]: Duplicate value: {}',
    ],
  },
  {
    name: 'items of a map list that are no objects',
    schema: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    value: [{ k: 'a' }, 'b'],
    errors: [
      'v[1]: Invalid value: "string": v[1] in body must be of type object: "string"',
      'v[1]: Invalid value: "b": must be an object for an array of list-type map',
    ],
  },
  {
    name: 'a set inside a map',
    schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } },
    value: { x: ['a', 'a'] },
    errors: [
      'v[x][1]: Duplicate value: "a"',
    ],
  },
  {
    name: 'an embedded resource without type',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { a: 1 },
    errors: [
      'v.apiVersion: Required value',
      'v.kind: Required value',
    ],
  },
  {
    name: 'an embedded resource with an empty kind',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'v1', kind: '' },
    errors: [
      'v.kind: Invalid value: "": must not be empty',
    ],
  },
  {
    name: 'an embedded resource with a bad apiVersion',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'a/b/c', kind: 'Foo' },
    errors: [
      'v.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
  },
  {
    name: 'an embedded resource with a bad kind',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'v1', kind: 'Foo_Bar' },
    errors: [
      'v.kind: Invalid value: "Foo_Bar": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or \'-\', start with an alphabetic character, and end with an alphanumeric character (e.g. \'my-name\',  or \'abc-123\', regex used for validation is \'[a-z]([-a-z0-9]*[a-z0-9])?\')',
    ],
  },
  {
    name: 'an embedded resource with bad metadata',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'a/b', labels: { x: '!' } } },
    errors: [
      'v.metadata.name: Invalid value: "a/b": may not contain \'/\'',
      'v.metadata.labels: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, \'-\', \'_\' or \'.\', and must start and end with an alphanumeric character (e.g. \'MyValue\',  or \'my_value\',  or \'12345\', regex used for validation is \'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\')',
    ],
  },
  {
    name: 'an embedded resource with a list as metadata',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'v1', kind: 'Foo', metadata: [] },
    errors: [
      'v.metadata: Invalid value: []: json: cannot unmarshal array into Go value of type v1.ObjectMeta',
    ],
  },
  {
    name: 'an embedded resource with a number as kind',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    value: { apiVersion: 'v1', kind: 5 },
    errors: [
      'v.kind: Invalid value: 5: must be a string',
    ],
  },
];
