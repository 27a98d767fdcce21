import {
  CRDS,
  custom,
  definition,
  definitionPath,
  dismiss,
  givenDefinition,
  objectsPath,
  specVersion,
} from '../src/conformance/crds.js';
import { CONFIG_MAPS, DEPLOYMENTS, LEASES, configMap, deployment, given } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('patch-texts');
const dry = (path: string): string => `${path}?dryRun=All`;
const send = (s: Session, path: string, raw: string, type: string): Promise<unknown> =>
  s.call('PATCH', dry(path), { raw, type });

it('what a patch brings is shown as it was written', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const at = `${CONFIG_MAPS}/x`;
  await send(s, at, '{"data":"\\ud800"}', MERGE);
  await send(s, at, '{"data":{"a":1.50,"b":"\\ud800<"}}', MERGE);
  await send(s, at, '[{"op":"replace","path":"/data","value":"\\ud800 x"}]', JSON_PATCH);
  await send(s, at, '[{"op":"replace","path":"/data","value":{ "a": 1, "b<" : "c d", "a": 2 }}]', JSON_PATCH);
  await send(s, at, '[{"op":"remove","path":"\\ud800"}]', JSON_PATCH);
});

it('repeated fields in the value of an operation are reported for the patch and for the object', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  const at = `${DEPLOYMENTS}/d`;
  const tolerations = '[{"key":"k","operator":"Exists","effect":"NoSchedule","effect":"NoSchedule"}]';
  const raw = `[{"op":"add","path":"/spec/template/spec/tolerations","value":${tolerations}}]`;
  await send(s, at, raw, JSON_PATCH);
  await s.call('PATCH', `${dry(at)}&fieldValidation=Strict`, { raw, type: JSON_PATCH });
  // An operation that reads inside the value has decoded it by then.
  const looked = `${raw.slice(0, -1)},{"op":"replace","path":"/spec/template/spec/tolerations/0/key","value":"l"}]`;
  await send(s, at, looked, JSON_PATCH);
});

it('numbers in a list of texts are quoted as they are printed', async (s) => {
  const finalizers = ['example.com/a'];
  await given(s, CONFIG_MAPS, configMap('x', {}, { finalizers }));
  for (const number of ['1e-400', '-0.0', '1e21', '5'])
    await send(s, `${CONFIG_MAPS}/x`, `{"metadata":{"finalizers":[${number}]}}`, STRATEGIC);
  await s.quiet('PATCH', `${CONFIG_MAPS}/x`, { body: { metadata: { finalizers: null } }, type: MERGE });
});

it('of the faults of a JSON patch the first is reported', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const bodies = [
    '1e400',
    '[1e400]',
    '[{"op":1e400,"path":"/data"}]',
    '[{"op":"add","path":"/data/b","value":1e400}]',
    '[{"op":"add","path":"/data/b","value":{"a":[1,-1e999]}}]',
    '[{"op":"add","path":"/data/b","value":"c","extra":1e400}]',
    '[{"value":1e400,"op":5}]',
    '[{"path":1,"op":2,"from":3}]',
  ];
  for (const body of bodies) await send(s, `${CONFIG_MAPS}/x`, body, JSON_PATCH);
});

it('a list in the place of an object is shown as it was written', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  await send(s, `${CONFIG_MAPS}/x`, '{"data":[{"b":1,"a":2}]}', MERGE);
  await send(s, `${CONFIG_MAPS}/x`, '{"binaryData":[{"b":1,"a":2}]}', MERGE);
});

it('unknown fields are listed in the order of the text, and without the keys of maps where there is none', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion({ size: { type: 'integer' } })] });
  const at = definitionPath('things');
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size';
  await send(s, at, `[{"op":"add","path":"${path}","value":{"zz":1,"aa":2,"type":"integer"}}]`, JSON_PATCH);
  const size = { type: 'integer', zz: 1 };
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size } } } },
  };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  await send(s, at, JSON.stringify({ spec: { versions } }), STRATEGIC);
  await dismiss(s, 'things');
});

it('the namespace is checked before the name', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const other = configMap('y', {}, { namespace: 'other' });
  await s.put(dry(`${CONFIG_MAPS}/x`), other);
  await s.merge(dry(`${CONFIG_MAPS}/x`), other);
  await s.apply(`${CONFIG_MAPS}/x`, 'm', other, 'dryRun=All');
  await given(s, LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } });
  await s.put(dry(`${LEASES}/l`), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l', namespace: 'other' },
  });
});

it('a patch of an unsupported type gets no deprecation warning', async (s) => {
  const endpoints = '/api/v1/namespaces/{ns}/endpoints';
  await given(s, endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'e' } });
  await s.call('PATCH', dry(`${endpoints}/e`), { raw: '{}', type: 'text/plain' });
  await s.call('PATCH', dry(`${endpoints}/e`), { raw: '{}', type: MERGE });
});

it('formats that mean nothing are warned of, once they are new', async (s) => {
  const text = (format: string): object => ({ type: 'string', format });
  const properties = { a: text('date-time'), b: { type: 'integer', format: 'int32' } };
  const odd = { ...properties, c: { type: 'array', items: text('odd') } };
  await s.post(dry(CRDS), definition('things', { versions: [specVersion(odd)] }));
  await givenDefinition(s, 'things', { versions: [specVersion(odd)] });
  const versions = [specVersion({ ...odd, d: text('odd'), e: { type: 'boolean', format: 'byte' } })];
  await s.merge(dry(definitionPath('things')), { spec: { versions } });
  await dismiss(s, 'things');
});

const UNCHECKED = [
  '[]',
  '[null,{"a":null}]',
  '"x"',
  '1',
  'null',
  '',
  '{',
  '{} x',
  '{"data":{"a":"1","a":"2"}}',
  '{"zz":{"a":-1e400}}',
  '{"data":{"a":1e400}}',
  '1e400',
  '[1e400]',
  '[{"op":1}]',
  '[{"op":"add","path":1}]',
  '[{"op":"add","path":"/data/b","value":"c","value":"d","zz":1}]',
];

it('without field validation a patch is not decoded before it is merged', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion({ size: { type: 'integer' } })] });
  await given(s, objectsPath('things'), custom('Thing', 'x', { spec: { size: 1 } }));
  await given(s, CONFIG_MAPS, configMap('x'));
  for (const at of [`${CONFIG_MAPS}/x`, `${objectsPath('things')}/x`]) {
    for (const raw of UNCHECKED)
      for (const type of [MERGE, JSON_PATCH, STRATEGIC])
        for (const query of ['&fieldValidation=Ignore', '']) await s.call('PATCH', `${dry(at)}${query}`, { raw, type });
  }
  await dismiss(s, 'things');
});

it('a list that is not merged is shown in a strategic patch as it was sent', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion({ size: { type: 'integer' } })] });
  const properties = { spec: { type: 'object', maxItems: 'x', $patch: 'replace', title: null } };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
  };
  await s.call('PATCH', dry(definitionPath('things')), { body: { spec: { versions: [version] } }, type: STRATEGIC });
  await given(s, DEPLOYMENTS, deployment('d'));
  const containers = [{ name: 'c', image: null, ports: 1, resources: { limits: null, $patch: 'replace' } }];
  const template = { spec: { containers, volumes: [{ name: 'v', secret: null }] } };
  await s.call('PATCH', dry(`${DEPLOYMENTS}/d`), { body: { spec: { template } }, type: STRATEGIC });
  await dismiss(s, 'things');
});
