import { describe, expect, it } from 'vitest';
import { TestIo } from '../testing-io.js';
import { LineDisplay, LiveDisplay } from './display.js';
import { counted, elapsed, frame } from './progress.js';
import type { Stage, View } from './progress.js';

const view = (stages: readonly Stage[], elapsedMs = 0): View => ({ stages, elapsedMs });
const server: Stage = { name: 'API server', state: 'done', detail: 'v1.36.3' };
const fleet: Stage = { name: 'fleet', state: 'working', detail: '1 of 3 clusters' };

describe('frame', () => {
  it('lines stages up under each other and marks what is under way', () => {
    expect(frame(view([server, fleet]), 80)).toEqual(['  ✔ API server  v1.36.3', '  ⠋ fleet       1 of 3 clusters']);
  });

  it('turns the spinner with time', () => {
    expect(frame(view([fleet], 250), 80)).toEqual(['  ⠹ fleet  1 of 3 clusters']);
  });

  it('shows the clusters that are being migrated below all others', () => {
    const shown: View = {
      ...view([server, server, fleet]),
      migration: [{ name: 'brig', state: 'working', detail: '1/14' }],
    };
    expect(frame(shown, 80)).toEqual([
      '  ✔ API server  v1.36.3',
      '  ✔ API server  v1.36.3',
      '  ⠋ fleet       1 of 3 clusters',
      '  ⠋ brig        1/14',
    ]);
  });

  it('never fills the last column, where terminals wrap', () => {
    const [line = ''] = frame(view([{ ...fleet, detail: 'x'.repeat(200) }]), 40);
    expect([...line].length).toBeLessThan(40);
    expect(line.endsWith('…')).toBe(true);
  });
});

describe('numbers', () => {
  it.each([
    [0, 3, '0 of 3 nodes'],
    [3, 3, '3 nodes'],
    [0, 1, '0 of 1 node'],
    [1, 1, '1 node'],
  ])('%d of %d', (done, total, text) => {
    expect(counted(done, total, 'nodes')).toBe(text);
  });

  it.each([
    [1234, '1.2 s'],
    [61_000, '1 min 1 s'],
    [3_725_000, '1 h 2 min'],
  ])('%d ms', (ms, text) => {
    expect(elapsed(ms)).toBe(text);
  });
});

describe('displays', () => {
  it('rewrites in place, and only when something changed', () => {
    const io = new TestIo({ isTty: true });
    const display = new LiveDisplay(io, new AbortController().signal);
    display.show(view([server]));
    const once = io.stderr;
    display.show(view([server]));
    expect(io.stderr).toBe(once);
    display.show(view([{ ...server, detail: 'gone' }]));
    expect(io.stderr.slice(once.length)).toBe('\u001B[1F\u001B[0J  ✔ API server  gone\n');
  });

  it('prints messages above the progress', () => {
    const io = new TestIo({ isTty: true });
    const display = new LiveDisplay(io, new AbortController().signal);
    display.show(view([server]));
    const before = io.stderr.length;
    display.say('hello\n');
    expect(io.stderr.slice(before)).toBe('\u001B[1F\u001B[0Jhello\n  ✔ API server  v1.36.3\n');
  });

  it('keeps pinned lines below what moves, and shows at once what would wrap', () => {
    const io = new TestIo({ isTty: true });
    const display = new LiveDisplay(io, new AbortController().signal);
    display.show(view([server]));
    display.pin(['export A=b']);
    expect(io.stderr.endsWith('  ✔ API server  v1.36.3\nexport A=b\n')).toBe(true);
    display.say('hello\n');
    expect(io.stderr.endsWith('hello\n  ✔ API server  v1.36.3\nexport A=b\n')).toBe(true);
    const long = 'x'.repeat(io.columns);
    display.pin([long]);
    expect(io.stderr).toContain(`${long}\n  ✔ API server  v1.36.3\n`);
  });

  it('leaves one line of several stages that are over', () => {
    const over: Stage[] = [
      server,
      { name: 'kinds', state: 'done', detail: '94 installed' },
      { name: 'programs', state: 'done', detail: '14 running' },
    ];
    const first = '  ✔ API server  v1.36.3, 94 kinds, 14 programs';
    expect(frame(view([...over, fleet]), 80)).toEqual([first, '  ⠋ fleet       1 of 3 clusters']);
    expect(frame(view([...over, { ...fleet, state: 'done' }]), 80)).toEqual([first, '  ✔ fleet       1 of 3 clusters']);
  });

  it('gives the cursor back at the end, and when the process just ends', () => {
    const io = new TestIo({ isTty: true });
    const display = new LiveDisplay(io, new AbortController().signal);
    io.exit(1);
    expect(io.stderr.endsWith('\u001B[?25h')).toBe(true);
    display.close();
    expect(io.listeners).toBe(0);
  });

  it('prints each stage once to a pipe, when it is over', () => {
    const io = new TestIo();
    const display = new LineDisplay(io);
    display.show(view([server, fleet]));
    display.show(view([server, { ...fleet, state: 'done', detail: '3 clusters' }]));
    expect(io.stderr).toBe('API server: v1.36.3\nfleet: 3 clusters\n');
  });
});
