import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys } from './keys.js';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, ManualClock } from './testing.js';

const encoded = (key: { readonly namespace: string; readonly name: string }): Buffer =>
  Buffer.from(`${key.namespace}/${key.name}`, 'utf8');

describe('the order of keys', () => {
  it('is that of their bytes', () => {
    const namespace = fc.string({ unit: fc.constantFrom('a', 'b', '-', '0'), maxLength: 4 });
    const name = fc.string({
      unit: fc.constantFrom('a', '.', '-', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}'),
      maxLength: 4,
    });
    const key = fc.record({ namespace, name });
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.compare(encoded(a), encoded(b))));
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds over many chunks, whatever comes and goes, and pages walk it all', () => {
    const numbers = fc.uniqueArray(fc.nat(9_999), { minLength: 1_500, maxLength: 1_800 });
    fc.assert(
      fc.property(numbers, fc.nat(4), fc.integer({ min: 1, max: 700 }), (order, gone, limit) => {
        const store = new Store({ clock: new ManualClock() });
        const keys = order.map((n) => ({ namespace: `n${n % 3}`, name: String(n) }));
        for (const { namespace, name } of keys) store.create('/x', namespace, name, configMap(namespace, name, ''));
        const isGone = (name: string): boolean => Number(name) % 5 <= gone;
        for (const { namespace, name } of keys) {
          if (isGone(name)) store.remove(store.get('/x', namespace, name) as Stored);
        }
        const left = keys.filter(({ name }) => !isGone(name)).sort((a, b) => Buffer.compare(encoded(a), encoded(b)));
        const names = (items: readonly Stored[]): string[] => items.map((stored) => stored.name);
        expect(names(store.list('/x').items)).toEqual(left.map(({ name }) => name));
        expect(store.count('/x')).toBe(left.length);
        for (const namespace of [undefined, 'n1']) {
          const expected = left.filter((key) => namespace === undefined || key.namespace === namespace);
          const paged: Stored[] = [];
          for (
            let page = store.list('/x', { namespace, limit });
            ;
            page = store.list('/x', { namespace, limit, after: paged.at(-1) })
          ) {
            paged.push(...page.items);
            expect(page.remaining).toBe(expected.length - paged.length);
            if (!page.more) break;
          }
          expect(names(paged)).toEqual(expected.map(({ name }) => name));
          expect(names(store.list('/x', { namespace }).items)).toEqual(names(paged));
        }
      }),
      { numRuns: 15 },
    );
  });
});
