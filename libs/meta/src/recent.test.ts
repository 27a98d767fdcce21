import { describe, expect, it } from 'vitest';
import { Recent } from './recent.js';

const keys = Array.from({ length: 10 }, () => ({}));
const key = (at: number): object => keys[at] ?? {};

function filled(limit: number, count: number): Recent<object, number> {
  const recent = new Recent<object, number>(limit);
  for (let at = 0; at < count; at += 1) recent.set(key(at), at);
  return recent;
}

describe('Recent', () => {
  it.each([
    [6, true],
    [4, true],
    [2, false],
    [0, false],
  ])('of seven entries with a limit of three, entry %i is known: %s', (at, isKnown) => {
    expect(filled(3, 7).get(key(at))).toBe(isKnown ? at : undefined);
  });

  it('never forgets within the limit', () => {
    for (let count = 1; count <= 10; count += 1) {
      for (let at = Math.max(0, count - 3); at < count; at += 1) expect(filled(3, count).get(key(at))).toBe(at);
    }
  });

  it('keeps what is asked for again', () => {
    const recent = filled(3, 3);
    for (let at = 3; at < 10; at += 1) {
      expect(recent.get(key(0))).toBe(0);
      recent.set(key(at), at);
    }
  });

  it('compares by identity', () => {
    expect(filled(3, 3).get({})).toBeUndefined();
  });
});
