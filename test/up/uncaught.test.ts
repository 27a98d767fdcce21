import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, HttpTransport, loadConnection, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const BIN = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));

interface Pod extends KubeObject {
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly ready: boolean;
      readonly lastState: { readonly terminated?: { readonly message?: string; readonly exitCode: number } };
    }[];
  };
}

test.each(['sockets', 'memory'])(
  'an error that a component does not catch ends its container alone, its network by %s',
  async (link) => {
    const script = fileURLToPath(new URL('../dist/up/uncaught-process.js', import.meta.url));
    const child = spawn(process.execPath, [script, link], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const outcome = await once(child, 'close');
    const ended = (name: string, where: string): object => {
      const message = `failed in ${where}`;
      return { name, exitCode: 1, message, reason: 'Error', log: `uncaught error: Error: ${message}` };
    };
    const lines = out.split('\n').filter((line) => line !== '');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      ended('timer', 'a timer'),
      ended('clock', 'a timer of its clock'),
      ended('rejection', 'a promise'),
      ended('event', 'an event'),
      ended('request', 'a request'),
      ended('handler', 'a handler'),
      ended('connection', 'a connection'),
      { name: 'healthy', isRunning: true },
    ]);
    // What is of no container ends the process.
    expect(err).toBe('unattributed: failed in the process itself\n');
    expect(outcome).toEqual([1, null]);
  },
);

test('capstan up survives a component of one of its pods that fails in a timer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-uncaught-'));
  const kubeconfig = join(folder, 'kubeconfig');
  // After the signal, the next request to a proxy in a pod fails its program a moment later.
  const failing = `
    import http from 'node:http';
    const { emit } = http.Server.prototype;
    process.once('SIGUSR2', () => {
      http.Server.prototype.emit = function (event, request, ...rest) {
        if (event === 'request' && /^\\/readyz/.test(request.url)) {
          http.Server.prototype.emit = emit;
          setTimeout(() => { throw new Error('boom'); }, 1);
        }
        return emit.call(this, event, request, ...rest);
      };
    });`;
  const child = spawn(
    process.execPath,
    [BIN, 'up', '--hosted', '0', '--fleet', '1', '-o', 'json', '--kubeconfig-out', kubeconfig],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(failing)}"` },
    },
  );
  try {
    await once(child.stdout, 'data');
    child.kill('SIGUSR2');
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    const client = new Client(transport);
    const failed = async (): Promise<Pod | undefined> => {
      const { items } = await client.list<Pod>(PODS);
      const isBoom = ({ status }: Pod): boolean =>
        status?.containerStatuses?.some(({ lastState }) => lastState.terminated?.message === 'boom') === true;
      return items.find((pod) => isBoom(pod) && pod.status?.containerStatuses?.every(({ ready }) => ready));
    };
    const pod = await waitUntil('a container has failed and runs again', failed, {
      clock: systemClock(),
      everyMs: 500,
      limitMs: 60_000,
    });
    const status = pod.status?.containerStatuses?.find(({ lastState }) => lastState.terminated?.message === 'boom');
    expect(status).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 1, reason: 'Error', message: 'boom' } },
    });
    await transport.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(kubeconfig)).toBe(true);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
