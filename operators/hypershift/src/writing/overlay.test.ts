import { describe, expect, it } from 'vitest';
import { overlay, whole } from './overlay.js';

describe('what is wanted over what is there', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['what the server filled in stays', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    ['what is no longer wanted goes', { a: 1, b: 2 }, { a: undefined }, { b: 2 }],
    [
      'lists of one length are laid over',
      { l: [{ name: 'x', d: 1 }] },
      { l: [{ name: 'x' }] },
      { l: [{ name: 'x', d: 1 }] },
    ],
    ['unless they hold something else', { l: [{ name: 'x', d: 1 }] }, { l: [{ name: 'y' }] }, { l: [{ name: 'y' }] }],
    ['lists of another length are replaced', { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ['what is wanted whole has nothing beside it', { d: { a: 1, b: 2 } }, { d: whole({ a: 1 }) }, { d: { a: 1 } }],
    ['where nothing is, it is made without holes', undefined, { a: undefined, b: { c: undefined } }, { b: {} }],
  ])('%s', (_, existing, wanted, result) => {
    expect(overlay(existing, wanted)).toEqual(result);
    expect(Object.keys(overlay(existing, wanted) as object)).toEqual(Object.keys(result as object));
  });

  it('nothing is changed in place', () => {
    const existing = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(overlay(existing, { a: { b: 2 } })).toEqual({ a: { b: 2 } });
    expect(existing).toEqual({ a: { b: 1 } });
  });

  it('what is as wanted comes back itself', () => {
    const existing = { a: { b: 1, c: [{ name: 'x', d: 1 }] }, e: 2, f: { g: 3 } };
    const wanted = { a: { c: [{ name: 'x' }], h: undefined }, f: whole({ g: 3 }) };
    expect(overlay(existing, wanted)).toBe(existing);
    const after = overlay(existing, { ...wanted, e: 3 }) as typeof existing;
    expect([after === existing, after.a === existing.a, after.e]).toEqual([false, true, 3]);
  });

  it('keys of a prototype are ordinary keys of what is whole', () => {
    const data: unknown = JSON.parse('{"__proto__": "YQ=="}');
    expect(JSON.stringify(overlay({}, { data: whole(data) }))).toBe('{"data":{"__proto__":"YQ=="}}');
  });
});
