import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/capstan.js', import.meta.url));
const MAIN = new URL('../dist/main.js', import.meta.url).href;
/** By far less than the optimizing compiler needs for a parser of HTTP, and processor time, which no neighbour changes. */
const CPU_MS = 60;

const folder = mkdtempSync(join(tmpdir(), 'capstan-ends-'));
const kubeconfig = join(folder, 'kubeconfig');
let server: ChildProcess;

beforeAll(async () => {
  server = spawn(process.execPath, [BIN, 'apiserver', '--kubeconfig-out', kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout as NodeJS.ReadableStream, 'data');
}, 60_000);
afterAll(() => {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs a command as the program does, and returns what it left behind and how much was done until the process ended. */
const MEASURED = `
  const { main } = await import(${JSON.stringify(MAIN)});
  const { writeSync } = await import('node:fs');
  const code = await main(process.argv.slice(1));
  const begin = process.cpuUsage();
  setImmediate(() => {
    const open = process.getActiveResourcesInfo().filter((each) => !['PipeWrap', 'TTYWrap', 'CloseReq'].includes(each));
    process.once('exit', () => {
      const { system, user } = process.cpuUsage(begin);
      writeSync(3, JSON.stringify({ code, open, cpuMs: (system + user) / 1000 }));
    });
  });`;

interface Left {
  readonly code: number;
  readonly open: readonly string[];
  readonly cpuMs: number;
}

async function leftBy(argv: readonly string[], signalOn?: RegExp): Promise<Left> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEASURED, '--', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, KUBECONFIG: kubeconfig },
  });
  let [report, out, err] = ['', '', ''];
  child.stdio[3]?.on('data', (chunk: Buffer) => (report += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (signalOn?.test(out) === true) child.kill('SIGTERM');
  });
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  await once(child, 'close');
  if (report === '') throw new Error(`${argv.join(' ')} has not ended by itself:\n${out}${err}`);
  return JSON.parse(report) as Left;
}

describe('a command that is done ends the process by itself, at once', () => {
  it.each([
    'version',
    '--help',
    'get versions',
    'get kubeconfig one',
    'destroy cluster one',
    'dump cluster one --artifact-dir FOLDER/dump',
    'create cluster none --name one --dry-run',
    'convert machines --from-cluster',
    'crds mirror --from-cluster',
    'install --component crd-compatibility --dry-run',
    'observability rules',
    'completion bash',
  ])('%s', async (line) => {
    const { cpuMs, open } = await leftBy(line.split(' ').map((each) => each.replace('FOLDER', folder)));
    expect(open).toEqual([]);
    expect(cpuMs).toBeLessThan(CPU_MS);
  });

  it.each(['apiserver', 'apiserver --no-controllers', 'proxy --listen 127.0.0.1:0 -o json'])(
    '%s, when it is stopped',
    async (line) => {
      expect((await leftBy(line.split(' '), /\n/)).code).toBe(0);
    },
  );
});
