import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const clock = systemClock();
const STARTED = { clock, everyMs: 100, limitMs: 60_000 };
/** Long for a busy machine; a server that is left behind never ends. */
const ENDED = { clock, everyMs: 100, limitMs: 20_000 };

const temporary = mkdtempSync(join(tmpdir(), 'capstan-npm-'));
const children: ChildProcess[] = [];
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) endGroup(pid, 'SIGKILL');
});

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

interface Started {
  readonly npm: ChildProcess;
  /** Of the server. */
  readonly pid: number;
  /** Where it puts its kubeconfig. */
  readonly folder: string;
}

/** Starts something by npm, in a process group of its own as a terminal does, until it serves. */
async function start(command: string, ...argv: string[]): Promise<Started> {
  const folder = mkdtempSync(join(temporary, 'run-'));
  const npm = spawn(command, argv, {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  children.push(npm);
  let text = '';
  npm.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  npm.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ready = (): string | undefined => {
    if (npm.exitCode !== null) throw new Error(`ended with ${npm.exitCode} before it served:\n${text}`);
    return /^\{.*"pid":(\d+)/m.exec(text)?.[1];
  };
  return { npm, pid: Number(await waitUntil(`${command} serves`, ready, STARTED)), folder };
}

/** Processes of a group, by their command lines. */
function groupOf(leader: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(group) === leader && state !== 'Z' ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
}

async function expectNothingLeft({ folder, npm }: Started): Promise<void> {
  await waitToSee(
    'every process has ended',
    () => groupOf(npm.pid ?? 0),
    ({ length }) => length === 0,
    ENDED,
  );
  expect(readdirSync(folder)).toEqual([]);
}

const UP = ['--fleet', '0', '--hosted', '0', '-o', 'json'];

describe.skipIf(process.platform !== 'linux')('what npm has started ends with npm', () => {
  test.each<[string, string[], NodeJS.Signals]>([
    ['npm', ['start', '--', ...UP], 'SIGTERM'],
    ['npm', ['start', '--', ...UP], 'SIGINT'],
    ['npm', ['start', '--', ...UP], 'SIGKILL'],
    ['npx', ['capstan', 'apiserver', '--no-controllers'], 'SIGTERM'],
    ['npx', ['capstan', 'apiserver', '--no-controllers'], 'SIGKILL'],
  ])('%s %j, signalled alone by %s', async (command, argv, signal) => {
    const started = await start(command, ...argv);
    started.npm.kill(signal);
    await expectNothingLeft(started);
  });

  test('by a signal to the shell between the two', async () => {
    const started = await start('npx', 'capstan', 'apiserver', '--no-controllers');
    const stat = readFileSync(`/proc/${started.pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    process.kill(parent, 'SIGTERM');
    await expectNothingLeft(started);
  });

  test('by Ctrl-C in a terminal, which signals the whole group', async () => {
    const started = await start('npm', 'start', '--', ...UP);
    endGroup(started.npm.pid ?? 0, 'SIGINT');
    await expectNothingLeft(started);
  });
});
