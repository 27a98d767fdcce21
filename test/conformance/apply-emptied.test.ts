import { custom, dismiss, givenDefinition, objectsPath, specVersion } from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';
import { given } from '../src/conformance/objects.js';

const it = suite('apply-emptied');

const THINGS = objectsPath('things');
const text = { type: 'string' };
const PROPERTIES = {
  count: { type: 'integer' },
  map: { type: 'object', additionalProperties: text },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  keyed: {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  defaulted: { type: 'object', default: { a: '1' }, properties: { a: text, b: { ...text, default: '2' } } },
  nullable: { ...text, nullable: true },
};
const SUBRESOURCES = {
  status: {},
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.replicas' },
};

const full = { map: { a: '1' }, set: ['a'], keyed: [{ name: 'a' }], open: { m: { a: '1' } } };

it('a custom resource whose map or list an apply empties is refused for the null that is left', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion(PROPERTIES, { subresources: SUBRESOURCES })] });
  for (const [name, value] of Object.entries(full)) {
    const empty = Array.isArray(value) ? [] : {};
    const at = `${THINGS}/${name}`;
    await s.apply(at, 'one', custom('Thing', name, { spec: { [name]: value } }));
    await s.apply(at, 'one', custom('Thing', name, { spec: { [name]: empty } }));
    await s.merge(`${at}?fieldManager=two`, { spec: { [name]: empty } });
    await s.apply(at, 'one', custom('Thing', name, { spec: { count: 1 } }));
  }
  await s.apply(`${THINGS}/open`, 'three', custom('Thing', 'open', { spec: { open: { m: { b: '1' } } } }));
  await s.apply(`${THINGS}/open`, 'three', custom('Thing', 'open', { spec: { open: { m: {} } } }));
  await s.apply(`${THINGS}/set/status`, 'one', custom('Thing', 'set', { status: { phase: 'A' } }));
  await s.apply(`${THINGS}/set/status`, 'one', custom('Thing', 'set', { status: {} }));
  await dismiss(s, 'things');
});

it('a null that is applied is a value, unless there is a default', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion(PROPERTIES, { subresources: SUBRESOURCES })] });
  const specs = [
    { map: null },
    { keyed: [{ name: 'a', value: null }] },
    { defaulted: { a: null } },
    { defaulted: { a: 'x', b: null } },
    { defaulted: null, nullable: null, open: { m: null } },
  ];
  for (const spec of specs) await s.apply(`${THINGS}/a`, 'one', custom('Thing', 'a', { spec }));
  await dismiss(s, 'things');
});

it('the scale of a custom resource can be applied only with the values it has already', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion(PROPERTIES, { subresources: SUBRESOURCES })] });
  const scale = (replicas: number): object => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas },
  });
  await given(s, THINGS, custom('Thing', 'a', { spec: { count: 1 } }));
  await s.apply(`${THINGS}/a/scale`, 'one', scale(1));
  await s.apply(`${THINGS}/a/scale`, 'one', scale(2));
  await s.apply(`${THINGS}/a/scale`, 'one', scale(2), 'force=true');
  await s.merge(`${THINGS}/a/scale?force=true`, { spec: { replicas: 2 } });
  await s.merge(`${THINGS}/a?fieldManager=two`, { metadata: { managedFields: [{}] } });
  await s.apply(`${THINGS}/a/scale`, 'one', scale(1));
  await s.get(`${THINGS}/a`);
  await dismiss(s, 'things');
});

it('tolerations that admission added are added again when an update omits them', async (s) => {
  const pods = '/api/v1/namespaces/{ns}/pods';
  const pod = (more: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i:1' }], ...more },
  });
  await s.apply(`${pods}/a`, 'one', pod());
  await s.apply(`${pods}/a`, 'one', pod({ tolerations: [{ key: 'own', operator: 'Exists' }] }));
  await s.merge(`${pods}/a`, { spec: { tolerations: [{ key: 'own', operator: 'Exists' }] } });
  await s.merge(`${pods}/a`, { spec: { tolerations: [] } });
  await s.merge(`${pods}/a`, { spec: { tolerations: null } });
});
