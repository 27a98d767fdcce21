import { fieldErrorMessage } from '@capstan/meta';
import { describe, expect, test } from 'vitest';
import { prepareRequirement } from './requirement.js';
import { type ExcludedPath, type VersionSelection, resolveExcludedField, selectVersions } from './selection.js';
import { version, widgets } from './testing.js';

const text = { type: 'string' };
const object = (properties: object): Record<string, unknown> => ({ type: 'object', properties });
const spec = object({
  a: object({ b: text }),
  list: { type: 'array', items: object({ c: text }) },
  map: { type: 'object', additionalProperties: object({ d: text }) },
});
const crd = widgets([
  { ...version('v1', spec), storage: true },
  version('v2', object({ a: object({ b: text }) })),
  { ...version('v3', spec), served: false },
]);

describe('the selected versions', () => {
  test.each<[VersionSelection, readonly string[]]>([
    [{ defaultSelection: 'StorageOnly' }, ['v1']],
    [{ defaultSelection: 'AllServed' }, ['v1', 'v2']],
    [{ defaultSelection: 'StorageOnly', additionalVersions: ['v3', 'v1', 'v3'] }, ['v1', 'v3']],
    [{ defaultSelection: 'AllServed', additionalVersions: ['v3'] }, ['v1', 'v2', 'v3']],
    [{ defaultSelection: 'StorageOnly', additionalVersions: [] }, ['v1']],
  ])('%j are %j', (selection, versions) => {
    expect(selectVersions(crd, selection)).toEqual({ ok: versions });
  });

  test.each<[VersionSelection, string]>([
    [
      { defaultSelection: 'StorageOnly', additionalVersions: ['v1', 'v9'] },
      'spec.compatibilitySchema.requiredVersions.additionalVersions[1]: Invalid value: "v9": the required CRD has no such version',
    ],
    [
      { defaultSelection: 'All' },
      'spec.compatibilitySchema.requiredVersions.defaultSelection: Unsupported value: "All": supported values: "StorageOnly", "AllServed"',
    ],
  ])('%j is refused', (selection, message) => {
    const selected = selectVersions(crd, selection);
    expect('errors' in selected && selected.errors.map(fieldErrorMessage)).toEqual([message]);
  });
});

describe('paths of excluded fields', () => {
  test.each(['spec.a', 'spec.a.b', 'spec.list', 'spec.list.c', 'spec.map'])('%s leads somewhere', (path) => {
    expect(resolveExcludedField(crd, 'v1', path)).toHaveProperty('ok');
  });

  test.each([
    ['nothing', 'path "nothing" leads nowhere: the root has no field "nothing" in version "v1"'],
    ['spec.a.x', 'path "spec.a.x" leads nowhere: "spec.a" has no field "x" in version "v1"'],
    ['spec.a.b.c', 'path "spec.a.b.c" leads nowhere: "spec.a.b" has no field "c" in version "v1"'],
    ['spec.list.x', 'path "spec.list.x" leads nowhere: "spec.list" has no field "x" in version "v1"'],
    ['spec.map.d', 'path "spec.map.d" leads nowhere: "spec.map" has no field "d" in version "v1"'],
  ])('%s leads nowhere', (path, error) => {
    expect(resolveExcludedField(crd, 'v1', path)).toEqual({ error });
  });
});

describe('a requirement', () => {
  const complaints = (excludedFields: readonly ExcludedPath[], versions = ['v1', 'v2']): readonly string[] => {
    const prepared = prepareRequirement(crd, { versions, excludedFields });
    return 'ok' in prepared ? [] : prepared.errors.map(fieldErrorMessage);
  };
  const at = 'spec.compatibilitySchema.excludedFields';

  test.each<[string, readonly ExcludedPath[], readonly string[]]>([
    ['takes a path that resolves in one of the selected versions', [{ path: 'spec.list' }], []],
    ['takes an empty list of versions as none', [{ path: 'spec.list', versions: [] }], []],
    [
      'takes the same path for different versions',
      [
        { path: 'spec.a', versions: ['v1'] },
        { path: 'spec.a.b', versions: ['v2'] },
      ],
      [],
    ],
    [
      'refuses a path that resolves in none',
      [{ path: 'spec.x' }],
      [`${at}[0].path: Invalid value: "spec.x": path "spec.x" leads nowhere: "spec" has no field "x" in version "v1"`],
    ],
    [
      'refuses a path that does not resolve in a version it names',
      [{ path: 'spec.list', versions: ['v1', 'v2'] }],
      [
        `${at}[0].path: Invalid value: "spec.list": path "spec.list" leads nowhere: "spec" has no field "list" in version "v2"`,
      ],
    ],
    [
      'refuses a version that is not there',
      [{ path: 'spec.a', versions: ['v9'] }],
      [`${at}[0].versions[0]: Invalid value: "v9": the required CRD has no such version`],
    ],
    [
      'refuses a version that is not selected',
      [{ path: 'spec.a', versions: ['v3'] }],
      [`${at}[0].versions[0]: Invalid value: "v3": requiredVersions does not select this version`],
    ],
    [
      'refuses a path inside another',
      [{ path: 'spec.a' }, { path: 'spec.a.b', versions: ['v2'] }],
      [`${at}[1].path: Invalid value: "spec.a.b": overlaps with "spec.a" in version "v2"`],
    ],
  ])('%s', (_name, excluded, expected) => {
    expect(complaints(excluded)).toEqual(expected);
  });

  test('needs a version', () => {
    expect(complaints([], [])).toEqual([
      'spec.compatibilitySchema.requiredVersions: Invalid value: "": selects no version of the required CRD',
    ]);
  });
});
