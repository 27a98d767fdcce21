import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { propertySeed } from '@capstan/tools';
import { bounded } from './bounds.js';
import { MAX_EXPONENT, exponentOf, type Growth } from './growth/measure.js';

/*
 * Whatever a stranger sends is read in a time that doubles when its size does: fewer bytes than a request may have must not
 * stop the process. Each case is measured at sizes that double; the exponent is that of the power the time follows.
 */

const MAIN = fileURLToPath(new URL('../dist/attacks/growth/main.js', import.meta.url));

async function measured(seed: number): Promise<Growth[]> {
  const args = [MAIN, String(seed), String(bounded(1, 20)), String(bounded(2, 40)), String(bounded(12, 1))];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Growth);
}

describe('the time to process input of an attacker', () => {
  it('grows no faster than their number', { timeout: bounded(180_000, 3_600_000) }, async () => {
    const seed = propertySeed();
    const all = await measured(seed);
    expect(all.length).toBeGreaterThan(bounded(10, 100));
    const shown = ({ name, points, exponent, error }: Growth): string =>
      error === undefined
        ? `${name}: ${points.map(([size, ms]) => `${size} in ${ms.toFixed(1)} ms`).join(', ')}: exponent ${exponent.toFixed(2)}`
        : `${name}: ${error}`;
    const bad = all.filter(({ exponent, error }) => error !== undefined || exponent > MAX_EXPONENT);
    expect(bad.map(shown), `seed ${seed}`).toEqual([]);
  });

  it('is identified by its exponent', () => {
    const sizes = [1000, 2000, 4000, 8000];
    expect(exponentOf(sizes.map((size) => [size, size / 500]))).toBeCloseTo(1);
    expect(exponentOf(sizes.map((size) => [size, (size / 500) ** 2]))).toBeCloseTo(2);
    expect(exponentOf(sizes.map((size) => [size, size * Math.log2(size)]))).toBeLessThan(MAX_EXPONENT);
  });
});
