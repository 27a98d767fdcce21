import { describe, expect, it } from 'vitest';
import {
  duplicate,
  fieldErrorBody,
  fieldErrorMessage,
  fieldErrorReason,
  fieldErrors,
  fieldErrorsMessage,
  forbidden,
  indexField,
  internalError,
  invalid,
  joinField,
  keyField,
  notFound,
  notSupported,
  omitValue,
  RawValue,
  required,
  tooFew,
  tooLong,
  tooLongCharacters,
  tooMany,
  tooShort,
  typeInvalid,
  type FieldError,
} from './field-error.js';

const messages: readonly (readonly [FieldError, string, string])[] = [
  [required('spec.a'), 'FieldValueRequired', 'spec.a: Required value'],
  [required('spec.a', 'why'), 'FieldValueRequired', 'spec.a: Required value: why'],
  [invalid('spec.a', 'x"y', 'bad'), 'FieldValueInvalid', 'spec.a: Invalid value: "x\\"y": bad'],
  [invalid('spec.a', -1, ''), 'FieldValueInvalid', 'spec.a: Invalid value: -1'],
  [invalid('spec.a', omitValue, 'bad'), 'FieldValueInvalid', 'spec.a: Invalid value: bad'],
  [invalid('spec.a', new RawValue('0x0'), 'bad'), 'FieldValueInvalid', 'spec.a: Invalid value: 0x0: bad'],
  [
    notSupported('spec.a', 'x', ['a', 'b']),
    'FieldValueNotSupported',
    'spec.a: Unsupported value: "x": supported values: "a", "b"',
  ],
  [
    notSupported('dryRun', ['x'], ['All']),
    'FieldValueNotSupported',
    'dryRun: Unsupported value: ["x"]: supported values: "All"',
  ],
  [notSupported('a', 'x', []), 'FieldValueNotSupported', 'a: Unsupported value: "x"'],
  [duplicate('spec.a[1]', 'x'), 'FieldValueDuplicate', 'spec.a[1]: Duplicate value: "x"'],
  [forbidden('spec.a', 'no'), 'FieldValueForbidden', 'spec.a: Forbidden: no'],
  [tooLong('spec.a', 'xxx', 2), 'FieldValueTooLong', 'spec.a: Too long: may not be more than 2 bytes'],
  [tooLong('spec.a', 'xxx', 1), 'FieldValueTooLong', 'spec.a: Too long: may not be more than 1 byte'],
  [tooLong('spec.a', 'xxx', -1), 'FieldValueTooLong', 'spec.a: Too long: value is too long'],
  [tooLongCharacters('a', 'x', 3), 'FieldValueTooLong', 'a: Too long: may not be more than 3 characters'],
  [tooShort('a', 'x', 3), 'FieldValueTooShort', 'a: Too short: must be at least 3 characters'],
  [tooMany('spec.l', 5, 3), 'FieldValueTooMany', 'spec.l: Too many: 5: must have at most 3 items'],
  [tooMany('spec.l', 2, 1), 'FieldValueTooMany', 'spec.l: Too many: 2: must have at most 1 item'],
  [tooMany('spec.l', -1, 3), 'FieldValueTooMany', 'spec.l: Too many: must have at most 3 items'],
  [tooFew('spec.l', 0, 1), 'FieldValueTooFew', 'spec.l: Too few: 0: must have at least 1 item'],
  [notFound('spec.a', 'x'), 'FieldValueNotFound', 'spec.a: Not found: "x"'],
  [
    typeInvalid('spec.a', 'integer', 'spec.a in body must be of type string: "integer"'),
    'FieldValueTypeInvalid',
    'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"',
  ],
  [internalError('spec.a', 'boom'), 'InternalError', 'spec.a: Internal error: boom'],
  [invalid('', 'x', 'bad'), 'FieldValueInvalid', '<nil>: Invalid value: "x": bad'],
];

describe('field errors', () => {
  it.each(messages)('%o has reason %s and reads %s', (error, reason, message) => {
    expect(fieldErrorReason(error.type)).toBe(reason);
    expect(fieldErrorMessage(error)).toBe(message);
    expect(fieldErrorBody(error)).toBe(message.slice(error.field.length + 2));
  });

  it.each<readonly [unknown, string]>([
    ['tab\there', '"tab\\there"'],
    ['bell\u0007 del\u007f nbsp\u00a0 shy\u00ad', '"bell\\a del\\x7f nbsp\\u00a0 shy\\u00ad"'],
    ['é😀\u2028', '"é😀\\u2028"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['lone \ud800', '"lone \ufffd"'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'null'],
    [1234567, '1234567'],
    [1234567.5, '1.2345675e+06'],
    [0.00001, '1e-05'],
    [1e19, '1e+19'],
    [-0, '-0'],
    [9007199254740993n, '9007199254740993'],
    [{ b: 1, a: [null, '<&>'], '10': 0 }, '{"10":0,"a":[null,"\\u003c\\u0026\\u003e"],"b":1}'],
    [{ '\uffff': 1, '😀': 2 }, '{"\uffff":1,"😀":2}'],
    [{ a: undefined, b: '\u2029' }, '{"b":"\\u2029"}'],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])('prints the bad value %o as Go does: %s', (value, text) => {
    expect(fieldErrorMessage(invalid('f', value, 'd'))).toBe(`f: Invalid value: ${text}: d`);
  });

  it('joins several messages in brackets and counts equal ones once', () => {
    const a = required('a');
    const b = required('b');
    expect(fieldErrorsMessage([a])).toBe('a: Required value');
    expect(fieldErrorsMessage([a, a])).toBe('a: Required value');
    expect(fieldErrorsMessage([a, b, a])).toBe('[a: Required value, b: Required value]');
  });

  it('builds paths as Go does', () => {
    expect(joinField(indexField(joinField(joinField('', 'spec'), 'containers'), 0), 'name')).toBe(
      'spec.containers[0].name',
    );
    expect(keyField('metadata.labels', 'a/b')).toBe('metadata.labels[a/b]');
  });

  it('offers every constructor by name', () => {
    expect(fieldErrors.required('a')).toEqual(required('a'));
  });
});
