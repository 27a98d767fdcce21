import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { noCounts } from './counts.js';
import { recordCounts } from './record-counts.js';

/*
 * Runs the built product on other versions of Node than this one: `node tools/dist/ci/test-nodes.js [MAJOR …]`. For each,
 * `capstan apiserver --data` stores an object and finds it again after a restart, and `capstan up` brings its fleet up and
 * ends on a signal. The binaries come from the npm registry.
 */

const MAJORS = ['20', '22', '24'];
const BIN = fileURLToPath(new URL('../../../apps/cli/bin/capstan.js', import.meta.url));
const READY_MS = 120_000;
const NAME = 'smoke';
const run = promisify(execFile);

/** The path of a binary of that version, which npm keeps in its cache. */
async function nodeOf(major: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}@${major}`;
  const { stdout } = await run('npm', ['exec', '--yes', '--package', name, '--', 'node', '-p', 'process.execPath']);
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** A running command, once it has printed that it is ready. */
async function started(node: string, args: readonly string[], ready: RegExp): Promise<ChildProcess> {
  const child = spawn(node, [BIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const isReady = new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`capstan ${args[0] ?? ''}: ${why}:\n${text}`));
    timer = setTimeout(() => fail(`not ready within ${READY_MS / 1000} s`), READY_MS);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (ready.test(text)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(`exited with ${code}`));
    child.once('error', (error) => fail(error.message));
  });
  try {
    await isReady;
    return child;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`exited with ${code} on SIGTERM`);
}

async function kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
  return (await run('kubectl', ['--kubeconfig', kubeconfig, ...args])).stdout;
}

/** Whether kubectl is installed: without it no object is stored, and the restart proves less. */
async function hasKubectl(): Promise<boolean> {
  try {
    await run('kubectl', ['version', '--client']);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Starts it twice on one data directory; a part that could not run, in words. */
async function smokeServer(node: string, withKubectl: boolean): Promise<string | undefined> {
  const data = await mkdtemp(join(tmpdir(), 'capstan-nodes-'));
  const kubeconfig = join(data, 'kubeconfig');
  const args = ['apiserver', '--data', join(data, 'data'), '--kubeconfig-out', kubeconfig];
  try {
    const first = await started(node, args, /"url":/);
    if (withKubectl) await kubectl(kubeconfig, ['create', 'configmap', NAME, '--from-literal=kept=yes']);
    await stop(first);
    const second = await started(node, args, /"url":/);
    const read = ['get', 'configmap', NAME, '-o', 'jsonpath={.data.kept}'];
    const found = withKubectl ? await kubectl(kubeconfig, read) : undefined;
    await stop(second);
    if (withKubectl && found !== 'yes') throw new Error(`the object was not kept: ${found}`);
    return withKubectl ? undefined : 'no kubectl on PATH: an object was neither stored nor read after the restart';
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function smokeUp(node: string): Promise<undefined> {
  const child = await started(node, ['up', '--no-migrate', '--hosted', '1'], /The fleet is complete/);
  await stop(child);
}

async function main(majors: readonly string[]): Promise<number> {
  let [passed, failed, skipped] = [0, 0, 0];
  const withKubectl = await hasKubectl();
  for (const major of majors) {
    for (const [name, smoke] of Object.entries({ apiserver: smokeServer, up: smokeUp })) {
      try {
        const node = await nodeOf(major);
        const begin = performance.now();
        const missing = await smoke(node, withKubectl);
        passed += 1;
        process.stdout.write(`node ${major}: ${name} passed in ${Math.round(performance.now() - begin)} ms\n`);
        if (missing === undefined) continue;
        skipped += 1;
        process.stdout.write(`node ${major}: ${name} SKIPPED in part: ${missing}\n`);
      } catch (error) {
        failed += 1;
        process.stdout.write(
          `node ${major}: ${name} FAILED: ${error instanceof Error ? error.message : String(error)}\n`,
        );
      }
    }
  }
  recordCounts({ ...noCounts, passed, failed, skipped });
  return failed === 0 ? 0 : 1;
}

const given = process.argv.slice(2);
process.exitCode = await main(given.length === 0 ? MAJORS : given);
