import { describe, expect, it } from 'vitest';
import { overlay, exactly } from './overlay.js';

describe('overlay', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['keeps fields that the server defaulted', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    ['removes fields that are undefined', { a: 1, b: 2 }, { a: undefined }, { b: 2 }],
    [
      'merges lists of equal length',
      { l: [{ name: 'x', d: 1 }] },
      { l: [{ name: 'x' }] },
      { l: [{ name: 'x', d: 1 }] },
    ],
    ['replaces items of another name', { l: [{ name: 'x', d: 1 }] }, { l: [{ name: 'y' }] }, { l: [{ name: 'y' }] }],
    ['replaces lists of another length', { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ['drops other keys of an exact value', { d: { a: 1, b: 2 } }, { d: exactly({ a: 1 }) }, { d: { a: 1 } }],
    ['leaves undefined fields out of a new object', undefined, { a: undefined, b: { c: undefined } }, { b: {} }],
  ])('%s', (_, existing, desired, result) => {
    expect(overlay(existing, desired)).toEqual(result);
    expect(Object.keys(overlay(existing, desired) as object)).toEqual(Object.keys(result as object));
  });

  it('changes nothing in place', () => {
    const existing = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(overlay(existing, { a: { b: 2 } })).toEqual({ a: { b: 2 } });
    expect(existing).toEqual({ a: { b: 1 } });
  });

  it('returns the existing object itself when nothing differs', () => {
    const existing = { a: { b: 1, c: [{ name: 'x', d: 1 }] }, e: 2, f: { g: 3 } };
    const desired = { a: { c: [{ name: 'x' }], h: undefined }, f: exactly({ g: 3 }) };
    expect(overlay(existing, desired)).toBe(existing);
    const after = overlay(existing, { ...desired, e: 3 }) as typeof existing;
    expect([after === existing, after.a === existing.a, after.e]).toEqual([false, true, 3]);
  });

  it('treats __proto__ as an ordinary key of an exact value', () => {
    const data: unknown = JSON.parse('{"__proto__": "YQ=="}');
    expect(JSON.stringify(overlay({}, { data: exactly(data) }))).toBe('{"data":{"__proto__":"YQ=="}}');
  });
});
