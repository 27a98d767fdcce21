import { fieldErrorMessage } from '@capstan/meta';
import { describe, expect, test } from 'vitest';
import { admissionCases } from './admission.table.js';
import { admitSchema, admitSelectableFields } from './admission.js';

describe('the schema of a CRD is admitted as the server admits it', () => {
  test.each(admissionCases)('$name', ({ schema, status = false, errors }) => {
    const options = { path: 'spec.validation', status };
    expect(admitSchema(schema, options).map(fieldErrorMessage)).toEqual(errors);
  });
});

describe('selectable fields', () => {
  const schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string' } } },
      spec: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          flag: { type: 'boolean' },
          list: { type: 'array', items: { type: 'string' } },
          map: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  };
  const at = 'spec.versions[0].selectableFields';
  const type =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  const cases = [
    { name: 'may be scalars and values of maps', paths: ['.spec.text', '.spec.flag', '.spec.map.x'], errors: [] },
    { name: 'need a path', paths: [''], errors: [`${at}[0].jsonPath: Required value`] },
    {
      name: 'cannot be lists',
      paths: ['.spec.list'],
      errors: [`${at}[0].jsonPath: Invalid value: ".spec.list": ${type}`],
    },
    {
      name: 'cannot use brackets',
      paths: [".spec['text']"],
      errors: [`${at}[0].jsonPath: Invalid value: ".spec['text']": is an invalid path: array notation is not allowed`],
    },
    {
      name: 'must be known',
      paths: ['.spec.none'],
      errors: [`${at}[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field`],
    },
    {
      name: 'must not be metadata',
      paths: ['.metadata.name'],
      errors: [`${at}[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata`],
    },
    {
      name: 'must not repeat',
      paths: ['.spec.text', '.spec.text'],
      errors: [`${at}[1].jsonPath: Duplicate value: ".spec.text"`],
    },
    {
      name: 'are eight at most',
      paths: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((key) => `.spec.map.${key}`),
      errors: [`${at}: Too many: 9: must have at most 8 items`],
    },
  ];
  test.each(cases)('$name', ({ paths, errors }) => {
    const fields = paths.map((jsonPath) => ({ jsonPath }));
    expect(admitSelectableFields(fields, schema, at).map(fieldErrorMessage)).toEqual(errors);
  });
});
