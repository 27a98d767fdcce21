import { describe, expect, it } from 'vitest';
import { managedFieldsAfterAdmission, managedFieldsProblem } from './admission.js';
import { decodeManaged, encodeManaged } from './managed.js';
import { managerOrUserAgent } from './manager-name.js';
import { managersAfterScale, managersOfScale } from './scale-managers.js';
import { configMap, entry } from './testing.js';
import { settledManagedFields } from './timestamps.js';

const T1 = '2024-01-01T00:00:01Z';

describe('entries', () => {
  it('are sorted by operation, time, manager, version and subresource', () => {
    const fields = { 'f:a': {} };
    const sorted = [
      entry('z', fields, { operation: 'Apply', time: undefined }),
      entry('a', fields, { operation: 'Apply', time: T1 }),
      entry('b', fields),
      entry('c', fields, { apiVersion: 'v0' }),
      entry('c', fields, { apiVersion: 'v1' }),
      entry('c', fields, { apiVersion: 'v1', subresource: 'status' }),
      entry('a', fields, { time: T1 }),
    ];
    for (let shift = 0; shift < sorted.length; shift++) {
      const rotated = [...sorted.slice(shift), ...sorted.slice(0, shift)];
      expect(encodeManaged(decodeManaged(rotated))).toEqual(sorted);
    }
  });

  it.each([
    [{ apiVersion: 'v1', fieldsType: 'FieldsV1' }, 'operation must be `Apply` or `Update`'],
    [{ operation: 'Update', fieldsType: 'FieldsV1' }, 'apiVersion must not be empty'],
    [{ operation: 'Update', apiVersion: 'v1' }, 'missing fieldsType in managed fields entry 0'],
    [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'V2' }, 'invalid fieldsType "V2" in managed fields entry 0'],
    [
      { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { name: {} } },
      'error decoding versioned set: error decoding set: missing colon: name',
    ],
  ])('%j cannot be read', (each, problem) => {
    expect(managedFieldsProblem([each])).toBe(problem);
  });

  it('broken by admission are put back with a warning', () => {
    const before = [entry('m', { 'f:a': {} })];
    const warnings: string[] = [];
    expect(managedFieldsAfterAdmission(before, [{ manager: 'x' }], warnings)).toBe(before);
    expect(warnings).toEqual([
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`',
    ]);
    const after = [entry('n', { 'f:a': {} })];
    expect(managedFieldsAfterAdmission(before, after, warnings)).toBe(after);
    expect(warnings).toHaveLength(1);
  });
});

describe('settledManagedFields', () => {
  const old = configMap({ a: '1' }, { managedFields: [entry('m', { 'f:data': {} })] });
  const later = [entry('m', { 'f:data': {} }, { time: T1 })];

  it('puts back times that are all that changed', () => {
    expect(settledManagedFields(configMap({ a: '1' }, { managedFields: later }), old)).toBe(old.metadata.managedFields);
  });

  it.each([
    ['the content changed', configMap({ a: '2' }, { managedFields: later })],
    ['the metadata changed', configMap({ a: '1' }, { managedFields: later, labels: { x: '1' } })],
    ['a set changed', configMap({ a: '1' }, { managedFields: [entry('m', { 'f:x': {} }, { time: T1 })] })],
    ['an entry came', configMap({ a: '1' }, { managedFields: [...later, entry('n', {})] })],
    ['there are none', configMap({ a: '1' })],
  ])('lets them be when %s', (_name, next) => {
    expect(settledManagedFields(next, old)).toBe(next.metadata.managedFields);
  });
});

describe('managerOrUserAgent', () => {
  it.each([
    ['m', 'kubectl/v1.30', 'm'],
    [undefined, 'kubectl/v1.30 (linux)', 'kubectl'],
    ['', 'curl', 'curl'],
    ['', 'a\u0000b\u200bc/1', 'abc'],
    ['', 'é'.repeat(100), 'é'.repeat(64)],
    ['', undefined, ''],
  ])('%j and %j give %j', (manager, agent, name) => {
    expect(managerOrUserAgent(manager, agent)).toBe(name);
  });
});

describe('managers and scale', () => {
  const paths = { 'apps/v1': ['spec', 'replicas'], 'old/v1': null };
  const parent = [
    entry('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }, { apiVersion: 'apps/v1', operation: 'Apply' }),
    entry('b', { 'f:spec': { 'f:selector': {} } }, { apiVersion: 'apps/v1' }),
    entry('c', { 'f:spec': { 'f:replicas': {} } }, { apiVersion: 'gone/v1' }),
    entry('d', { 'f:spec': { 'f:replicas': {} } }, { apiVersion: 'old/v1' }),
  ];
  const replicas = { 'f:spec': { 'f:replicas': {} } };

  it('a Scale has the owners of the replicas', () => {
    expect(managersOfScale(parent, paths)).toEqual([
      entry('a', replicas, { apiVersion: 'autoscaling/v1', operation: 'Apply' }),
    ]);
  });

  it('who scales takes the replicas, without a time', () => {
    const { time: _time, ...scaler } = entry('s', replicas, { subresource: 'scale' });
    const after = managersAfterScale(parent, [{ ...scaler, time: T1, apiVersion: 'autoscaling/v1' }], 'apps/v1', paths);
    expect(after).toEqual([
      entry('a', { 'f:spec': { 'f:paused': {} } }, { apiVersion: 'apps/v1', operation: 'Apply' }),
      { ...scaler, apiVersion: 'apps/v1' },
      parent[1],
      parent[3],
    ]);
  });

  it('an applier that scales to its own number keeps its entry', () => {
    const scale = managersOfScale(parent, paths);
    expect(managersAfterScale(parent, scale, 'apps/v1', paths)).toEqual([parent[0], parent[1], parent[3]]);
  });
});
