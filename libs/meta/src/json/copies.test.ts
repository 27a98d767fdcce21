import { describe, expect, it } from 'vitest';
import { copyMembers, extended } from './copies.js';

describe('copies of objects', () => {
  it('have the members in their order, also of what is frozen, and may be changed', () => {
    const given = Object.freeze({ b: 1, a: { c: 2 } });
    const copy: Record<string, unknown> = copyMembers(given);
    copy['d'] = 3;
    expect(Object.entries(copy)).toEqual([
      ['b', 1],
      ['a', { c: 2 }],
      ['d', 3],
    ]);
    expect(copy['a']).toBe(given.a);
    expect(Object.keys(given)).toEqual(['b', 'a']);
  });

  it('keep a member by the name of __proto__', () => {
    const copy = copyMembers(JSON.parse('{"__proto__":{"a":1}}') as object);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('are extended as spreads are: what was there keeps its place', () => {
    const all = extended({ a: 1, b: 2 }, { a: 3, c: undefined });
    expect(Object.entries(all)).toEqual([
      ['a', 3],
      ['b', 2],
      ['c', undefined],
    ]);
  });
});
