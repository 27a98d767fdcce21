import {
  CRDS,
  custom,
  definition,
  definitionPath,
  dismiss,
  givenDefinition,
  objectsPath,
  ready,
  specVersion,
  version,
} from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';
import { noting, withHooks } from '../src/conformance/webhooks.js';
import { patch } from '../src/hook-server.js';
import { APPLY, JSON_PATCH, MERGE } from '../src/conformance/session.js';

const it = suite('wire-custom');
const RULE = { apiGroups: ['{ns}.example.com'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] };

it('unknown fields that a mutating webhook adds are seen by later webhooks, and not stored', async (s) => {
  const rules = [{ ...RULE, apiGroups: [`${s.ns}.example.com`] }];
  const fields = { rules, objectSelector: {} };
  await givenDefinition(s, 'prunes', { versions: [specVersion({ known: { type: 'string', default: 'given' } })] });
  try {
    const reply = patch(
      { op: 'add', path: '/spec/unknown', value: 1 },
      { op: 'add', path: '/other', value: { a: 1 } },
      { op: 'remove', path: '/spec/known' },
    );
    const first = { name: 'm', handle: noting(s, 'mutating', reply), fields };
    const second = { name: 'n', handle: noting(s, 'mutating again'), fields };
    await withHooks(s, 'Validating', [{ name: 'v', handle: noting(s, 'validated'), fields }], async () => {
      await withHooks(s, 'Mutating', { configuration: 'mut', hooks: [first, second] }, async () => {
        await s.post(objectsPath('prunes'), custom('Prune', 'a', { spec: { known: 'x' } }));
        await s.merge(`${objectsPath('prunes')}/a`, { spec: { known: 'y' } });
      });
    });
    await s.get(`${objectsPath('prunes')}/a`);
  } finally {
    await dismiss(s, 'prunes');
  }
});

it('objects are patched through another version than they were written in', async (s) => {
  const other = version({ name: 'v2', storage: false });
  await givenDefinition(s, 'twofolds', { versions: [version(), other] });
  await ready(s, 'twofolds', 'v2');
  const [one, two] = [objectsPath('twofolds'), objectsPath('twofolds', 'v2')];
  await s.post(`${one}?fieldManager=first`, custom('Twofold', 'a', { spec: { x: 1 } }));
  await s.merge(`${two}/a?fieldManager=second`, { spec: { y: 2 } });
  await s.get(`${one}/a`);
  await s.merge(`${one}/a?fieldManager=first`, { spec: { x: 3 } });
  const operations = [{ op: 'add', path: '/spec/z', value: 1 }];
  await s.call('PATCH', `${two}/a?fieldManager=third`, { body: operations, type: JSON_PATCH });
  await s.merge(`${two}/a?fieldManager=second`, { spec: { y: 2 } });
  await s.apply(`${two}/a`, 'fourth', custom('Twofold', 'a', { spec: { w: 1 } }, 'v2'));
  await s.merge(`${two}/a?fieldManager=second`, { metadata: { managedFields: null } });
  await s.merge(`${one}/a?fieldManager=first`, { spec: { x: 4 } });
  await s.merge(`${two}/a?fieldManager=second`, { metadata: { managedFields: [] } });
  await s.merge(`${two}/a?fieldManager=second`, { metadata: { managedFields: [{}] } });
  await s.merge(`${two}/a?fieldManager=second`, { spec: { y: 5 } });
  await dismiss(s, 'twofolds');
});

const EMBEDDED = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const setOf = (type: string): object => ({ type: 'array', items: { type }, 'x-kubernetes-list-type': 'set' });
const METADATA_TEXTS = [
  '{"labels":{"a":9223372036854775807},"name":"y"}',
  '{"generation":1.5}',
  '{"generation":1e21}',
  '{"deletionGracePeriodSeconds":0.1,"labels":{"a b":"c"}}',
  '{"creationTimestamp":"x"}',
  '{"ownerReferences":[{}]}',
];

it('embedded metadata that cannot be read is refused when it is sent, and found invalid when it is applied', async (s) => {
  await givenDefinition(s, 'holders', { versions: [specVersion({ inner: EMBEDDED, size: { type: 'integer' } })] });
  const path = objectsPath('holders');
  await s.quiet('POST', path, { body: custom('Holder', 'x', { spec: { inner: { apiVersion: 'v1', kind: 'X' } } }) });
  const text = (name: string, metadata: string, size: string): string => {
    const head = `"apiVersion":"{ns}.example.com/v1","kind":"Holder","metadata":{"name":"${name}"}`;
    return `{${head},"spec":{"size":${size},"inner":{"apiVersion":"v1","kind":"X","metadata":${metadata}}}}`;
  };
  for (const metadata of METADATA_TEXTS) {
    await s.call('POST', `${path}?dryRun=All`, { raw: text('y', metadata, '1') });
    await s.call('PATCH', `${path}/x?dryRun=All`, { raw: `{"spec":{"inner":{"metadata":${metadata}}}}`, type: MERGE });
    for (const name of ['x', 'y'])
      for (const size of ['1', '1.5'])
        await s.call('PATCH', `${path}/${name}?dryRun=All&fieldManager=m&force=true`, {
          raw: text(name, metadata, size),
          type: APPLY,
        });
  }
  await dismiss(s, 'holders');
});

it('an apply is YAML, which wants keys on the line of their colon', async (s) => {
  const path = '/api/v1/namespaces/{ns}/configmaps/x?dryRun=All&fieldManager=m';
  const head = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a"';
  for (const between of ['\n:', ' :', ':\n', '\n\t :', '\r\n:'])
    await s.call('PATCH', path, { raw: `${head}${between}"b"}}`, type: APPLY });
});

it('of a schema that is applied the first misfit in the order of its fields is reported', async (s) => {
  await givenDefinition(s, 'misfits', { versions: [specVersion({ size: { type: 'integer' } })] });
  const items = { type: 'object', required: 'a', properties: { k: 'b', a: 1 } };
  const fields = { type: 'object', properties: { list: { type: 'array', items } } };
  const versions = [version({ schema: { openAPIV3Schema: fields } })];
  const body = { ...definition('misfits', { versions }) };
  await s.apply(definitionPath('misfits'), 'm', body, 'force=true&dryRun=All');
  await dismiss(s, 'misfits');
});

it('of what claims to be of another kind all but the schema is checked', async (s) => {
  const spec = {
    type: 'object',
    properties: { size: { type: 'integer', maximum: 3 }, set: setOf('string'), inner: EMBEDDED },
    'x-kubernetes-validations': [{ rule: 'self.size < 9', message: 'too big' }],
  };
  await givenDefinition(s, 'claims', {
    versions: [version({ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })],
  });
  const path = objectsPath('claims');
  await s.quiet('POST', path, { body: custom('Claim', 'x', { spec: { size: 1 } }) });
  const specs = ['q', {}, { size: 5 }, { size: 99, set: ['a', 'a'] }, { size: 1, inner: {} }, null];
  for (const each of specs) {
    await s.post(`${path}?dryRun=All`, custom('Other', 'y', { spec: each }));
    await s.merge(`${path}/x?dryRun=All`, { kind: 'Other', spec: each });
  }
  await s.merge(`${path}/x?dryRun=All`, { spec: { size: 4 } });
  await dismiss(s, 'claims');
});

it('a number of replicas that is too large is shown with all its digits', async (s) => {
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const counted = { ...specVersion({ size: { type: 'integer' } }), subresources: { scale } };
  await givenDefinition(s, 'counts', { versions: [counted] });
  const head = '"apiVersion":"{ns}.example.com/v1","kind":"Count","metadata":{"name":"x"}';
  for (const size of ['9223372036854775807', '-9223372036854775808', '2147483648'])
    await s.call('POST', `${objectsPath('counts')}?dryRun=All`, { raw: `{${head},"spec":{"size":${size}}}` });
  await dismiss(s, 'counts');
});

it('what is neither a schema nor a list of them is no schema of items', async (s) => {
  for (const items of ['/x', 5, [], null, {}]) {
    const properties = { spec: { type: 'object', items } };
    const versions = [version({ schema: { openAPIV3Schema: { type: 'object', properties } } })];
    await s.post(`${CRDS}?dryRun=All`, definition('oddities', { versions }));
  }
});
