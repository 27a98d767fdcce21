import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { DEFINITIONS } from './lists.js';
import { CARGO_LINE, NEW, OLD } from './testing-ships.js';

const BIN = fileURLToPath(new URL('../../bin/capstan.js', import.meta.url));
// Whole processes are started here.
vi.setConfig({ testTimeout: 60_000 });
const folder = mkdtempSync(join(tmpdir(), 'capstan-crd-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('sources of git', () => {
  const repository = join(folder, 'repository');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  mkdirSync(join(repository, 'crds'), { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'crds/ships.yaml'), OLD);
  writeFileSync(join(repository, 'crds/README.md'), 'none of these');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  git('tag', 'v1');
  writeFileSync(join(repository, 'crds/ships.yaml'), NEW);

  /** As a user runs it: git finds the repository by the folder. */
  function within(...args: readonly string[]): { code: number | null; out: string; err: string } {
    const { status, stderr, stdout } = spawnSync(process.execPath, [BIN, 'crd', 'check', ...args], {
      cwd: repository,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  }

  it.each(['git://v1:crds', 'git://main:crds/ships.yaml', 'git://HEAD:crds/', 'git://v1:./crds'])(
    'are read: %s',
    (source) => {
      const { code, err, out } = within('-r', source, '-f', 'crds', '-o', 'github');
      expect([code, err]).toEqual([1, '']);
      expect(out).toContain(`::error file=crds/ships.yaml,line=${CARGO_LINE},`);
      expect(within('-r', source, '-f', source)).toMatchObject({ code: 0, err: '' });
    },
  );

  it.each([
    ['git://nope:crds', "git://nope:crds cannot be read: invalid object name 'nope'"],
    ['git://v1:none.yaml', 'cannot be read: '],
    ['git://v1', 'names no file of a revision\nwrite it as git://REVISION:PATH'],
    ['git://--output=x:a', 'names no file of a revision'],
  ])('refuse %s', (source, message) => {
    const result = within('-r', source, '-f', 'crds');
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(message);
  });
});

describe('sources of a cluster', () => {
  const server = new TestIo();
  const changed = join(folder, 'new.yaml');
  let ended: Promise<number> | undefined;
  let kubeconfig = '';
  let context = '';

  beforeAll(async () => {
    writeFileSync(changed, NEW);
    ended = main(['apiserver', '--no-controllers'], server);
    ({ kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string });
    context = (parse(readFileSync(kubeconfig, 'utf8')) as { 'current-context': string })['current-context'];
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    await new Client(transport).create(DEFINITIONS, parse(OLD) as KubeObject);
    await transport.close();
  });

  afterAll(async () => {
    server.stop();
    await ended;
  });

  async function check(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const io = new TestIo();
    const code = await main(['crd', 'check', '--kubeconfig', kubeconfig, ...args], io);
    return { code, out: io.stdout, err: io.stderr };
  }

  it('are all CRDs, or one, of the current context or of another', async () => {
    for (const source of ['kube://', 'kube://ships.example.com', `kube://ships.example.com?context=${context}`]) {
      const { code, err, out } = await check('-r', source, '-f', changed, '-o', 'json');
      expect([code, err]).toEqual([1, '']);
      expect(JSON.parse(out)).toMatchObject({ results: [{ requirement: source, source: changed }] });
    }
    expect(await check('-r', changed, '-f', 'kube://')).toMatchObject({ code: 0, err: '' });
  });

  it('have no file that GitHub could show', async () => {
    const { code, out } = await check('-r', changed.replace('new', 'stricter'), '-f', 'kube://');
    expect([code, out]).toEqual([2, '']);
    writeFileSync(join(folder, 'looser.yaml'), OLD.replace('maximum: 90', 'maximum: 95'));
    const looser = await check('-r', join(folder, 'looser.yaml'), '-f', 'kube://', '-o', 'github');
    expect(looser.out).toMatch(/^::error title=maximum-tightened::ships\.example\.com for /);
  });

  it.each([
    ['kube://none.example.com', 'kube://none.example.com: the cluster has no CRD none.example.com\n'],
    ['kube://a/b', 'kube://a/b names no CRD of a cluster\nwrite it as kube://, '],
    ['kube://?context=frob', 'frob'],
  ])('refuse %s', async (source, message) => {
    const result = await check('-r', source, '-f', changed);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(message);
  });
});
