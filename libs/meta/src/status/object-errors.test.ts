import { describe, expect, it } from 'vitest';
import { invalid as invalidField, required, typeInvalid } from '../validation/field-error.js';
import { ApiError } from './api-error.js';
import { apiErrors as errors } from './catalogue.js';
import * as definitions from './object-errors.js';
import { deleteSuccess, managerText } from './object-errors.js';

const widgets = { group: 'example.com', resource: 'widgets' };
const widget = { group: 'example.com', kind: 'Widget' };
const configmaps = { group: '', resource: 'configmaps' };
const x = { name: 'x', group: 'example.com', kind: 'widgets' };
const cannot = 'Operation cannot be fulfilled on';

/** The body of a failure as the server sends it, its fields in wire order. */
function body(code: number, reason: string, message: string, details?: object): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

const objectRows: readonly (readonly [keyof typeof errors, ApiError, string])[] = [
  ['notFound', errors.notFound(widgets, 'x'), body(404, 'NotFound', 'widgets.example.com "x" not found', x)],
  [
    'notFound',
    errors.notFound(configmaps, 'x'),
    body(404, 'NotFound', 'configmaps "x" not found', { name: 'x', kind: 'configmaps' }),
  ],
  [
    'alreadyExists',
    errors.alreadyExists(widgets, 'x'),
    body(409, 'AlreadyExists', 'widgets.example.com "x" already exists', x),
  ],
  [
    'alreadyExists',
    errors.alreadyExists(widgets, 'x', { terminating: true }),
    body(409, 'AlreadyExists', 'object is being deleted: widgets.example.com "x" already exists', x),
  ],
  [
    'generateNameConflict',
    errors.generateNameConflict(widgets, 'x'),
    body(
      409,
      'AlreadyExists',
      'widgets.example.com "x" already exists, the server was not able to generate a unique name for the object',
      { ...x, retryAfterSeconds: 1 },
    ),
  ],
  [
    'conflict',
    errors.conflict(widgets, 'x', 'why'),
    body(409, 'Conflict', `${cannot} widgets.example.com "x": why`, x),
  ],
  [
    'staleResourceVersion',
    errors.staleResourceVersion(widgets, 'x'),
    body(
      409,
      'Conflict',
      `${cannot} widgets.example.com "x": the object has been modified; please apply your changes to the latest version and try again`,
      x,
    ),
  ],
  [
    'uidPreconditionFailed',
    errors.uidPreconditionFailed(widgets, 'x', '/registry/example.com/widgets/ns/x', 'A', 'B'),
    body(
      409,
      'Conflict',
      `${cannot} widgets.example.com "x": StorageError: invalid object, Code: 4, Key: /registry/example.com/widgets/ns/x, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: A, UID in object meta: B`,
      x,
    ),
  ],
  [
    'storagePreconditionFailed',
    errors.storagePreconditionFailed(configmaps, 'x', '/registry/configmaps/ns/x', 'ResourceVersion', '1', '2'),
    body(
      409,
      'Conflict',
      `${cannot} configmaps "x": StorageError: invalid object, Code: 4, Key: /registry/configmaps/ns/x, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: 2`,
      { name: 'x', kind: 'configmaps' },
    ),
  ],
  [
    'deletePreconditionFailed',
    errors.deletePreconditionFailed(widget, 'x', 'UID', 'A', 'B'),
    body(
      409,
      'Conflict',
      `${cannot} Widget.example.com "x": the UID in the precondition (A) does not match the UID in record (B). The object might have been deleted and then recreated`,
      { ...x, kind: 'Widget' },
    ),
  ],
  [
    'deletePreconditionFailed',
    errors.deletePreconditionFailed({ group: '', kind: 'ConfigMap' }, 'x', 'ResourceVersion', '1', '289'),
    body(
      409,
      'Conflict',
      `${cannot} ConfigMap "x": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (289). The object might have been modified`,
      { name: 'x', kind: 'ConfigMap' },
    ),
  ],
  [
    'invalid',
    errors.invalid(widget, 'x', [required('spec.a')]),
    body(422, 'Invalid', 'Widget.example.com "x" is invalid: spec.a: Required value', {
      ...x,
      kind: 'Widget',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' }],
    }),
  ],
  [
    'invalid',
    errors.invalid({ group: '', kind: 'ConfigMap' }, '', [
      typeInvalid('spec.a', 'integer', 'is wrong'),
      invalidField('metadata.uid', 'abc', 'field is immutable'),
      invalidField('metadata.uid', 'abc', 'field is immutable'),
    ]),
    body(
      422,
      'Invalid',
      'ConfigMap "" is invalid: [spec.a: Invalid value: "integer": is wrong, metadata.uid: Invalid value: "abc": field is immutable]',
      {
        kind: 'ConfigMap',
        causes: [
          { reason: 'FieldValueTypeInvalid', message: 'Invalid value: "integer": is wrong', field: 'spec.a' },
          { reason: 'FieldValueInvalid', message: 'Invalid value: "abc": field is immutable', field: 'metadata.uid' },
          { reason: 'FieldValueInvalid', message: 'Invalid value: "abc": field is immutable', field: 'metadata.uid' },
        ],
      },
    ),
  ],
  [
    'invalid',
    errors.invalid(widget, 'x', []),
    body(422, 'Invalid', 'Widget.example.com "x" is invalid', { ...x, kind: 'Widget' }),
  ],
  [
    'resourceVersionRequired',
    errors.resourceVersionRequired(widgets, 'x'),
    body(
      422,
      'Invalid',
      'widgets.example.com "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      {
        ...x,
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 0: must be specified for an update',
            field: 'metadata.resourceVersion',
          },
        ],
      },
    ),
  ],
  [
    'resourceVersionOnCreate',
    errors.resourceVersionOnCreate(),
    body(500, '', 'resourceVersion should not be set on objects to be created'),
  ],
  ['unclassified', errors.unclassified('boom'), body(500, '', 'boom')],
  [
    'applyConflict',
    errors.applyConflict([{ managerId: 'm1', manager: '"m1"', field: '.spec.a' }]),
    body(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "m1": .spec.a', {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.a' }],
    }),
  ],
  [
    'applyConflict',
    errors.applyConflict([
      { managerId: 'm2', manager: '"m2"', field: '.spec.a' },
      { managerId: 'm1', manager: '"m1" using v1', field: '.spec.b' },
      { managerId: 'm2', manager: '"m2"', field: '.spec.c' },
    ]),
    body(
      409,
      'Conflict',
      'Apply failed with 3 conflicts: conflicts with "m1" using v1:\n- .spec.b\nconflicts with "m2":\n- .spec.a\n- .spec.c',
      {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "m2"', field: '.spec.a' },
          { reason: 'FieldManagerConflict', message: 'conflict with "m1" using v1', field: '.spec.b' },
          { reason: 'FieldManagerConflict', message: 'conflict with "m2"', field: '.spec.c' },
        ],
      },
    ),
  ],
];

describe('the catalogue of answers about objects', () => {
  it.each(objectRows)('%s is sent byte for byte as the server sends it', (_row, error, expected) => {
    expect(JSON.stringify(error.status)).toBe(expected);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(error.status.message);
  });

  it('has a whole body asserted for every row', () => {
    const defined = Object.keys(definitions).filter((name) => Object.hasOwn(errors, name));
    expect([...new Set(objectRows.map(([row]) => row))].sort()).toEqual(defined.sort());
  });

  it('answers a DELETE without a code', () => {
    expect(JSON.stringify(deleteSuccess(widgets, 'w', 'u'))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"w","group":"example.com","kind":"widgets","uid":"u"}}',
    );
    expect(JSON.stringify(deleteSuccess(configmaps, 'c', 'u'))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"c","kind":"configmaps","uid":"u"}}',
    );
  });

  it.each([
    [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', time: 't' }, '"m"'],
    [{ manager: 'm', operation: 'Update', apiVersion: 'v1' }, '"m" using v1'],
    [
      {
        manager: 'm"',
        operation: 'Update',
        apiVersion: 'apps/v1',
        time: '2024-01-01T00:00:00Z',
        subresource: 'status',
      },
      '"m\\"" with subresource "status" using apps/v1 at 2024-01-01T00:00:00Z',
    ],
  ])('names the manager %j as %s', (entry, text) => {
    expect(managerText(entry)).toBe(text);
  });
});

it('lists some of very many errors, and counts the others', () => {
  const many = Array.from({ length: 130_000 }, (_, i) => required(`spec.list[${i}]`));
  const { details, message } = errors.invalid({ group: '', kind: 'Pod' }, 'x', many).status;
  expect(details?.causes).toHaveLength(4_000);
  expect(message).toMatch(
    /^Pod "x" is invalid: \[spec\.list\[0\]: Required value, .*spec\.list\[3999\]: Required value, and 126000 more errors\]$/,
  );
  const large = Array.from({ length: 100 }, (_, i) => invalidField('spec', `${i}${'x'.repeat(1_000_000)}`, 'no'));
  expect(errors.invalid({ group: '', kind: 'Pod' }, 'x', large).status.message).toMatch(/, and 95 more errors\]$/);
});
