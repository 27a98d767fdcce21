import { type JsonObject, fieldErrorMessage } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { type ObjectRequest, liveDefinition, objectCheck } from './object-check.js';

const TEXT = { type: 'string' };

/** A CRD with one version whose spec and status have the fields. */
function definition(spec: JsonObject, more: JsonObject = {}): JsonObject {
  const properties = {
    spec: { type: 'object', properties: spec, ...more },
    status: { type: 'object', properties: { phase: { ...TEXT, enum: ['Good', 'Bad'] }, old: TEXT } },
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' } },
  };
  const spare = { ...version, name: 'v2', storage: false };
  return {
    metadata: { name: 'boats.example.com' },
    spec: { group: 'example.com', names: { kind: 'Boat', plural: 'boats' }, versions: [version, spare] },
  };
}

const REQUIRED = definition(
  {
    count: { type: 'integer', maximum: 10 },
    mode: { ...TEXT, enum: ['a', 'b'], default: 'a' },
    steps: { type: 'array', items: { type: 'object', properties: { name: TEXT } } },
    gone: { type: 'object', properties: { deep: { type: 'integer' } }, required: ['deep'] },
    even: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self % 2 == 0', message: 'odd' }] },
    fixed: { ...TEXT, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays' }] },
  },
  { required: ['mode'] },
);

const options = { versions: ['v1'], excludedFields: [{ path: 'spec.gone' }] };

function check(request: Partial<ObjectRequest> & { readonly object: unknown }): readonly string[] {
  const made = objectCheck(REQUIRED, options);
  if ('errors' in made) throw new TypeError('the options are wrong');
  const { errors, warnings } = made.ok.check({
    operation: request.oldObject === undefined ? 'CREATE' : 'UPDATE',
    version: 'v1',
    ...request,
  });
  return [...errors.map(fieldErrorMessage), ...warnings.map((text) => `warning: ${text}`)];
}

const boat = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Boat',
  metadata: { name: 'a' },
  spec,
  ...more,
});
const unknown = (path: string): string => `${path}: Forbidden: the required CRD has no such field`;
const TOO_MANY = (count: number): string =>
  `spec.count: Invalid value: ${count}: spec.count in body should be less than or equal to 10`;
const UNCHECKED =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
const NO_MODE = 'spec.mode: Unsupported value: "c": supported values: "a", "b"';

describe('objects', () => {
  it.each<[string, Partial<ObjectRequest> & { readonly object: unknown }, readonly string[]]>([
    ['that conform are fine, with a required field that the required CRD fills in', { object: boat({ count: 3 }) }, []],
    ['get every violation reported', { object: boat({ count: 11, mode: 'c' }) }, [TOO_MANY(11), NO_MODE, UNCHECKED]],
    [
      'get unknown fields reported',
      { object: boat({ extra: 1, steps: [{ name: 'x' }, { odd: 1 }] }) },
      [unknown('spec.extra'), unknown('spec.steps[1].odd')],
    ],
    ['may have anything in excluded fields', { object: boat({ gone: { strange: true } }) }, []],
    [
      'are held to rules on siblings of excluded fields',
      { object: boat({ gone: {}, even: 3 }) },
      ['spec.even: Invalid value: 3: odd'],
    ],
    ['of versions that are not required are nobody’s business', { object: boat({ count: 11 }), version: 'v2' }, []],
    ['that are deleted are nobody’s business', { object: boat({ count: 11 }), operation: 'DELETE' }, []],
    [
      'that violate may change their metadata',
      { object: boat({ count: 11 }, { metadata: { name: 'a', finalizers: [] } }), oldObject: boat({ count: 11 }) },
      [],
    ],
    [
      'that violate may change what does not',
      { object: boat({ count: 11, extra: 1, mode: 'b' }), oldObject: boat({ count: 11, extra: 1 }) },
      ['warning: spec.extra: the required CRD has no such field'],
    ],
    [
      'may not get worse',
      { object: boat({ count: 12, extra: 2 }), oldObject: boat({ count: 11, extra: 1 }) },
      [TOO_MANY(12), unknown('spec.extra')],
    ],
    [
      'are held to transition rules on siblings of excluded fields',
      { object: boat({ gone: {}, fixed: 'y' }), oldObject: boat({ gone: {}, fixed: 'x' }) },
      ['spec.fixed: Invalid value: "y": stays'],
    ],
    [
      'may get an excluded field that is wrong when nothing else changes',
      { object: boat({ gone: {}, fixed: 'x' }), oldObject: boat({ fixed: 'x' }) },
      [],
    ],
    [
      'are held to rules about changes',
      { object: boat({ fixed: 'y' }), oldObject: boat({ fixed: 'x' }) },
      ['spec.fixed: Invalid value: "y": stays'],
    ],
  ])('%s', (_title, request, expected) => {
    expect(check(request)).toEqual(expected);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['good', { phase: 'Good' }, []],
    [
      'bad',
      { phase: 'Odd', more: 1 },
      ['status.phase: Unsupported value: "Odd": supported values: "Good", "Bad"', unknown('status.more')],
    ],
  ])('that violate can get a %s status', (_title, status, expected) => {
    const spec = { count: 11, extra: 1, mode: 'c' };
    expect(check({ subresource: 'status', object: boat(spec, { status }), oldObject: boat(spec) })).toEqual(expected);
  });

  it.each<[number, number | undefined, readonly string[]]>([
    [3, 1, []],
    [11, 1, [TOO_MANY(11)]],
    [11, 11, []],
    [11, undefined, [TOO_MANY(11)]],
  ])('scaled to %s from %s', (now, before, expected) => {
    const scale = (replicas: number | undefined): JsonObject => ({
      kind: 'Scale',
      spec: replicas === undefined ? {} : { replicas },
    });
    expect(check({ subresource: 'scale', operation: 'UPDATE', object: scale(now), oldObject: scale(before) })).toEqual(
      expected,
    );
  });

  it('are not blamed for what the live CRD fills in', () => {
    const live = liveDefinition(
      definition({
        extra: { ...TEXT, default: 'x' },
        mode: { ...TEXT, default: 'c' },
        steps: { type: 'array', items: { type: 'object', properties: { odd: { ...TEXT, default: 'x' } } } },
        whole: { type: 'object', default: { inner: 1 }, properties: { inner: { type: 'integer' } } },
      }),
    );
    const filled = { extra: 'x', mode: 'c', steps: [{ odd: 'x' }], whole: { inner: 1 } };
    expect(check({ live, object: boat(filled) })).toEqual([]);
    expect(check({ live, object: boat({ ...filled, extra: 'y', whole: { inner: 2 } }) })).toEqual([
      unknown('spec.extra'),
      unknown('spec.whole'),
    ]);
    expect(check({ object: boat(filled) })).toEqual([
      NO_MODE,
      UNCHECKED,
      unknown('spec.extra'),
      unknown('spec.steps[0].odd'),
      unknown('spec.whole'),
    ]);
  });

  it('are not blamed for what is filled in under a name with dots', () => {
    const name = { ...TEXT, default: 'x' };
    const live = liveDefinition(
      definition({
        'a.b/c': name,
        a: { type: 'object', properties: { 'b.c': name } },
        list: { type: 'array', items: { type: 'object', properties: { 'd.e': name } } },
      }),
    );
    const made = boat({ 'a.b/c': 'x', a: { 'b.c': 'x' }, list: [{ 'd.e': 'x' }] });
    const bad = ['spec.a', 'spec.list'];
    expect(check({ live, object: made })).toEqual(bad.map(unknown));
    expect(check({ live, object: boat({ 'a.b/c': 'y' }) })).toEqual([unknown('spec.a.b/c')]);
  });

  it('are held to rules about status fields next to excluded ones', () => {
    const rule = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays' }] };
    const crd = definition({});
    const { spec } = crd as { spec: { versions: { schema: { openAPIV3Schema: { properties: JsonObject } } }[] } };
    const count = { type: 'integer', maximum: 10 };
    const status = {
      type: 'object',
      properties: { phase: { ...TEXT, ...rule }, deep: { type: 'object', required: ['n'], properties: { n: count } } },
    };
    for (const { schema } of spec.versions) schema.openAPIV3Schema.properties['status'] = status;
    const made = objectCheck(crd, { versions: ['v1'], excludedFields: [{ path: 'status.deep' }] });
    if ('errors' in made) throw new TypeError('the options are wrong');
    const [object, oldObject] = [boat({}, { status: { phase: 'b', deep: {} } }), boat({}, { status: { phase: 'a' } })];
    const { errors } = made.ok.check({ operation: 'UPDATE', version: 'v1', subresource: 'status', object, oldObject });
    expect(errors.map(fieldErrorMessage)).toEqual(['status.phase: Invalid value: "b": stays']);
  });
});
