import { Buffer } from 'node:buffer';
import {
  CRDS,
  GROUP,
  custom,
  definition,
  dismiss,
  givenDefinition,
  objectsPath,
  specVersion,
} from '../src/conformance/crds.js';
import { CONFIG_MAPS, PODS, configMap, given, pod } from '../src/conformance/objects.js';
import { APPLY, JSON_PATCH, METADATA } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('edges');
const dry = (path: string): string => `${path}?dryRun=All`;
/** A text whose `ÿ` are bytes that no text has. */
const withBytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

it('invalid UTF-8 in keys is shown where the value was not decoded', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const patch = (text: string, query = ''): Promise<unknown> =>
    s.call('PATCH', `${dry(`${CONFIG_MAPS}/x`)}${query}`, { raw: withBytes(text), type: JSON_PATCH });
  await patch('[{"op":"add","path":"/data/q","value":{"aÿ":"b"}}]');
  await patch('[{"op":"add","path":"/data/q","value":[{"a":"bÿ", "ÿ" : 1}]}]');
  await patch('[{"op":"add","path":"/dataÿ","value":{"aÿ":"b"}},{"op":"add","path":"/data","value":1}]');
  await patch('[{"op":"add","path":"/data","value":{"aÿ":1}},{"op":"add","path":"/data/c","value":"d"}]');
  await patch('[{"op":"add","path":"/more","value":{"aÿ":{"b":1,"b":2}}}]', '&fieldValidation=Strict');
});

it('integers beyond 2^53 are shown exactly', async (s) => {
  const apply = (path: string, raw: string): Promise<unknown> =>
    s.call('PATCH', `${dry(path)}&fieldManager=f`, { raw, type: APPLY });
  for (const port of ['9007199254740993', '9223372036854775807', '9223372036854775808', '1e21', '1.5']) {
    const ports = `[{"port":${port},"protocol":"TCP"},{"port":${port},"protocol":"TCP"}]`;
    const raw = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":${ports}}}`;
    await apply('/api/v1/namespaces/{ns}/services/s', raw);
  }
  const ports = '[{"containerPort":-9007199254740993,"hostPort":"a"}]';
  const spec = `{"containers":[{"name":"c","image":"i","ports":${ports}}]}`;
  await apply(
    '/api/v1/namespaces/{ns}/pods/p',
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":${spec}}`,
  );
  const requests = '[{"audience":"a","expirationSeconds":9223372036854775807}]';
  await s.call('POST', dry('/apis/storage.k8s.io/v1/csidrivers'), {
    raw: `{"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"x-{ns}"},"spec":{"tokenRequests":${requests}}}`,
  });
});

it('what is null in the extra of a review stays so', async (s) => {
  for (const extra of ['null', '{}', '{"a":null}', '{"a":[]}']) {
    const spec = `{"user":"u","extra":${extra},"nonResourceAttributes":{"path":"/","verb":"get"}}`;
    const raw = `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":${spec}}`;
    await s.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { raw });
  }
});

it('names of replication controllers are counted in bytes', async (s) => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  for (const name of ['x'.repeat(254), 'é'.repeat(130), 'A'.repeat(254)])
    await s.post(dry('/api/v1/namespaces/{ns}/replicationcontrollers'), {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name },
      spec: { selector: { a: 'b' }, template },
    });
});

it('dependencies of a schema are refused, were they none', async (s) => {
  for (const more of [{ dependencies: {} }, { dependencies: null }, { definitions: {} }, { patternProperties: {} }]) {
    const schema = { type: 'object', properties: { a: { type: 'object', ...more } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    await s.post(dry(CRDS), definition('ws', { versions }));
  }
});

it('a custom resource of another kind is decoded and checked for namespace and version before its kind is refused', async (s) => {
  await givenDefinition(s, 'widgets');
  const widgets = objectsPath('widgets');
  await s.quiet('POST', widgets, { body: custom('Widget', 'w') });
  const metadatas = ['{"name":"w","labels":1}', '1', '{"name":"w","extra":1}', '{"name":"other"}', 'null'];
  const kinds = [`"${GROUP}/v1","kind":"X"`, `"${GROUP}/v2","kind":"X"`, '"v1","kind":"Pod"', '"","kind":"Widget"'];
  for (const metadata of [...metadatas, '{"name":"w","namespace":"q"}', '{"name":"w","creationTimestamp":"x"}'])
    for (const kind of kinds) {
      const raw = `{"apiVersion":${kind},"metadata":${metadata}}`;
      await s.call('PUT', dry(`${widgets}/w`), { raw });
      await s.call('POST', `${dry(widgets)}&fieldValidation=Strict`, { raw });
    }
  await dismiss(s, 'widgets');
});

it('an expression is read on behind what is in the wrong place', async (s) => {
  const constraints = {
    resourceRules: [{ apiGroups: [GROUP], apiVersions: ['v1'], operations: ['*'], resources: ['x'] }],
  };
  const texts = ['[<]', '{<:1}', 'a.<', '[<', '[<, 1]', '{:1}', '[1 2]', '[1,<]', '[1,)', '[,1]', 'a{<:1}', 'a{b:1,<}'];
  for (const expression of [...texts, 'a{<}', 'a.?<', 'a.?1', 'a.<()', 'a.in', '[=]', '{1:2,<}', '[?<]', '{1 2}'])
    await s.post(dry('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'), {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'x-{ns}' },
      spec: { matchConstraints: constraints, validations: [{ expression }] },
    });
});

it('logs have no metadata', async (s) => {
  await given(s, PODS, pod('p'));
  for (const path of ['p/log', 'p/log?container=q', 'nobody/log'])
    await s.call('GET', `${PODS}/${path}`, { accept: METADATA });
});

it('sets of fields of custom resources are sorted by their texts; embedded metadata is never null', async (s) => {
  const map = (k: string): object => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: k } } },
  });
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } };
  const properties = { names: map('string'), numbers: map('integer'), set, template: embedded };
  await givenDefinition(s, 'widgets', { versions: [specVersion(properties)] });
  const widgets = objectsPath('widgets');
  const spec = { names: [{ k: 'a' }, { k: 'a b' }], numbers: [{ k: 80 }, { k: 443 }], set: [9, 10] };
  await s.post(dry(widgets), custom('Widget', 'w', { spec }));
  const template = { apiVersion: 'v1', kind: 'X', metadata: null };
  await s.post(dry(widgets), custom('Widget', 'w', { spec: { template } }));
  for (const managedFields of [[null], [], [{}], [{}, 1]]) {
    const body = { ...custom('Widget', 'w'), metadata: { name: 'w', managedFields } };
    await s.call('PATCH', `${dry(`${widgets}/w`)}&fieldManager=f`, { raw: JSON.stringify(body), type: APPLY });
  }
  await dismiss(s, 'widgets');
});

it('numbers beyond float64 are refused after decoding; schemas differ in what decodes as empty', async (s) => {
  const versioned = (more: object, name: string): object => {
    const properties = { a: { type: 'string' }, b: { type: 'string', ...more } };
    const spec = { type: 'object', properties };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    return { name, served: true, storage: name === 'v1', schema };
  };
  const post = (...versions: readonly object[]): Promise<unknown> =>
    s.call('POST', dry(CRDS), {
      raw: JSON.stringify(definition('ws', { versions })).replaceAll('"1e400"', '1e400'),
    });
  await post(versioned({ default: '1e400' }, 'v1'));
  await post(versioned({ default: '1e400', properties: 'x' }, 'v1'));
  await post(versioned({ default: 'b', enum: [{ a: '<&>' }, '<'] }, 'v1'));
  const selectableFields = [{ jsonPath: '.spec.a' }];
  await post(versioned({}, 'v1'), { ...versioned({ items: 'string' }, 'v2'), selectableFields });
  await post(versioned({}, 'v1'), { ...versioned({}, 'v2'), selectableFields });
});
