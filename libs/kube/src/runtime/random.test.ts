import { describe, expect, it } from 'vitest';
import { systemRandom } from './random.js';

describe('systemRandom', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number | string): number[] => {
      const random = systemRandom(seed);
      return [random.next(), random.below(1000), ...random.bytes(7)];
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw('1')).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('splits by name alone, whatever was drawn before', () => {
    const fresh = systemRandom(1).split('a').next();
    const used = systemRandom(1);
    used.bytes(100);
    expect(used.split('a').next()).toBe(fresh);
    expect(used.split('b').next()).not.toBe(fresh);
    expect(systemRandom(1).split('a').split('b').next()).not.toBe(systemRandom(1).split('a/b').next());
  });

  it.each([undefined, 42])('is uniform (seed %s)', (seed) => {
    const random = systemRandom(seed);
    const counts = new Array<number>(10).fill(0);
    let sum = 0;
    for (let index = 0; index < 20_000; index += 1) {
      const at = random.below(10);
      counts[at] = (counts[at] ?? 0) + 1;
      const value = random.next();
      expect(value >= 0 && value < 1).toBe(true);
      sum += value;
    }
    expect(sum / 20_000).toBeCloseTo(0.5, 1);
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(300);
    expect(new Set(random.bytes(1000)).size).toBeGreaterThan(200);
  });
});
