import {
  GROUP,
  changeDefinition,
  custom,
  dismiss,
  givenDefinition,
  objectsPath,
  specVersion,
} from '../src/conformance/crds.js';
import { cached, given, versionOf } from '../src/conformance/objects.js';
import { JSON_PATCH, METADATA_LIST, STRATEGIC, TABLE } from '../src/conformance/session.js';
import { HELD_TO_SCHEMA, heldToSchema } from '../src/conformance/schemas.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('crds-objects');
const THINGS = objectsPath('things');
const thing = (name: string, spec: object = {}, more: object = {}): Record<string, unknown> =>
  custom('Thing', name, { spec, ...more });

const integer = { type: 'integer' };
const text = { type: 'string' };
const SUBRESOURCES = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
};

it('an object is pruned, stripped of nulls and defaulted', async (s) => {
  const nested = { type: 'object', properties: { b: { ...integer, default: 7 }, c: text } };
  const properties = {
    a: { ...text, default: 'x' },
    n: { ...text, nullable: true },
    nested,
    filled: { ...nested, default: {} },
    list: { type: 'array', items: nested },
    map: { type: 'object', additionalProperties: nested },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: nested } },
  };
  await givenDefinition(s, 'things', { versions: [specVersion(properties)] });
  await s.post(THINGS, thing('a'));
  await s.post(
    THINGS,
    thing('b', {
      a: null,
      n: null,
      nested: { c: null, zork: 1 },
      list: [{}, { zork: 1 }],
      map: { k: {} },
      zork: { x: 1 },
    }),
  );
  await s.post(THINGS, thing('c', { open: { any: { thing: [1] }, known: { zork: 1 } } }, { zork: 1 }));
  await s.post(`${THINGS}?fieldValidation=Strict`, thing('d', { zork: 1, nested: { y: 1 } }));
  await s.post(`${THINGS}?fieldValidation=Ignore`, thing('d', { zork: 1 }));
  await s.post(THINGS, undefined, {
    raw: `{"apiVersion":"${GROUP}/v1","kind":"Thing","metadata":{"name":"e"},"spec":{"a":"1","a":"2"}}`,
  });
  await s.get(`${THINGS}/b`);
  await dismiss(s, 'things');
});

it('a body must say what it is', async (s) => {
  await givenDefinition(s, 'things');
  await s.post(THINGS, { metadata: { name: 'a' } });
  await s.post(THINGS, { kind: 'Thing', metadata: { name: 'a' } });
  await s.post(THINGS, { ...thing('a'), kind: 'Other' });
  await s.post(THINGS, { ...custom('Thing', 'a'), apiVersion: `${GROUP}/v9` });
  await s.post(THINGS, { ...thing('a'), apiVersion: 'v1', kind: 'Pod' });
  await s.post(THINGS, { ...thing('a'), metadata: { name: 'a', labels: 7 } });
  await s.post(THINGS, { ...thing('a'), metadata: { name: 'a', zork: 7 } });
  await s.post(THINGS, { ...thing('b'), metadata: { name: 'B!' } });
  await s.post(THINGS, { ...thing('b'), metadata: { name: 'b', namespace: 'other' } });
  await s.post(THINGS, { ...thing('b'), metadata: { name: 'b', finalizers: ['foo', 'a.b', 'a.b/c'] } });
  await s.merge(`${THINGS}/a`, { kind: 'Other' });
  await s.merge(`${THINGS}/a`, { metadata: { labels: 3 } }, { headers: { 'user-agent': 'x' } });
  await s.put(`${THINGS}/a`, thing('a'));
  await s.put(`${THINGS}/a`, thing('c'));
  await s.put(`${THINGS}/none`, { ...thing('none'), metadata: { name: 'none', resourceVersion: '1' } });
  await s.merge(`${THINGS}/b`, { metadata: { finalizers: null } });
  await dismiss(s, 'things');
});

it(HELD_TO_SCHEMA, heldToSchema);

it('what was wrong before may stay as it is', async (s) => {
  const lax = specVersion({ a: text, n: integer, o: { type: 'object', properties: { x: integer } } });
  await givenDefinition(s, 'things', { versions: [lax] });
  await given(s, THINGS, thing('a', { a: 'bad', n: 1, o: { x: 5 } }));
  const strict = specVersion({
    a: { ...text, maxLength: 2, 'x-kubernetes-validations': [{ rule: "self != 'bad'", message: 'bad is bad' }] },
    n: integer,
    o: { type: 'object', properties: { x: { ...integer, maximum: 3 } } },
  });
  await changeDefinition(s, 'things', { versions: [strict] });
  // A real server tries a write on what its cache has, and warns of that too.
  const change = async (spec: object): Promise<void> => {
    const answer = await s.merge(`${THINGS}/a`, { spec });
    if (answer.status === 200) await cached(s, THINGS, versionOf(answer));
  };
  await change({ n: 2 });
  await change({ a: 'worse' });
  await change({ o: { x: 6 } });
  await change({ a: 'ok', o: { x: 2 } });
  await change({ o: { x: 5 } });
  await dismiss(s, 'things');
});

it('the status is written through its subresource alone, and generations count the rest (trap 8)', async (s) => {
  await givenDefinition(s, 'things', {
    versions: [specVersion({ replicas: integer }, { subresources: SUBRESOURCES })],
  });
  await s.post(THINGS, thing('a', {}, { status: { phase: 'New' } }));
  await s.merge(`${THINGS}/a`, { metadata: { labels: { a: 'b' } } });
  await s.merge(`${THINGS}/a`, { spec: { replicas: 1 }, status: { phase: 'X' } });
  await s.merge(`${THINGS}/a/status`, {
    status: { phase: 'Ready' },
    spec: { replicas: 9 },
    metadata: { labels: { c: 'd' }, finalizers: ['a.b/c'] },
  });
  await s.merge(`${THINGS}/a/status`, { status: { phase: 4 } });
  await s.merge(`${THINGS}/a/status`, { status: { zork: 4 } });
  const read = (await s.get(`${THINGS}/a/status`)).object();
  await s.put(`${THINGS}/a/status`, {
    ...read,
    spec: { replicas: 5 },
    status: { phase: 'Put', replicas: 3, selector: 'a=b' },
  });
  await s.put(`${THINGS}/a/status`, { ...read, status: {} });
  await s.merge(`${THINGS}/a`, { spec: { replicas: 1 } });
  await s.call('PATCH', `${THINGS}/a`, { body: [{ op: 'test', path: '/spec/replicas', value: 2 }], type: JSON_PATCH });
  await s.call('PATCH', `${THINGS}/a`, { body: [{ op: 'add', path: '/spec/replicas', value: 4 }], type: JSON_PATCH });
  await s.merge(`${THINGS}/a`, { spec: { replicas: 5 } }, { type: STRATEGIC });
  await s.merge(`${THINGS}/a/status`, { status: {} }, { type: STRATEGIC });
  await dismiss(s, 'things');
  await givenDefinition(s, 'things', { versions: [specVersion({ replicas: integer })] });
  await s.post(THINGS, thing('a', {}, { status: { phase: 'New' } }));
  await s.merge(`${THINGS}/a`, { status: { phase: 'Next' } });
  await s.get(`${THINGS}/a/status`);
  await s.get(`${THINGS}/a/scale`);
  await dismiss(s, 'things');
});

it('the scale reads and writes the paths that the CRD names', async (s) => {
  await givenDefinition(s, 'things', {
    versions: [specVersion({ replicas: integer }, { subresources: SUBRESOURCES })],
  });
  await given(s, THINGS, thing('a'));
  await s.get(`${THINGS}/a/scale`);
  await s.merge(`${THINGS}/a/scale`, {});
  await s.merge(`${THINGS}/a/scale`, { spec: { replicas: 3 } });
  await s.merge(`${THINGS}/a/status`, { status: { replicas: 2, selector: 'app=a' } });
  const scale = (await s.get(`${THINGS}/a/scale`)).object();
  await s.put(`${THINGS}/a/scale`, { ...scale, spec: { replicas: 5 } });
  await s.put(`${THINGS}/a/scale`, { ...scale, spec: { replicas: 6 } });
  await s.merge(`${THINGS}/a/scale`, { spec: { replicas: -1 } });
  await s.merge(`${THINGS}/a/scale`, { spec: { replicas: 'many' } });
  await s.get(`${THINGS}/none/scale`);
  await s.get(`${THINGS}/a`);
  await s.merge(`${THINGS}/a`, { spec: { replicas: -1 } });
  await dismiss(s, 'things');
});

it('tables, selectors and pages support custom columns and fields', async (s) => {
  const columns = [
    { name: 'Color', type: 'string', jsonPath: '.spec.color' },
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1, description: 'how big', format: 'int32' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  const fields = {
    additionalPrinterColumns: columns,
    selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
  };
  await givenDefinition(s, 'things', { versions: [specVersion({ color: text, size: integer }, fields)] });
  await given(s, THINGS, thing('a', { color: 'red', size: 3 }));
  await given(s, THINGS, thing('b', { color: 'green' }));
  await s.get(THINGS, { accept: TABLE });
  await s.get(`${THINGS}/a`, { accept: TABLE });
  await s.get(`${THINGS}?fieldSelector=spec.color%3Dred`);
  await s.get(`${THINGS}?fieldSelector=spec.size%3D3,spec.color!%3Dgreen`);
  await s.get(`${THINGS}?fieldSelector=spec.shape%3Dround`);
  await s.get(`${THINGS}?fieldSelector=metadata.name%3Db`);
  await s.get(`${THINGS}?limit=1`);
  await s.get(THINGS, { accept: METADATA_LIST });
  await s.delete(`${THINGS}/a`);
  await s.delete(THINGS);
  await dismiss(s, 'things');
});
