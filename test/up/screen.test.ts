import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@capstan/cli';
import type { Io } from '@capstan/cli';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 400_000 });

const [COLUMNS, ROWS] = [80, 24];

/** A terminal of that size, as far as it is used: lines, and lines taken back. */
class Terminal implements Io {
  readonly env = { HOME: '/nonexistent', PATH: process.env['PATH'] };
  readonly isTty = true;
  readonly columns = COLUMNS;
  stop: () => void = () => undefined;
  /** All that was ever written, without what was taken back. The last is where the cursor is. */
  #lines: string[] = [''];

  out(text: string): void {
    this.err(text);
  }

  err(text: string): void {
    for (const [piece] of text.matchAll(/\u001B\[\??\d*[A-Za-z]|\n|\r|[^\u001B\n\r]+/g)) {
      const up = /^\u001B\[(\d+)F$/.exec(piece)?.[1];
      if (piece === '\n') this.#lines.push('');
      else if (up !== undefined) this.#lines = [...this.#lines.slice(0, -1 - Number(up)), ''];
      else if (piece === '\r') this.#lines[this.#lines.length - 1] = '';
      else if (!piece.startsWith('\u001B')) this.#lines.push(`${this.#lines.pop() ?? ''}${piece}`);
    }
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  input(): Promise<string> {
    return Promise.resolve('');
  }

  onStop(callback: () => void): () => void {
    this.stop = callback;
    return () => undefined;
  }

  onExit(): () => void {
    return () => undefined;
  }

  exit(): void {
    this.stop();
  }
}

test('all that npm start shows fits a terminal of 80 columns and 24 lines, and ends with what to type', async () => {
  const terminal = new Terminal();
  const ended = main(['up'], terminal);
  const shows = (text: string) => () => terminal.lines.some((line) => line.includes(text));
  const waitOptions = { clock: systemClock(), everyMs: 100, limitMs: 300_000 };
  await waitUntil('it is ready', shows('Ready after'), waitOptions);
  const early = [...terminal.lines];
  const amidst = /✔ brig +on private types\n.* cutter +[█░]{20} .*\n.* dinghy +on standard types/;
  await waitUntil('the second cluster is migrated', () => amidst.test(terminal.lines.join('\n')), waitOptions);
  const amid = [...terminal.lines];
  await waitUntil('the last control plane is upgraded', shows('is being upgraded'), waitOptions);
  const late = [...terminal.lines];
  terminal.stop();
  expect(await ended).toBe(0);
  for (const lines of [early, amid, late]) {
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(ROWS);
    expect(lines.at(-1)).toBe('');
    expect(lines.at(-2)).toMatch(/^ {2}export KUBECONFIG=\S+$/);
  }
  const text = late.join('\n');
  expect(text).toContain('3 clusters are on private types after ');
  expect(text).toContain('3 clusters come up: 3 hosted (brig, cutter, dinghy).');
  expect(text).toMatch(/fleet +3 clusters, \d+/);
});

test('a pipe gets lines of 80 columns, too, and what to type at the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-screen-'));
  const bin = new URL('../../apps/cli/bin/capstan.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [bin, 'up', '--fleet', '0', '--hosted', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without kubectl.
    env: { ...process.env, PATH: folder, TMPDIR: folder },
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  try {
    const isReminded = (): boolean => err.split('export KUBECONFIG=').length === 3;
    await waitUntil('all is there', isReminded, { clock: systemClock(), everyMs: 100, limitMs: 60_000 });
    const lines = err.split('\n');
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(lines.at(-2)).toMatch(/^ {2}export KUBECONFIG=\S+$/);
    expect(lines).toContain('Most of docs/guide/up.md wants kubectl: https://kubernetes.io/docs/tasks/tools');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
