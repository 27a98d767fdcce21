import { structByName, structOf } from '@capstan/api/kubernetes';
import type { FieldDef, StructDef, TypeRef } from '@capstan/api/kubernetes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decodeTyped } from './decode.js';
import { TypedDecodeError } from './errors.js';
import { explain } from './explain.js';
import { LEAF_TEXTS } from './leaf-texts.js';

const context = { texts: LEAF_TEXTS };

function structAt(groupVersionKind: string): StructDef {
  const [group = '', version = '', kind = ''] = groupVersionKind.split('/');
  const struct = structOf(group, version, kind);
  if (struct === undefined) throw new Error(`no struct for ${groupVersionKind}`);
  return struct;
}

function fieldOf(struct: string, name: string): FieldDef {
  const field = structByName(struct)?.field(name);
  if (field === undefined) throw new Error(`no field ${struct}.${name}`);
  return field;
}

/** A struct of no table. */
function bare(name: string): StructDef {
  const [path, goName, modelName] = ['test/v1', `v1.${name}`, `test.v1.${name}`];
  const qualifiedName = `${path}.${name}`;
  return {
    name,
    path,
    goName,
    modelName,
    qualifiedName,
    atomic: false,
    fields: [],
    ownFields: [],
    field: () => undefined,
  };
}

/** What Go prints after it decoded the body and carried the object through protobuf, as it does for storage. */
const GOLDEN: readonly (readonly [name: string, struct: string, body: string, printed: string])[] = [
  [
    'a bare Deployment',
    'apps/v1/Deployment',
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x","creationTimestamp":null}}',
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"x"},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
  ],
  [
    'a Deployment',
    'apps/v1/Deployment',
    '{"metadata":{"name":"x","labels":{"b":"2","a":"1"},"annotations":{},"finalizers":[],"ownerReferences":null},"kind":"Deployment","apiVersion":"apps/v1","spec":{"replicas":0,"paused":false,"minReadySeconds":0,"selector":{"matchLabels":{},"matchExpressions":[{"key":"a","operator":"In","values":[]}]},"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"25%"}},"template":{"metadata":{"creationTimestamp":null,"labels":{"a":"1"}},"spec":{"containers":[{"name":"c","image":"","ports":[{"containerPort":80}],"resources":{"limits":{"memory":"1024Ki","cpu":0.5}},"env":[{"name":"A","value":""}],"volumeMounts":null}],"volumes":[{"name":"v","emptyDir":{}},{"name":"w","hostPath":null}],"securityContext":{},"terminationGracePeriodSeconds":0,"nodeSelector":{}}}},"status":{"replicas":0}}',
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"x","labels":{"a":"1","b":"2"}},"spec":{"replicas":0,"selector":{"matchExpressions":[{"key":"a","operator":"In"}]},"template":{"metadata":{"labels":{"a":"1"}},"spec":{"volumes":[{"name":"v","emptyDir":{}},{"name":"w"}],"containers":[{"name":"c","ports":[{"containerPort":80}],"env":[{"name":"A"}],"resources":{"limits":{"cpu":"500m","memory":"1Mi"}}}],"terminationGracePeriodSeconds":0,"securityContext":{}}},"strategy":{"rollingUpdate":{"maxUnavailable":"25%","maxSurge":0}}},"status":{}}',
  ],
  [
    'a Pod',
    '/v1/Pod',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","deletionTimestamp":"2020-01-01T02:00:00+02:00"},"spec":{"containers":[null],"hostNetwork":false,"activeDeadlineSeconds":null},"status":{"containerStatuses":[{"name":"c","ready":false}],"startTime":"2020-01-01T00:00:00.9Z"}}',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","deletionTimestamp":"2020-01-01T00:00:00Z"},"spec":{"containers":[{"name":"","resources":{}}]},"status":{"startTime":"2020-01-01T00:00:00Z","containerStatuses":[{"name":"c","state":{},"lastState":{},"ready":false,"restartCount":0,"image":"","imageID":""}]}}',
  ],
  [
    'a Service',
    '/v1/Service',
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":"http"},{"port":81,"targetPort":null},{"port":82}],"selector":{},"clusterIP":"","publishNotReadyAddresses":false}}',
    '{"kind":"Service","apiVersion":"v1","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":"http"},{"port":81,"targetPort":0},{"port":82,"targetPort":0}]},"status":{"loadBalancer":{}}}',
  ],
  [
    'a ConfigMap',
    '/v1/ConfigMap',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"b":"","a":null},"binaryData":{},"immutable":false}',
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"immutable":false,"data":{"a":"","b":""}}',
  ],
  [
    'a Secret',
    '/v1/Secret',
    '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"z":"YR==","nothing":null,"list":[1,2],"lines":"YW\\nJj"},"stringData":{"k":"v"},"type":""}',
    '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"data":{"lines":"YWJj","list":"AQI=","nothing":"","z":"YQ=="},"stringData":{"k":"v"}}',
  ],
  [
    'a CustomResourceDefinition',
    'apiextensions.k8s.io/v1/CustomResourceDefinition',
    '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"w.e"},"spec":{"group":"e","names":{"plural":"w","kind":"W","shortNames":[]},"scope":"Namespaced","preserveUnknownFields":false,"versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","default":null,"required":[],"properties":{"z":{"type":"array","items":{"type":"string","unknown":1},"maxItems":0},"a":{"enum":[null,1,"x"],"default":{"b":[]},"additionalProperties":false,"x-kubernetes-int-or-string":true,"minimum":0}},"dependencies":{"d":["a"],"e":{"type":"object"}}}}}]}}',
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"w.e"},"spec":{"group":"e","names":{"plural":"w","kind":"W"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"default":{"b":[]},"minimum":0,"enum":[null,1,"x"],"additionalProperties":false,"x-kubernetes-int-or-string":true},"z":{"type":"array","maxItems":0,"items":{"type":"string"}}},"dependencies":{"d":["a"],"e":{"type":"object"}}}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
  ],
  [
    'a bare CustomResourceDefinition',
    'apiextensions.k8s.io/v1/CustomResourceDefinition',
    '{}',
    '{"metadata":{},"spec":{"group":"","names":{"plural":"","kind":""},"scope":"","versions":null},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
  ],
  [
    'a Role without rules',
    'rbac.authorization.k8s.io/v1/Role',
    '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"},"rules":[]}',
    '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"r"},"rules":null}',
  ],
  [
    'a Role',
    'rbac.authorization.k8s.io/v1/Role',
    '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"},"rules":[{"verbs":[null,"get"],"apiGroups":[""],"resources":["a"],"resourceNames":[]},null]}',
    '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"r"},"rules":[{"verbs":["","get"],"apiGroups":[""],"resources":["a"]},{"verbs":null}]}',
  ],
  [
    'a Lease',
    'coordination.k8s.io/v1/Lease',
    '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},"spec":{"holderIdentity":"","leaseDurationSeconds":0,"renewTime":"2020-01-01T02:00:00.123456+02:00","acquireTime":null}}',
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"l"},"spec":{"holderIdentity":"","leaseDurationSeconds":0,"renewTime":"2020-01-01T00:00:00.123456Z"}}',
  ],
  [
    'an Event',
    '/v1/Event',
    '{"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"kind":"Pod"},"count":0,"firstTimestamp":"2020-01-01T00:00:00Z"}',
    '{"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"involvedObject":{"kind":"Pod"},"source":{},"firstTimestamp":"2020-01-01T00:00:00Z","lastTimestamp":null,"eventTime":null,"reportingComponent":"","reportingInstance":""}',
  ],
  [
    'a ControllerRevision',
    'apps/v1/ControllerRevision',
    '{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},"data":{"z":1,"a":[],"n":null}}',
    '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"r"},"data":{"z":1,"a":[],"n":null},"revision":0}',
  ],
  [
    'a bare ControllerRevision',
    'apps/v1/ControllerRevision',
    '{"revision":0}',
    '{"metadata":{},"data":null,"revision":0}',
  ],
  [
    'a StatefulSet, whose claim templates lose their kind',
    'apps/v1/StatefulSet',
    '{"spec":{"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"d"},"spec":{"resources":{"requests":{"storage":"10Gi"}}}}]}}',
    '{"metadata":{},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"volumeClaimTemplates":[{"metadata":{"name":"d"},"spec":{"resources":{"requests":{"storage":"10Gi"}}},"status":{}}],"serviceName":"","updateStrategy":{}},"status":{"replicas":0,"availableReplicas":0}}',
  ],
  [
    'a TokenReview',
    'authentication.k8s.io/v1/TokenReview',
    '{"spec":{"token":"t","audiences":[]},"status":{"user":{"extra":{"b":[],"a":null}}}}',
    '{"metadata":{},"spec":{"token":"t"},"status":{"user":{"extra":{"a":null,"b":[]}}}}',
  ],
  [
    'a bare CertificateSigningRequest',
    'certificates.k8s.io/v1/CertificateSigningRequest',
    '{}',
    '{"metadata":{},"spec":{"request":null,"signerName":""},"status":{}}',
  ],
];

describe('what Go would print', () => {
  test.each(GOLDEN)('%s', (_name, struct, body, printed) => {
    const decoded = decodeTyped(structAt(struct), JSON.parse(body), context);
    expect(JSON.stringify(decoded.value)).toBe(printed);
    expect(decoded.unknownFields).toEqual([]);
  });

  test.each(GOLDEN)('%s is the same when decoded again', (_name, struct, _body, printed) => {
    expect(JSON.stringify(decodeTyped(structAt(struct), JSON.parse(printed), context).value)).toBe(printed);
  });

  test('integers beyond the exact numbers stay as they are', () => {
    const { value } = decodeTyped(structAt('apps/v1/ControllerRevision'), { revision: 9223372036854775807n }, context);
    expect(value['revision']).toBe(9223372036854775807n);
  });

  test('the zero time prints as null, and not at all where Go leaves it out', () => {
    const zero = '0001-01-01T00:00:00Z';
    const body = { metadata: { creationTimestamp: zero, deletionTimestamp: zero }, firstTimestamp: zero };
    const { value } = decodeTyped(structAt('/v1/Event'), body, context);
    expect(value['metadata']).toEqual({ deletionTimestamp: null });
    expect(value['firstTimestamp']).toBe(null);
  });

  test('a duration is printed as Go prints durations', () => {
    const wait: FieldDef = {
      ...fieldOf('core/v1.ConfigMap', 'immutable'),
      name: 'wait',
      type: { kind: 'special', special: 'Duration', goName: 'v1.Duration', pointer: false },
    };
    const struct: StructDef = {
      ...bare('Timer'),
      fields: [wait],
      field: (name) => (name === 'wait' ? wait : undefined),
    };
    expect(decodeTyped(struct, { wait: '90s' }, context).value).toEqual({ wait: '1m30s' });
    expect(decodeTyped(struct, {}, context).value).toEqual({ wait: '0s' });
    expect(() => decodeTyped(struct, { wait: 'x' }, context)).toThrow(
      new TypedDecodeError('time: invalid duration "x"', { decodesItself: true }),
    );
    expect(() => decodeTyped(struct, { wait: 5 }, context)).toThrow(
      new TypedDecodeError('json: cannot unmarshal number into Go struct field Timer.wait of type string', {
        decodesItself: true,
      }),
    );
  });

  test('keys of maps come in the order of their bytes, and __proto__ is a key like any other', () => {
    const data = JSON.parse('{"\u{1F600}":"4","\uFF5E":"3","__proto__":"2","B":"1"}') as unknown;
    const { value } = decodeTyped(structAt('/v1/ConfigMap'), { data }, context);
    expect(Object.keys(value['data'] as object)).toEqual(['B', '__proto__', '\uFF5E', '\u{1F600}']);
    expect(Object.getPrototypeOf(value['data'])).toBe(Object.prototype);
  });

  test('the input is left alone, and nothing but opaque JSON is shared with it', () => {
    const raw = { z: [1] };
    const body = { metadata: { labels: { b: '1', a: '2' } }, data: raw };
    const before = structuredClone(body);
    const { value } = decodeTyped(structAt('apps/v1/ControllerRevision'), body, context);
    expect(body).toEqual(before);
    expect(value['data']).toBe(raw);
    expect(value['metadata']).not.toBe(body.metadata);
    expect((value['metadata'] as Record<string, unknown>)['labels']).not.toBe(body.metadata.labels);
  });

  test('zero structs are created for each use, so that changing one object does not change the next', () => {
    const struct = structAt('apps/v1/Deployment');
    const first = decodeTyped(struct, {}, context).value;
    (first['spec'] as Record<string, unknown>)['strategy'] = 'changed';
    expect((decodeTyped(struct, {}, context).value['spec'] as Record<string, unknown>)['strategy']).toEqual({});
  });
});

describe('unknown fields', () => {
  test.each([
    [
      'apps/v1/Deployment',
      { spec: { foo: 1, template: { spec: { containers: [{ bar: 1, name: 'a' }] } } }, zzz: 1 },
      ['spec.foo', 'spec.template.spec.containers[0].bar', 'zzz'],
    ],
    ['/v1/Pod', { Spec: {}, spec: { Containers: [] } }, ['Spec', 'spec.Containers']],
    ['policy/v1/PodDisruptionBudget', { spec: { selector: { matchLabels: { any: 'thing' } }, x: null } }, ['spec.x']],
    [
      'apiextensions.k8s.io/v1/CustomResourceDefinition',
      { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { x: 1, items: { hidden: 1 } } } } } }] } },
      ['spec.versions[0].schema.openAPIV3Schema.properties.a.x'],
    ],
    ['/v1/ConfigMap', { constructor: 1, toString: 1 }, ['constructor', 'toString']],
  ])('of a %s are reported in the order of the body', (struct, body, unknownFields) => {
    expect(decodeTyped(structAt(struct), body, context).unknownFields).toEqual(unknownFields);
  });

  test('are dropped', () => {
    expect(decodeTyped(structAt('/v1/ConfigMap'), { foo: 1, metadata: { bar: 1 } }, context).value).toEqual({
      metadata: {},
    });
  });

  test('are reported a hundred times and no more', () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1]));
    expect(decodeTyped(structAt('/v1/ConfigMap'), body, context).unknownFields).toHaveLength(100);
  });
});

const JUNK: readonly unknown[] = [null, 5, 1.5, 3e9, 'x', '', true, [], {}, [null], ['x'], { a: 1 }, { unknown: 1 }];

/** Values that mostly fit the type, with junk strewn in. */
function valueOf(type: TypeRef, depth: number): fc.Arbitrary<unknown> {
  const junk = fc.constantFrom(...JUNK);
  const fitting = depth === 0 ? junk : fittingValue(type, depth);
  return fc.oneof({ weight: 30, arbitrary: fitting }, { weight: 1, arbitrary: junk });
}

function fittingValue(type: TypeRef, depth: number): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'scalar':
      return fc.constantFrom<unknown>(
        ...(type.scalar === 'string'
          ? ['', 'a']
          : type.scalar === 'bool'
            ? [true, false]
            : type.scalar === 'bytes'
              ? ['YQ==', '']
              : [0, 1]),
      );
    case 'special':
      return fc.constantFrom<unknown>('2020-01-01T00:00:00Z', '1', 1, true, {});
    case 'list':
      return fc.array(valueOf(type.element, depth - 1), { maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), valueOf(type.value, depth - 1), { maxKeys: 2 });
    case 'struct':
      return objectOf(type.struct, depth);
  }
}

function objectOf(struct: StructDef, depth: number): fc.Arbitrary<unknown> {
  return fc
    .subarray([...struct.fields], { maxLength: Math.min(5, struct.fields.length) })
    .chain((fields) =>
      fc.record(Object.fromEntries(fields.map((field) => [field.name, valueOf(field.type, depth - 1)]))),
    );
}

describe('the quick walk and the slow walk', () => {
  test.each([
    'apps/v1/Deployment',
    '/v1/Pod',
    '/v1/Secret',
    'apiextensions.k8s.io/v1/CustomResourceDefinition',
    'batch/v1/Job',
  ])('agree on what a %s may be, and decoding twice is decoding once', (kind) => {
    const struct = structAt(kind);
    fc.assert(
      fc.property(objectOf(struct, 7), (body) => {
        const { error, stopped } = explain(struct, body, LEAF_TEXTS);
        if (error !== undefined) {
          expect(() => decodeTyped(struct, body, context)).toThrow(
            new TypedDecodeError(error, { decodesItself: stopped }),
          );
          return;
        }
        const once = decodeTyped(struct, body, context).value;
        const twice = decodeTyped(struct, once, context);
        expect(JSON.stringify(twice.value)).toBe(JSON.stringify(once));
        expect(twice.unknownFields).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
