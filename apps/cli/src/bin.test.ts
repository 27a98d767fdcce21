import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { clientVersion } from './client-version.js';

const BIN = fileURLToPath(new URL('../bin/capstan.js', import.meta.url));
let children: ChildProcess[] = [];

interface Started {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
}

function capstan(env: Record<string, string>, ...argv: string[]): Started {
  const child = spawn(process.execPath, [BIN, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: '/nonexistent', ...env },
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  children.push(child);
  return { child, output };
}

async function ready({ child, output }: Started): Promise<{ kubeconfig: string; pid: number; url: string }> {
  while (!output.out.includes('\n')) {
    if (child.exitCode !== null) throw new Error(`ended before it was ready: ${output.err}`);
    await Promise.race([once(child, 'close'), once(child.stdout as NodeJS.ReadableStream, 'data')]);
  }
  return JSON.parse(output.out) as { kubeconfig: string; pid: number; url: string };
}

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

describe('the capstan program', () => {
  it('prints its version and ends', async () => {
    const { child, output } = capstan({}, '--version');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toEqual({ out: `${clientVersion()}\n`, err: '' });
  });

  it.each([
    ['> /dev/full', 'version', 1, 'error: cannot write to standard output: no space left\n'],
    ['2> /dev/full', 'frob', 2, ''],
    ['> /dev/full 2> /dev/full', 'version', 1, ''],
  ])('exits as it should when its output cannot be written: %s', async (...given) => {
    const [where, command, code, message] = given;
    const child = spawn('sh', ['-c', `exec "$0" "$@" ${where}`, process.execPath, BIN, command]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(stderr).toContain(message);
  });

  it('serves even when its output cannot be written', async () => {
    const child = spawn('sh', [
      '-c',
      'exec "$0" "$@" > /dev/full',
      process.execPath,
      BIN,
      'apiserver',
      '--no-controllers',
    ]);
    children.push(child);
    const [text] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string];
    expect(text).toBe('warning: cannot write to standard output: no space left\n');
    expect(child.exitCode).toBeNull();
  });

  it('ends with 2 when it does not understand', async () => {
    const { child, output } = capstan({}, 'frob');
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(output).toEqual({ out: '', err: "error: unknown command 'frob'\nSee 'capstan --help' for usage.\n" });
  });

  it('reports an error outside of any command in one line, exits with 1 and cleans up', async () => {
    const failing = "process.once('SIGUSR2', () => { throw new Error('boom'); })";
    const started = capstan(
      { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(failing)}"` },
      'apiserver',
    );
    const { kubeconfig } = await ready(started);
    started.child.kill('SIGUSR2');
    expect(await once(started.child, 'close')).toEqual([1, null]);
    expect(started.output.err).toBe('error: boom\nset CAPSTAN_DEBUG=1 to see where this comes from\n');
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'serves until %s, then ends with 0 and removes its kubeconfig',
    async (signal) => {
      const started = capstan({}, 'apiserver');
      const { kubeconfig, pid } = await ready(started);
      expect(pid).toBe(started.child.pid);
      expect(existsSync(kubeconfig)).toBe(true);
      started.child.kill(signal);
      expect(await once(started.child, 'close')).toEqual([0, null]);
      expect(existsSync(kubeconfig)).toBe(false);
      expect(started.output.err).toBe('');
    },
  );

  it('goes on serving when nobody reads its output and its log any more', async () => {
    const started = capstan({}, 'apiserver', '--no-controllers', '--verbose');
    const { url } = await ready(started);
    started.child.stdout?.destroy();
    started.child.stderr?.destroy();
    // Each request is a line of the log.
    for (let at = 0; at < 20; at += 1) expect(await statusOf(`${url}/readyz`)).toBe(200);
    started.child.kill('SIGTERM');
    expect(await once(started.child, 'close')).toEqual([0, null]);
  });

  it.each([
    ['stdout', ['--help'], 0],
    ['stdout', ['completion', 'bash'], 0],
    ['stderr', ['frob'], 2],
    ['stderr', ['version', '--kubeconfig', '/nonexistent/file'], 1],
  ] as const)('ends quietly when its %s is closed: %j', async (stream, argv, code) => {
    const { child, output } = capstan({}, ...argv);
    child[stream]?.destroy();
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(`${output.out}${output.err}`).not.toMatch(/EPIPE|^ {4}at /m);
  });
});

/** The status that a server answers with; who it is does not matter here. */
async function statusOf(url: string): Promise<number | undefined> {
  const outgoing = request(url, { rejectUnauthorized: false, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
