import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../object.js';
import { fieldErrorMessage } from './field-error.js';
import { nameIsDnsSubdomain } from './names.js';
import { validateObjectMetaUpdate } from './object-meta-update.js';
import { annotationsMaxBytes, validateFieldManager, validateObjectMeta } from './object-meta.js';

const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const owner = { apiVersion: 'v1', kind: 'A', name: 'e', uid: 'u' };
const good: ObjectMeta = { name: 'x', namespace: 'ns' };

const creations: readonly (readonly [string, ObjectMeta, readonly string[]])[] = [
  [
    'a complete one',
    {
      ...good,
      labels: { 'a/b': 'c' },
      annotations: { 'A/b': 'any text' },
      ownerReferences: [owner],
      finalizers: ['a/b'],
    },
    [],
  ],
  [
    'null for every list and map, as a client may send it',
    { ...good, labels: null, annotations: null, ownerReferences: null, finalizers: null, managedFields: null } as never,
    [],
  ],
  ['no name', { namespace: 'ns' }, ['metadata.name: Required value: name or generateName is required']],
  [
    'a bad generateName',
    { ...good, generateName: '_A', name: '_Ax' },
    [`metadata.generateName: Invalid value: "_A": ${subdomain}`, `metadata.name: Invalid value: "_Ax": ${subdomain}`],
  ],
  ['no namespace', { name: 'x' }, ['metadata.namespace: Required value']],
  [
    'a bad namespace',
    { name: 'x', namespace: 'a.b' },
    ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
  ],
  [
    'a negative generation',
    { ...good, generation: -1 },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'bad labels',
    { ...good, labels: { 'a b': 'x y' } },
    [`metadata.labels: Invalid value: "a b": name part ${key}`, `metadata.labels: Invalid value: "x y": ${value}`],
  ],
  [
    'a bad annotation key',
    { ...good, annotations: { 'a b': '' } },
    [`metadata.annotations: Invalid value: "a b": name part ${key}`],
  ],
  [
    'too many annotations',
    { ...good, annotations: { a: 'é'.repeat(annotationsMaxBytes / 2) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  ['annotations just small enough', { ...good, annotations: { a: 'x'.repeat(annotationsMaxBytes - 1) } }, []],
  [
    'an empty owner',
    { ...good, ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ],
  [
    'an owner without fields, as a client may send it',
    { ...good, ownerReferences: [{ apiVersion: 'a/b/c' } as never] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ],
  [
    'an Event as owner',
    { ...good, ownerReferences: [{ uid: 'u', apiVersion: 'v1', kind: 'Event', name: 'e', controller: true }] },
    [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u","controller":true}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    'an Event of another group as owner',
    { ...good, ownerReferences: [{ ...owner, apiVersion: 'events.k8s.io/v1', kind: 'Event' }] },
    [],
  ],
  [
    'two controllers',
    {
      ...good,
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, blockOwnerDeletion: false },
        { ...owner, kind: 'B', name: 'f', uid: 'u2', controller: true },
      ],
    },
    [
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"e","uid":"u","controller":true},{"apiVersion":"v1","kind":"A","name":"e","uid":"u","blockOwnerDeletion":false},{"apiVersion":"v1","kind":"B","name":"f","uid":"u2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for A/e and B/f',
    ],
  ],
  [
    'bad finalizers',
    { ...good, finalizers: ['a b', 'orphan', 'foregroundDeletion'] },
    [
      `metadata.finalizers: Invalid value: "a b": name part ${key}`,
      'metadata.finalizers: Invalid value: ["a b","orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    'bad managed fields',
    { ...good, managedFields: [{ manager: 'm', operation: 'Foo', fieldsType: 'X', subresource: 's'.repeat(257) }] },
    [
      'metadata.managedFields[0].operation: Invalid value: "Foo": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "X": must be `FieldsV1`',
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
];

describe('metadata of a new object', () => {
  it.each(creations)('with %s gets the verdict and messages of the server', (_what, meta, messages) => {
    const rules = { namespaced: true, nameValidator: nameIsDnsSubdomain };
    expect(validateObjectMeta(meta, rules).map(fieldErrorMessage)).toEqual(messages);
  });

  it('may have no namespace when its kind is cluster-scoped', () => {
    const rules = { namespaced: false, nameValidator: nameIsDnsSubdomain };
    expect(validateObjectMeta({ name: 'x' }, rules)).toEqual([]);
    expect(validateObjectMeta(good, rules, 'm').map(fieldErrorMessage)).toEqual([
      'm.namespace: Forbidden: not allowed on this type',
    ]);
  });

  it('has only standard or qualified finalizers when its kind is built in', () => {
    const rules = { namespaced: true, nameValidator: nameIsDnsSubdomain, builtIn: true };
    const meta = { ...good, finalizers: ['kubernetes', 'a/b', 'noprefix'] };
    expect(validateObjectMeta(meta, rules).map(fieldErrorMessage)).toEqual([
      'metadata.finalizers[2]: Invalid value: "noprefix": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(validateObjectMeta(meta, { ...rules, builtIn: false })).toEqual([]);
  });
});

const stored: ObjectMeta = {
  ...good,
  uid: 'u',
  resourceVersion: '5',
  generation: 3,
  creationTimestamp: '2020-01-01T00:00:00Z',
};

const updates: readonly (readonly [string, ObjectMeta, ObjectMeta, readonly string[]])[] = [
  ['nothing changed', stored, stored, []],
  ['null where nothing was', { ...stored, deletionTimestamp: null, deletionGracePeriodSeconds: null }, stored, []],
  [
    'no resourceVersion',
    { ...stored, resourceVersion: '' },
    stored,
    ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ],
  [
    'a smaller generation',
    { ...stored, generation: 2 },
    stored,
    ['metadata.generation: Invalid value: 2: must not be decremented'],
  ],
  [
    'another identity',
    { resourceVersion: '5', generation: 3, name: 'y', uid: 'v' },
    stored,
    [
      'metadata.name: Invalid value: "y": field is immutable',
      'metadata.namespace: Invalid value: "": field is immutable',
      'metadata.uid: Invalid value: "v": field is immutable',
      'metadata.creationTimestamp: Invalid value: null: field is immutable',
    ],
  ],
  [
    'a deletion slipped in',
    { ...stored, deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 },
    stored,
    [
      'metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
    ],
  ],
  [
    'finalizers joining a dying object',
    { ...stored, deletionTimestamp: 't', finalizers: ['a/z', 'a/f', 'a/g', 'a/z'] },
    { ...stored, deletionTimestamp: 't', finalizers: ['a/f'] },
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/g", "a/z"}',
    ],
  ],
  [
    'finalizers leaving a dying object',
    { ...stored, deletionTimestamp: 't' },
    { ...stored, deletionTimestamp: 't', finalizers: ['a/f'] },
    [],
  ],
  ['finalizers joining a living object', { ...stored, finalizers: ['a/f'] }, stored, []],
  ['bad labels', { ...stored, labels: { a: 'x y' } }, stored, [`metadata.labels: Invalid value: "x y": ${value}`]],
];

describe('metadata of a replaced object', () => {
  it.each(updates)('with %s gets the verdict and messages of the server', (_what, next, previous, messages) => {
    expect(validateObjectMetaUpdate(next, previous).map(fieldErrorMessage)).toEqual(messages);
  });

  it('has only standard or qualified finalizers when its kind is built in', () => {
    const next = { ...stored, finalizers: ['noprefix'] };
    expect(validateObjectMetaUpdate(next, stored, 'metadata', { builtIn: true }).map(fieldErrorMessage)).toEqual([
      'metadata.finalizers[0]: Invalid value: "noprefix": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
});

describe('a field manager', () => {
  it('is short and printable', () => {
    expect(validateFieldManager('kubectl', 'fieldManager')).toEqual([]);
    expect(validateFieldManager('é\u0007\u200b', 'fieldManager').map(fieldErrorMessage)).toEqual([
      'fieldManager: Invalid value: "é\\a\\u200b": invalid character U+0007 (at position 2)',
      'fieldManager: Invalid value: "é\\a\\u200b": invalid character U+200B (at position 3)',
    ]);
    expect(validateFieldManager('x'.repeat(129), 'fieldManager').map(fieldErrorMessage)).toEqual([
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
  });
});
