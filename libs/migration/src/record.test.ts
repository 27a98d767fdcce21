import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord, isSameParts, partsOf, recordOf } from './record.js';

const metadata = { name: 'a', uid: 'u', generation: 1, resourceVersion: '1', labels: { a: 'b' }, finalizers: ['f'] };
const MACHINE: KubeObject = { apiVersion: 'v1', kind: 'Machine', metadata, spec: { providerID: 'i' } };

describe('What was copied', () => {
  it.each<[string, Partial<KubeObject['metadata']>, object, boolean]>([
    ['itself', {}, {}, true],
    ['another revision', { resourceVersion: '2', generation: 2 }, { status: { phase: 'x' } }, true],
    ['empty annotations', { annotations: {} }, {}, true],
    ['a label', { labels: { a: 'c' } }, {}, false],
    ['an annotation', { annotations: { 'cluster.x-k8s.io/delete-machine': '' } }, {}, false],
    ['no finalizer', { finalizers: [] }, {}, false],
    ['a deletion', { deletionTimestamp: '2026-01-01T00:00:00Z' }, {}, false],
    ['another spec', {}, { spec: { providerID: 'j' } }, false],
  ])('is compared with %s', (_, changes, more, isSame) => {
    const now = { ...MACHINE, ...more, metadata: { ...metadata, ...changes } };
    expect(isSameParts(partsOf(MACHINE), partsOf(now as KubeObject))).toBe(isSame);
  });

  it('is stored as text', () => {
    const copy = { ...MACHINE, metadata: { ...metadata, uid: 'c' } };
    const record = recordOf([MACHINE], new Map([['u', copy]]));
    expect(record.get('c')).toEqual({ from: 'u', ...partsOf(MACHINE) });
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
    expect(decodeRecord('')).toEqual(new Map());
  });
});
