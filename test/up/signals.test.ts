import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

const BIN = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));
/** Long for a busy machine; a process that starves its event loop never ends at all. */
const END_MS = 20_000;

const temporary = mkdtempSync(join(tmpdir(), 'capstan-signals-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Resolves when the process has printed what the pattern matches, on either stream. */
function printed(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (pattern.test(text)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`exited with ${code} before ${String(pattern)}:\n${text}`)));
  });
}

type When = readonly [pattern: RegExp, afterMs: number, signal: NodeJS.Signals];

/** Starts it, signals it then, and expects it to end in order without leaving a file. */
async function expectEnd([pattern, afterMs, signal]: When, ...options: string[]): Promise<void> {
  const folder = mkdtempSync(join(temporary, 'run-'));
  const child = spawn(process.execPath, [BIN, 'up', ...options], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await printed(child, pattern);
    await delay(afterMs);
    const ended = once(child, 'exit');
    child.kill(signal);
    const outcome = await Promise.race([ended, delay(END_MS, 'still running', { ref: false })]);
    expect(outcome).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
  }
}

test.concurrent.each<[string, RegExp, number, NodeJS.Signals]>([
  ['as soon as the server answers', /API server:/, 0, 'SIGTERM'],
  ['while the fleet comes up', /Ready after/, 500, 'SIGINT'],
  ['when the fleet is whole', /The fleet is complete/, 0, 'SIGTERM'],
  ['while a control plane without nodes is upgraded', /The fleet is complete/, 600, 'SIGINT'],
])('capstan up ends and leaves nothing behind when it is signalled %s', (_when, ...when) =>
  expectEnd(when, '--hosted', '2', '--no-migrate'),
);

test('capstan up ends and leaves nothing behind when it is signalled while a cluster is migrated', () =>
  expectEnd([/brig: is being migrated/, 3_000, 'SIGINT'], '--hosted', '1'));
