import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { IndexedStore } from './store.js';
import { heapBytes } from './testing/heap.js';
import { object } from './testing/slow-handler.js';

const byVersion = ({ metadata }: KubeObject): string[] => [metadata.resourceVersion ?? ''];

describe('IndexedStore', () => {
  it('finds an object by what it is, not by what it was', () => {
    const store = new IndexedStore({ byVersion });
    store.set('a', object('a', 1));
    store.set('a', object('a', 2));
    expect(['1', '2'].map((version) => store.byIndex('byVersion', version).length)).toEqual([0, 1]);
    expect(store.delete('a')?.metadata.resourceVersion).toBe('2');
    expect([store.byIndex('byVersion', '2'), store.delete('a'), store.size]).toEqual([[], undefined, 0]);
  });

  it('holds nothing of values that no object has any more', () => {
    const store = new IndexedStore({ byVersion });
    const before = heapBytes();
    for (let at = 0; at < 100_000; at += 1) store.set('a', object('a', at));
    // A set for each value that ever was would be twenty megabytes.
    expect(heapBytes() - before).toBeLessThan(5_000_000);
    expect(store.byIndex('byVersion', '99999')).toHaveLength(1);
  });
});
