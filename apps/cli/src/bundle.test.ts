import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

interface Loader {
  readonly entryOf: (folder: string) => string | undefined;
  readonly isBundled: (argv: readonly string[]) => boolean;
  readonly stampOf: (file: string) => string;
}

const BIN = fileURLToPath(new URL('../bin/capstan.js', import.meta.url));
const { entryOf, isBundled, stampOf } = (await import(new URL('../bin/load.js', import.meta.url).href)) as Loader;
const CRD = fileURLToPath(new URL('../../../api/crds/cluster.x-k8s.io/machines.yaml', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'capstan-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));
// Whole processes are started here.
vi.setConfig({ testTimeout: 60_000 });

function run(
  argv: readonly string[],
  env: Record<string, string>,
): { status: number | null; out: string; err: string } {
  const { status, stderr, stdout } = spawnSync(process.execPath, [BIN, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, HOME: '/nonexistent', ...env },
  });
  return { status, out: stdout, err: stderr };
}

describe('the bundle', () => {
  it.each([
    [[], true],
    [['--help'], true],
    [['crd'], true],
    [['crds', 'check', '-f', 'a'], true],
    [['crd', 'explain'], true],
    [['crd', 'mirror'], false],
    [['crd', 'preflight'], true],
    [['up'], false],
    [['help', 'crd'], false],
  ])('serves %j: %s', (argv, expected) => {
    expect(isBundled(argv)).toBe(expected);
  });

  it.each([
    ['that there is none', undefined],
    ['that it cannot be read', '{'],
    ['another build', JSON.stringify({ entry: 'a.cjs', inputs: { 'package.json': '1 2' } })],
    ['a part that is gone', JSON.stringify({ entry: 'a.cjs', inputs: { 'no/such.file': '1 2' } })],
  ])('is left for %s', (_, manifest) => {
    const own = mkdtempSync(join(folder, 'of-'));
    if (manifest !== undefined) writeFileSync(join(own, 'manifest.json'), manifest);
    expect(entryOf(own)).toBeUndefined();
  });

  it('is used while it is of the present build', () => {
    const own = mkdtempSync(join(folder, 'of-'));
    const inputs = { 'package.json': stampOf('package.json') };
    writeFileSync(join(own, 'manifest.json'), JSON.stringify({ entry: 'a.cjs', inputs }));
    expect(entryOf(own)).toBe('a.cjs');
  });

  it('runs the code that V8 kept of it, all of it', () => {
    const program = `
      const { BUNDLE, entryOf, loadBundle } = await import(${JSON.stringify(new URL('../bin/load.js', import.meta.url).href)});
      const rejected = [];
      const { main } = loadBundle(BUNDLE, entryOf(BUNDLE), (file, script) => {
        if (script.cachedDataRejected !== false) rejected.push(file);
      });
      await main(['crd', 'check', '-r', ${JSON.stringify(CRD)}, '-f', ${JSON.stringify(CRD)}]);
      console.log(JSON.stringify(rejected));`;
    const { stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['0 errors, 0 warnings\n[]\n', '']);
  });

  const odd = join(folder, 'odd.yaml');
  writeFileSync(odd, 'a: &x 1\nb: *x\nc: "d\ne"\n');
  it.each<[string, readonly string[]]>([
    ['help', ['--help']],
    ['help of a command', ['crd', 'check', '--help']],
    ['a rule', ['crd', 'explain', 'field-removed']],
    ['a rule that is none', ['crd', 'explain', 'frob']],
    ['a check', ['crd', 'check', '-r', CRD, '-f', CRD, '--diff', '-o', 'json']],
    ['a check of what only the full reader knows', ['crd', 'check', '-r', odd, '-f', CRD]],
    ['a preflight without a cluster', ['crd', 'preflight', '-f', CRD, '--kubeconfig', join(folder, 'none')]],
    ['a cluster that is not there', ['crd', 'check', '-f', CRD, '--kubeconfig', join(folder, 'none')]],
    ['an option that is none', ['crd', 'check', '--frob']],
  ])('gives the same as the build for %s', (_, argv) => {
    const bundled = run(argv, {});
    expect(bundled).toEqual(run(argv, { CAPSTAN_BUNDLE: 'off' }));
    expect(bundled.out + bundled.err).not.toBe('');
  });
});
