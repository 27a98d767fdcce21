import { custom, dismiss, givenDefinition, objectsPath, ready, specVersion, version } from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';
import { noting, withHooks } from '../src/conformance/webhooks.js';
import { patch } from '../src/hook-server.js';
import { JSON_PATCH } from '../src/conformance/session.js';

const it = suite('wire-custom');
const RULE = { apiGroups: ['{ns}.example.com'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] };

it('what mutating webhooks add and no schema knows is seen by all others, and not stored', async (s) => {
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
