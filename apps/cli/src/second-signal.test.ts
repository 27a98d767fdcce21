import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kubeconfigText, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/capstan.js', import.meta.url));
const POLLING = { clock: systemClock(), everyMs: 200, limitMs: 20_000 };
const folder = mkdtempSync(join(tmpdir(), 'capstan-second-signal-'));
const kubeconfig = join(folder, 'kubeconfig');
const children: ChildProcess[] = [];
let silent: Server;
let connections = 0;

beforeAll(async () => {
  // Takes every request and answers none.
  silent = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  writeFileSync(kubeconfig, kubeconfigText({ server: `http://127.0.0.1:${port}`, token: 'x' }));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  silent.close();
  rmSync(folder, { recursive: true });
});

function capstan(env: Record<string, string>, ...argv: string[]): ChildProcess {
  const child = spawn(process.execPath, [BIN, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, ...env },
  });
  children.push(child);
  return child;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

describe('a second signal ends the process', () => {
  it.each([
    ['operator'],
    ['control-plane-operator'],
    ['capi-operator'],
    ['machine-api', 'operator'],
    ['machine-api', 'status'],
    ['get', 'kubeconfig', 'one'],
    ['get', 'versions', '--watch'],
    ['destroy', 'cluster', 'one'],
  ])('while a server does not answer: %s %s %s', async (...argv) => {
    const before = connections;
    const child = capstan({}, ...argv.filter((each) => each !== undefined), '--kubeconfig', kubeconfig);
    await waitUntil('a request is under way', () => connections > before || hasEnded(child), POLLING);
    expect(hasEnded(child)).toBe(false);
    const again = (): boolean => {
      child.kill('SIGTERM');
      return hasEnded(child);
    };
    await waitUntil('it ends', again, { ...POLLING, limitMs: 5_000 });
  });

  it('while its event loop does not turn any more, and no kubeconfig is left', async () => {
    // From the first signal on, the promises of a loop that does not look at it leave no time for anything else.
    const starve = `
      const { abort } = AbortController.prototype;
      const spin = () => Promise.resolve().then(spin);
      process.once('SIGUSR2', () => {
        AbortController.prototype.abort = function (...given) { abort.apply(this, given); spin(); };
        process.stderr.write('armed');
      });`;
    const child = capstan(
      { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(starve)}"` },
      'apiserver',
      '--no-controllers',
    );
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const { kubeconfig: written } = JSON.parse(line.toString()) as { kubeconfig: string };
    child.kill('SIGUSR2');
    await once(child.stderr as NodeJS.ReadableStream, 'data');
    child.kill('SIGTERM');
    await waitUntil('the first signal is handled', () => !existsSync(written), POLLING);
    expect(hasEnded(child)).toBe(false);
    child.kill('SIGTERM');
    await waitUntil('it ends', () => hasEnded(child), POLLING);
    expect(child.signalCode).toBe('SIGTERM');
  });
});
