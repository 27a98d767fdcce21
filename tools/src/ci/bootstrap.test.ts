import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The functions of the script under test, which is plain JavaScript. */
interface Bootstrap {
  readonly checkNode: (version: string) => void;
  readonly workspaceFolders: (root: string) => string[];
  readonly installFingerprint: (root: string) => string;
  readonly installedMatchesLock: (root: string) => boolean;
  readonly buildFingerprint: (root: string) => string;
  readonly withLock: <T>(file: string, work: () => Promise<T>, onWait?: () => void) => Promise<T>;
}

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const script = join(repository, 'tools/bootstrap.mjs');
const { buildFingerprint, checkNode, installFingerprint, installedMatchesLock, withLock, workspaceFolders } =
  (await import(script)) as Bootstrap;

const rootManifest = {
  name: 'root',
  type: 'module',
  workspaces: ['api', 'libs/*'],
  scripts: { a: 'b' },
  devDependencies: { x: '1.0.0' },
};
const lock = {
  packages: {
    '': { devDependencies: { x: '1.0.0' } },
    api: { name: '@t/api' },
    'libs/one': { name: '@t/one' },
    'node_modules/x': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  },
};

/** Stands for the compiler: notes the call, takes a moment, leaves what the real one leaves. */
const fakeCompiler = `
  const fs = require('node:fs');
  fs.appendFileSync('calls', 'x');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  for (const dir of ['api', 'libs/one']) {
    fs.mkdirSync(dir + '/dist', { recursive: true });
    fs.writeFileSync(dir + '/dist/.tsbuildinfo', '');
  }
  if (fs.existsSync('slow')) {
    fs.writeFileSync('pid', String(process.pid));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  }
  if (fs.existsSync('broken')) process.stdout.write('error TS0: broken\\n', () => process.exit(2));
`;

let root = '';

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-bootstrap-'));
  write('package.json', rootManifest);
  write('package-lock.json', lock);
  write('api/package.json', { name: '@t/api' });
  write('api/src/index.ts', 'export {};');
  write('libs/one/package.json', { name: '@t/one' });
  write('libs/not-a-package/note.txt', '');
  const { 'node_modules/x': x } = lock.packages;
  write('node_modules/.package-lock.json', { packages: { 'node_modules/x': x } });
  write('node_modules/x/package.json', {});
  write('node_modules/typescript7/package.json', { version: '0.0.0', type: 'commonjs' });
  write('node_modules/typescript7/bin/tsc', fakeCompiler);
  for (const file of ['tools/bootstrap.mjs', 'tools/running.mjs', 'apps/cli/bin/end-with-npm.js'])
    write(file, readFileSync(join(repository, file), 'utf8'));
  utimesSync(join(root, 'api/src/index.ts'), 1_000, 1_000);
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

interface Outcome {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the script as npm does, in a process of its own. */
function run(...args: string[]): Promise<Outcome> {
  return start(...args).ended;
}

function start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Outcome> } {
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))) };
}

function compilations(): number {
  return existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls')).length : 0;
}

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '21.0.0', '22.1.0', '100.0.0'])('%s is accepted', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  it.each(['18.20.0', '20.18.3', '9.99.0'])('%s is refused with the version that is needed', (version) => {
    expect(() => checkNode(version)).toThrow(
      `Node 20.19 or newer is needed, this is ${version}. Install a newer Node (https://nodejs.org) and run the command again.`,
    );
  });
});

describe('what decides an install', () => {
  it('is every workspace folder that holds a package', () => {
    expect(workspaceFolders(root)).toEqual(['api', 'libs/one']);
  });

  it('changes with a dependency of any package and with the lock file, not with a script', () => {
    const before = installFingerprint(root);
    write('package.json', { ...rootManifest, scripts: { a: 'c' } });
    expect(installFingerprint(root)).toBe(before);
    write('libs/one/package.json', { name: '@t/one', dependencies: { y: '1.0.0' } });
    const withDependency = installFingerprint(root);
    expect(withDependency).not.toBe(before);
    write('package-lock.json', {});
    expect(installFingerprint(root)).not.toBe(withDependency);
  });

  it.each([
    ['everything as locked, optional packages of other platforms absent', () => {}, true],
    ['no node_modules', () => rmSync(join(root, 'node_modules'), { recursive: true }), false],
    ['a package folder deleted', () => rmSync(join(root, 'node_modules/x'), { recursive: true }), false],
    [
      'another version',
      () => write('node_modules/.package-lock.json', { packages: { 'node_modules/x': { version: '2.0.0' } } }),
      false,
    ],
    [
      'a manifest that asks for more than the lock',
      () => write('api/package.json', { dependencies: { z: '1.0.0' } }),
      false,
    ],
  ])('with %s', (_name, change, expected) => {
    change();
    expect(installedMatchesLock(root)).toBe(expected);
  });
});

describe('what decides a build', () => {
  it.each([
    ['a changed source', () => write('api/src/index.ts', 'export const a = 1;')],
    ['a new source', () => write('libs/one/src/deep/new.ts', '')],
    ['a changed compiler option', () => write('tsconfig.base.json', '{}')],
    ['another compiler', () => write('node_modules/typescript7/package.json', { version: '0.0.1' })],
  ])('changes with %s', (_name, change) => {
    const before = buildFingerprint(root);
    change();
    expect(buildFingerprint(root)).not.toBe(before);
  });
});

describe('bootstrap', () => {
  it('compiles once, and again only after a source changed or the output was deleted', async () => {
    const first = await run();
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/^capstan: compiling, 0 of 2 packages, 0 s\ncapstan: compiled in \d+ s\n$/);
    expect(await run()).toEqual({ code: 0, stderr: '' });
    expect(compilations()).toBe(1);
    utimesSync(join(root, 'api/src/index.ts'), 2_000, 2_000);
    await run();
    expect(compilations()).toBe(2);
    rmSync(join(root, 'libs/one/dist'), { recursive: true });
    await run('--build');
    expect(compilations()).toBe(3);
  });

  it('compiles once for two that start together', async () => {
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(compilations()).toBe(1);
  });

  it('fails with a sentence and tries again the next time when the sources do not compile', async () => {
    write('broken', '');
    expect(await run()).toEqual({
      code: 1,
      stderr:
        'capstan: compiling, 0 of 2 packages, 0 s\nerror TS0: broken\ncapstan: the sources do not compile, see above\n',
    });
    rmSync(join(root, 'broken'));
    expect((await run()).code).toBe(0);
    expect(compilations()).toBe(2);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends the compiler with itself on %s, and gives the lock back', async (signal, code) => {
    write('slow', '');
    const { child, ended } = start();
    const polling = { clock: systemClock(), everyMs: 20, limitMs: 20_000 };
    await waitUntil('the compiler runs', () => existsSync(join(root, 'pid')), polling);
    child.kill(signal);
    const { code: found, stderr } = await ended;
    expect(found).toBe(code);
    expect(stderr).toContain(`capstan: interrupted (${signal})\n`);
    const compiler = Number(readFileSync(join(root, 'pid'), 'utf8'));
    expect(() => process.kill(compiler, 0)).toThrow('ESRCH');
    expect(existsSync(join(root, '.capstan/bootstrap.lock'))).toBe(false);
  });

  it('runs a script in the same process when all is there, with its arguments and its exit code', async () => {
    write('apps/cli/bin/script.mjs', "console.error(process.argv.slice(2).join(' ')); process.exitCode = 7;");
    const first = await run('--then', 'apps/cli/bin/script.mjs', 'up', '--install');
    expect(first.code).toBe(7);
    expect(first.stderr).toContain('\nup --install\n');
    expect(compilations()).toBe(1);
  });

  it('compiles nothing where only the install was asked for', async () => {
    expect((await run('--install')).code).toBe(0);
    expect(compilations()).toBe(0);
  });
});

describe('the lock', () => {
  it('lets one work at a time', async () => {
    const file = join(root, '.capstan/lock');
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('is given back when the work fails', async () => {
    const file = join(root, '.capstan/lock');
    await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(file, () => Promise.resolve('yes'))).toBe('yes');
  });

  it('is taken from a holder that has been silent for long', async () => {
    const file = join(root, '.capstan/lock');
    write('.capstan/lock', '1 another-machine token');
    utimesSync(file, 1_000, 1_000);
    expect(await withLock(file, () => Promise.resolve('taken'))).toBe('taken');
  });
});
