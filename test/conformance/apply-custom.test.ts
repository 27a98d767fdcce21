import { setTimeout as delay } from 'node:timers/promises';
import {
  changeDefinition,
  custom,
  dismiss,
  givenDefinition,
  objectsPath,
  ready,
  specVersion,
} from '../src/conformance/crds.js';
import { given } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('apply-custom');
const THINGS = objectsPath('things');
const A = `${THINGS}/a`;
const text = { type: 'string' };
const strings = { type: 'array', items: text };
const thing = (spec: unknown, fields: object = {}): object => custom('Thing', 'a', { spec, ...fields });
const item = {
  type: 'object',
  required: ['name'],
  properties: { name: text, value: text, kind: { ...text, default: 'plain' } },
};

const LISTS = specVersion({
  map: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  pair: {
    type: 'array',
    items: { ...item, required: ['name', 'kind'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'kind'],
  },
  set: { ...strings, 'x-kubernetes-list-type': 'set' },
  atomic: { ...strings, 'x-kubernetes-list-type': 'atomic' },
  plain: { type: 'array', items: item },
  whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
  loose: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  port: { 'x-kubernetes-int-or-string': true },
  level: { type: 'integer', default: 3 },
  name: text,
});

it('lists and maps of custom resources merge as their schema declares', async (s) => {
  await givenDefinition(s, 'things', { versions: [LISTS] });
  await s.apply(
    A,
    'one',
    thing({
      map: [{ name: 'a', value: '1' }],
      set: ['x', 'y'],
      atomic: ['x'],
      plain: [{ name: 'a' }],
      whole: { a: '1' },
    }),
  );
  await s.apply(A, 'two', thing({ map: [{ name: 'b' }], set: ['z', 'x'] }));
  await s.apply(
    A,
    'two',
    thing({ map: [{ name: 'a', value: '2' }], atomic: ['y'], plain: [{ name: 'b' }], whole: { b: '1' } }),
  );
  await s.apply(A, 'two', thing({ pair: [{ name: 'a' }, { name: 'a', kind: 'other' }] }));
  await s.apply(A, 'three', thing({ pair: [{ name: 'a', kind: 'plain', value: '3' }] }));
  await s.apply(A, 'three', thing({ pair: [{ kind: 'plain', value: '3' }] }));
  await s.apply(A, 'three', thing({ set: ['q', 'q'] }));
  await s.apply(A, 'three', thing({ map: [{ name: 'q' }, { name: 'q' }] }));
  await s.apply(A, 'one', thing({ set: ['y'], atomic: ['x', 'z'] }));
  await dismiss(s, 'things');
});

it('what a schema leaves open is guessed from the value', async (s) => {
  await givenDefinition(s, 'things', { versions: [LISTS] });
  await s.apply(A, 'one', thing({ loose: { a: { b: 1 }, list: [{ name: 'x' }] }, port: 80 }));
  await s.apply(A, 'two', thing({ loose: { a: { c: 2 } }, port: '80' }));
  await s.apply(A, 'two', thing({ loose: { a: { c: 2 }, list: [{ name: 'y' }] } }));
  await s.apply(A, 'two', thing({ loose: { a: { c: 2 } }, port: 80 }));
  await s.apply(A, 'one', thing({ loose: { a: null }, port: 80 }));
  await dismiss(s, 'things');
});

it(
  'defaults have no field owner, and a repeated apply changes nothing',
  async (s) => {
    await givenDefinition(s, 'things', { versions: [LISTS] });
    const made = await s.apply(A, 'one', thing({ name: 'n' }));
    await delay(1100);
    const again = await s.apply(A, 'one', thing({ name: 'n' }));
    s.remark('again', { same: made.text === again.text });
    await s.apply(A, 'two', thing({ level: 5 }));
    await s.apply(A, 'one', thing({ name: 'n', level: 6 }));
    await s.apply(A, 'two', thing({}));
    await dismiss(s, 'things');
  },
  { slow: true },
);

it('warns of unknown and badly typed fields or refuses them', async (s) => {
  await givenDefinition(s, 'things', { versions: [LISTS] });
  await s.apply(A, 'one', thing({ zork: 1 }), 'fieldValidation=Strict');
  await s.apply(A, 'one', thing({ zork: 1 }), 'fieldValidation=Warn');
  await s.apply(A, 'one', thing({ zork: 1 }), 'fieldValidation=Ignore');
  await s.apply(A, 'one', thing({ level: 'high' }));
  await s.apply(A, 'one', thing({ map: {} }));
  await s.apply(A, 'one', thing([]));
  await s.apply(A, 'one', custom('Other', 'a', {}));
  await s.apply(A, 'one', custom('Thing', 'a', {}, 'v7'));
  await s.apply(A, 'one', custom('Thing', 'b', {}));
  await s.apply(A, 'one', { ...thing({}), metadata: { name: 'a', labels: 3 } });
  await s.apply(A, 'one', { ...thing({}), metadata: { name: 'a', uid: 'another' } });
  await dismiss(s, 'things');
});

it('the status is applied through its subresource alone', async (s) => {
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  };
  await givenDefinition(s, 'things', {
    versions: [specVersion({ replicas: { type: 'integer' }, name: text }, { subresources })],
  });
  await s.apply(A, 'one', thing({ name: 'n', replicas: 1 }, { status: { phase: 'lost' } }));
  await s.apply(`${A}/status`, 'two', thing({ name: 'lost' }, { status: { phase: 'New', replicas: 1 } }));
  await s.apply(`${A}/status`, 'three', thing(undefined, { status: { phase: 'Old' } }));
  await s.apply(A, 'two', thing({ name: 'n' }));
  await s.merge(`${A}/scale?fieldManager=scaler`, { spec: { replicas: 4 } });
  await s.get(A);
  await s.apply(A, 'one', thing({ name: 'n', replicas: 2 }));
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 6 } };
  await s.apply(`${A}/scale`, 'one', scale);
  await s.apply(`${A}/scale`, 'one', scale, 'force=true');
  await s.get(A);
  await dismiss(s, 'things');
});

it('managers of one version are compared in it when another one writes', async (s) => {
  const properties = {
    map: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    name: text,
  };
  await givenDefinition(s, 'things', {
    versions: [specVersion(properties), specVersion(properties, { name: 'v2', storage: false })],
  });
  await ready(s, 'things', 'v2');
  const SECOND = `${objectsPath('things', 'v2')}/a`;
  const second = (spec: object): object => custom('Thing', 'a', { spec }, 'v2');
  await s.apply(A, 'one', thing({ name: 'n', map: [{ name: 'a' }] }));
  await s.apply(SECOND, 'two', second({ name: 'm' }));
  await s.apply(SECOND, 'two', second({ map: [{ name: 'b' }] }));
  await s.apply(SECOND, 'one', second({ map: [{ name: 'a' }] }));
  await s.merge(`${A}?fieldManager=editor`, { spec: { name: 'e' } });
  await s.merge(`${SECOND}?fieldManager=editor`, { spec: { name: 'f' } });
  await s.apply(SECOND, 'two', second({ name: 'm' }));
  await s.get(A);
  await dismiss(s, 'things');
});

it('managers of a version that is no longer served keep what they own', async (s) => {
  const versions = (served: boolean): object[] => [
    specVersion({ name: text }, { name: 'v1', served, storage: true }),
    specVersion({ name: text }, { name: 'v2', storage: false }),
  ];
  await givenDefinition(s, 'things', { versions: versions(true) });
  await ready(s, 'things', 'v2');
  await given(s, THINGS, thing({ name: 'n' }) as Record<string, unknown>);
  await s.apply(A, 'one', thing({ name: 'n' }));
  await changeDefinition(s, 'things', { versions: versions(false) }, 'v2');
  const SECOND = `${objectsPath('things', 'v2')}/a`;
  await s.get(SECOND);
  await s.apply(SECOND, 'two', custom('Thing', 'a', { spec: { name: 'm' } }, 'v2'));
  await s.get(SECOND);
  await dismiss(s, 'things');
});
