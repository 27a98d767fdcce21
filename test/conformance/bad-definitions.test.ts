import {
  CRDS,
  definition,
  definitionPath,
  dismiss,
  givenDefinition,
  specVersion,
  version,
} from '../src/conformance/crds.js';
import { APPLY, JSON_PATCH, MERGE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('bad-definitions');
const DRY = `${CRDS}?dryRun=All`;

/** Values that are no schema. */
const NO_SCHEMAS: readonly unknown[] = ['x', 1, true, [], [{ type: 'string' }], ['x'], { type: 1 }, { type: ['a'] }];

it('items that are no schema', async (s) => {
  for (const items of NO_SCHEMAS) {
    await s.post(DRY, definition('as', { versions: [specVersion({ a: { type: 'array', items } })] }));
    const keyed = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    await s.post(DRY, definition('as', { versions: [specVersion({ a: keyed })] }));
  }
});

it('other parts of a schema that are of another type', async (s) => {
  const fields = ['properties', 'additionalProperties', 'not', 'allOf', 'required', 'enum', 'minimum', 'maxLength'];
  for (const field of fields) {
    for (const value of ['x', 1.5, true, [1], { a: 'x' }])
      await s.post(DRY, definition('as', { versions: [specVersion({ a: { type: 'object', [field]: value } })] }));
  }
});

it('two versions of one name', async (s) => {
  await s.post(DRY, definition('as', { versions: [version(), version()] }));
  await s.post(DRY, definition('as', { versions: [version(), version({ storage: false })] }));
});

it('changes that break a CRD', async (s) => {
  await givenDefinition(s, 'as');
  const path = `${definitionPath('as')}?dryRun=All`;
  for (const versions of [[], null, [version({ name: 'v2' })], [version({ storage: false })], 'x', [1]]) {
    await s.call('PATCH', path, { body: { spec: { versions } }, type: MERGE });
    await s.call('PATCH', path, {
      body: [{ op: 'replace', path: '/spec/versions', value: versions }],
      type: JSON_PATCH,
    });
  }
  for (const spec of [
    { conversion: {} },
    { conversion: { strategy: '' } },
    { names: { plural: 'bs' } },
    { scope: 'X' },
  ])
    await s.call('PATCH', path, { body: { spec }, type: MERGE });
  const empty = { ...definition('as', { versions: [] }) };
  await s.call('PATCH', `${path}&fieldManager=me&force=true`, { body: empty, type: APPLY });
  await s.delete(path, { preconditions: { uid: 'other' } });
  await s.delete(path, { preconditions: { resourceVersion: '1' } });
  await dismiss(s, 'as');
});

it('a status without stored versions keeps them', async (s) => {
  await givenDefinition(s, 'as');
  const live = (await s.quiet('GET', definitionPath('as'))).object();
  const status = { ...(live['status'] as object), storedVersions: null };
  const written = await s.quiet('PUT', `${definitionPath('as')}/status?dryRun=All`, { body: { ...live, status } });
  s.remark('stored versions', (written.object()['status'] as { storedVersions: unknown }).storedVersions);
  await dismiss(s, 'as');
});
