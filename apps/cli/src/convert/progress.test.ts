import { describe, expect, it } from 'vitest';
import { TestIo } from '../testing-io.js';
import { bar, ProgressBar } from './progress.js';
import { runConvert } from './run.js';
import { machine, platforms } from './testing-fleet.js';
import { list } from './testing-folder.js';

const CLEAR = '\r\u001B[K';

describe('the progress of a conversion', () => {
  it.each([
    [0, 10_000, 'converting  [..............................]  0 of 10,000'],
    [5_000, 10_000, 'converting  [###############...............]  5,000 of 10,000'],
    [10_000, 10_000, 'converting  [##############################]  10,000 of 10,000'],
    [0, 0, 'converting  [##############################]  0 of 0'],
  ])('%d of %d', (done, total, line) => {
    expect(bar('converting', done, total)).toBe(line);
  });

  it('is shown once it takes a while, seldom enough to be read, and is gone at the end', () => {
    const io = new TestIo();
    let now = 0;
    const progress = new ProgressBar(io, () => now);
    const after = (ms: number, act: () => void): string => {
      now = ms;
      const before = io.stderr.length;
      act();
      return io.stderr.slice(before);
    };
    expect(after(100, () => progress.show('converting', 1, 9))).toBe('');
    expect(after(500, () => progress.show('converting', 3, 9))).toBe(`${CLEAR}${bar('converting', 3, 9)}`);
    expect(after(550, () => progress.show('converting', 4, 9))).toBe('');
    expect(after(650, () => progress.show('converting', 5, 9))).toBe(`${CLEAR}${bar('converting', 5, 9)}`);
    expect(after(700, () => progress.clear())).toBe(CLEAR);
    expect(after(700, () => progress.clear())).toBe('');
  });

  it('names a large file before it is read, and is never wider than the terminal', () => {
    const io = new TestIo();
    const progress = new ProgressBar(io, () => 0);
    progress.reading('small.json', 10);
    expect(io.stderr).toBe('');
    progress.reading('machines.json', 41_000_000);
    expect(io.stderr).toBe(`${CLEAR}reading machines.json (41 MB)`);
    progress.reading('x'.repeat(200), 41_000_000);
    expect(io.stderr.split(CLEAR).at(-1)).toHaveLength(io.columns - 1);
  });

  it.each([true, false])('is for a person alone: %s', async (isErrTty) => {
    const io = Object.assign(new TestIo(), { isErrTty });
    io.stdin = JSON.stringify(list(...Array.from({ length: 2_000 }, (_, at) => machine(`${'m'.repeat(200)}${at}`))));
    expect(io.stdin.length).toBeGreaterThan(1_000_000);
    await runConvert([], { filename: ['-'], check: true }, io, platforms);
    expect(io.stderr.includes('reading standard input')).toBe(isErrTty);
    if (isErrTty) expect(io.stderr.endsWith(CLEAR)).toBe(true);
    expect(io.stdout).toContain('2000 objects of 2000 convert to Cluster API');
  });
});
