import {
  CRDS,
  GROUP,
  custom,
  definition,
  definitionPath,
  discovered,
  dismiss,
  givenDefinition,
  objectsPath,
  ready,
  untilCondition,
  version,
} from '../src/conformance/crds.js';
import { MERGE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

const it = suite('crds-lifecycle');

it('a CRD is named, then established, then served', async (s) => {
  const created = await s.post(
    CRDS,
    definition('things', { names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] } }),
  );
  const { resourceVersion } = created.object().metadata;
  const query = `watch=1&fieldSelector=metadata.name%3Dthings.${GROUP}&resourceVersion=${resourceVersion}`;
  const watching = await s.watch(`${CRDS}?${query}`);
  await watching.until(2);
  s.note('watch', watching);
  await untilCondition(s, 'things', 'Established', 'InitialNamesAccepted');
  await eventually(
    'discovery',
    async () => (await s.quiet('GET', `/apis/${GROUP}/v1`)).text.includes('things'),
    SERVER_LIMITS,
  );
  await s.get(`/apis/${GROUP}`);
  await discovered(s);
  await ready(s, 'things');
  await s.get(objectsPath('things'));
  await s.get(`/apis/${GROUP}/v1/things`);
  await dismiss(s, 'things');
});

it('what is not served is not there', async (s) => {
  await givenDefinition(s, 'things', { versions: [version(), version({ name: 'v0', served: false, storage: false })] });
  await s.get(objectsPath('things', 'v0'));
  await s.get(`/apis/${GROUP}/v0`);
  await s.get(`/apis/${GROUP}/v7`);
  await s.get(objectsPath('others'));
  await s.get(`/apis/${GROUP}/v1/things/a`);
  await s.post(`/apis/${GROUP}/v1/things`, custom('Thing', 'a'));
  await s.delete(`/apis/${GROUP}/v1/things`);
  await s.get(`${objectsPath('things')}/a/bogus`);
  await s.put(objectsPath('things'), custom('Thing', 'a'));
  await s.merge(objectsPath('things'), {});
  await dismiss(s, 'things');
  await givenDefinition(s, 'clusters', { scope: 'Cluster' });
  await s.get(objectsPath('clusters'));
  await s.get(`/apis/${GROUP}/v1/clusters`);
  await dismiss(s, 'clusters');
});

it('names of CRDs belong to the first that claims them', async (s) => {
  await givenDefinition(s, 'foos', { names: { plural: 'foos', kind: 'Foo', shortNames: ['f', 'x'] } });
  await s.post(
    CRDS,
    definition('bars', { names: { plural: 'bars', kind: 'Bar', singular: 'foo', shortNames: ['f', 'x'] } }),
  );
  await untilCondition(s, 'bars', 'NamesAccepted', 'ShortNamesConflict');
  await s.get(definitionPath('bars'));
  await s.get(objectsPath('bars'));
  await s.post(
    CRDS,
    definition('bazs', { names: { plural: 'bazs', kind: 'Foo', singular: 'baz', listKind: 'FooList' } }),
  );
  await untilCondition(s, 'bazs', 'NamesAccepted', 'ListKindConflict');
  await s.get(definitionPath('bazs'));
  await s.merge(definitionPath('foos'), { spec: { names: { shortNames: null } } });
  await untilCondition(s, 'bars', 'NamesAccepted', 'SingularConflict');
  await s.get(definitionPath('bars'));
  await dismiss(s, 'foos');
  await untilCondition(s, 'bars', 'Established', 'InitialNamesAccepted');
  await untilCondition(s, 'bazs', 'Established', 'InitialNamesAccepted');
  await s.get(definitionPath('bars'));
  await s.get(definitionPath('bazs'));
  await dismiss(s, 'bars', 'bazs');
});

it('deleting a CRD deletes its objects', async (s) => {
  await givenDefinition(s, 'things');
  await s.quiet('POST', objectsPath('things'), { body: custom('Thing', 'a') });
  const objects = await s.watch(`${objectsPath('things')}?watch=1&resourceVersion=0`);
  await objects.until(1);
  await s.delete(definitionPath('things'));
  await objects.until(2);
  s.note('watch', objects);
  await eventually(
    'the end',
    async () => (await s.quiet('GET', definitionPath('things'))).status === 404,
    SERVER_LIMITS,
  );
  await s.get(definitionPath('things'));
  await eventually(
    'the end of serving',
    async () => (await s.quiet('GET', objectsPath('things'))).status === 404,
    SERVER_LIMITS,
  );
  await s.get(objectsPath('things'));
  await s.get(`/apis/${GROUP}`);
});

it('a finalizer of an object keeps its deleted CRD, and no objects are created meanwhile', async (s) => {
  await givenDefinition(s, 'things');
  const held = { ...custom('Thing', 'a'), metadata: { name: 'a', finalizers: ['example.com/hold'] } };
  await s.quiet('POST', objectsPath('things'), { body: held });
  await s.delete(definitionPath('things'));
  await untilCondition(s, 'things', 'Terminating', 'InstanceDeletionInProgress');
  await eventually(
    'the deletion of the object',
    async () => (await s.quiet('GET', `${objectsPath('things')}/a`)).text.includes('deletionTimestamp'),
    SERVER_LIMITS,
  );
  await eventually(
    'discovery',
    async () => !(await s.quiet('GET', `/apis/${GROUP}/v1`)).text.includes('"create"'),
    SERVER_LIMITS,
  );
  await s.get(definitionPath('things'));
  await s.get(`${objectsPath('things')}/a`);
  await discovered(s);
  await s.post(objectsPath('things'), custom('Thing', 'b'));
  await s.merge(`${objectsPath('things')}/a`, { metadata: { labels: { still: 'here' } } });
  await s.delete(definitionPath('things'));
  await s.merge(`${objectsPath('things')}/a`, { metadata: { finalizers: null } });
  await eventually(
    'the end',
    async () => (await s.quiet('GET', definitionPath('things'))).status === 404,
    SERVER_LIMITS,
  );
  await s.get(definitionPath('things'));
});

it('a CRD that was never established is deleted at once', async (s) => {
  await givenDefinition(s, 'foos');
  await s.post(CRDS, definition('bars', { names: { plural: 'bars', kind: 'Foo', listKind: 'FooList' } }));
  await untilCondition(s, 'bars', 'NamesAccepted', 'ListKindConflict');
  await s.delete(definitionPath('bars'));
  await eventually('the end', async () => (await s.quiet('GET', definitionPath('bars'))).status === 404, SERVER_LIMITS);
  await dismiss(s, 'foos');
});

it(
  'watches of objects end when their CRD is changed or deleted',
  async (s) => {
    const versions = (fields: object = {}, other: object = {}): object[] => [
      { ...version(), ...fields },
      { ...version({ name: 'v2', storage: false }), ...other },
    ];
    await givenDefinition(s, 'things', { versions: versions() });
    await s.quiet('POST', objectsPath('things'), { body: custom('Thing', 'a') });
    const opened = async (apiVersion = 'v1'): Promise<Awaited<ReturnType<typeof s.watch>>> => {
      await ready(s, 'things', apiVersion);
      const watching = await s.watch(`${objectsPath('things', apiVersion)}?watch=1`);
      await watching.until(1);
      return watching;
    };
    const ends = async (title: string, spec: object): Promise<void> => {
      const watches = [await opened(), await opened('v2')];
      await s.quiet('PATCH', definitionPath('things'), { body: { spec }, type: MERGE });
      for (const watching of watches) {
        await watching.ended();
        s.note(title, watching);
      }
    };
    await ends('another schema of one version', {
      versions: versions({}, { schema: { openAPIV3Schema: { type: 'object', description: 'd' } } }),
    });
    await ends('columns', {
      versions: versions({ additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.x' }] }),
    });
    await ends('another short name', { names: { shortNames: ['thg'] } });
    const kept = await opened();
    await s.quiet('PATCH', definitionPath('things'), { body: { metadata: { labels: { a: 'b' } } }, type: MERGE });
    await s.quiet('POST', objectsPath('things'), { body: custom('Thing', 'b') });
    await kept.until(2);
    s.note('a label of the definition', kept);
    await ends('a version not served', { versions: versions({}, { served: false }) });
    const last = await opened();
    await dismiss(s, 'things');
    await last.ended();
    s.note('no definition', last);
  },
  { slow: true },
);
