import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeKubeconfig } from '@capstan/kube';
import { afterEach, describe, expect, it, vi } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/capstan.js', import.meta.url));
const ROOT = new URL('../../../', import.meta.url).href;
// Whole processes are started here, and written down.
vi.setConfig({ testTimeout: 60_000 });

const STARTED = 'controllers started';
const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Every file of JavaScript a command has loaded by its end, asked to stop when `line` appears on its outputs. */
async function loadedBy(argv: readonly string[], line?: string): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'capstan-loaded-'));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  const child = spawn(process.execPath, [BIN, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Node writes down what ran, and so what was loaded, whichever way it came in.
    env: { ...process.env, HOME: '/nonexistent', NODE_V8_COVERAGE: directory },
  });
  cleanups.push(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const before = line !== undefined && text.includes(line);
      text += piece;
      if (line !== undefined && !before && text.includes(line)) child.kill('SIGTERM');
    });
  expect({ ended: await once(child, 'close'), text }).toEqual({ ended: [0, null], text });
  return readdirSync(directory).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as { result: { url: string }[] };
    return result.filter(({ url }) => url.startsWith(ROOT)).map(({ url }) => url.slice(ROOT.length));
  });
}

/** What was loaded, as packages and the folders of ours. */
function partsOf(files: readonly string[]): readonly string[] {
  const part = (file: string): string =>
    /^(node_modules\/(?:@[^/]+\/)?[^/]+|(?:libs|apps|operators)\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file;
  return [...new Set(files.map(part))].sort();
}

describe('a server at rest', () => {
  it('has loaded what it serves and its controllers, and nothing that only some clients make it need', async () => {
    const files = await loadedBy(['apiserver', '--verbose'], STARTED);
    expect(files).toContain('libs/cluster/dist/kubelet/server/serve.js');
    expect(partsOf(files)).toEqual([
      'api',
      'apps/cli',
      'libs/apiserver',
      'libs/cluster',
      'libs/kube',
      'libs/meta',
      'libs/schema',
      'node_modules/commander',
    ]);
    const unneeded = [
      // Streams into containers: exec, attach, port-forward, over SPDY or WebSocket.
      /kubelet\/server\/(upgrades|command|port-forward|spdy)/,
      // YAML bodies, and the database of those who keep their state.
      /apiserver\/dist\/request\/yaml\.js$/,
      /apps\/cli\/dist\/data\/(open|database|data-journal)/,
      // What other commands do.
      /apps\/cli\/dist\/(up|completion|version)\//,
      // The CRDs of other projects' kinds.
      /^api\/dist\/(?!kubernetes\/|index\.js)/,
      // What only tests read.
      /\.test\.js$|patch\/.*\.table\.js$/,
    ];
    expect(files.filter((file) => unneeded.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  it('has loaded nothing of a cluster when it runs without controllers', async () => {
    const files = await loadedBy(['apiserver', '--no-controllers'], '"url"');
    expect(files).toContain('libs/apiserver/dist/server.js');
    expect(partsOf(files)).not.toContain('libs/cluster');
    // Of the client library only what is no client: neither its index nor what that names.
    expect(
      files.filter((file) => /^libs\/kube\/dist\/(?!basics|certs|runtime|config\/(?:write|whole-file))/.test(file)),
    ).toEqual([]);
  });
});

describe('a proxy', () => {
  it('has loaded of the vocabulary and the client library only what it needs to stay small', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'capstan-loaded-'));
    cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
    const kubeconfig = join(directory, 'kubeconfig');
    await writeKubeconfig({ path: kubeconfig, server: 'https://127.0.0.1:1', token: 't' });
    const files = await loadedBy(
      ['proxy', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '-o', 'json'],
      '"url"',
    );
    expect(files).toContain('operators/proxy/dist/main.js');
    // The index of either brings everything that it names.
    const whole = /^libs\/(?:meta|kube)\/dist\/(?:index|basics)\.js$|^libs\/(?:apiserver|cluster|schema)\//;
    expect(files.filter((file) => whole.test(file))).toEqual([]);
  });
});

describe('a command', () => {
  it('loads nothing of what the others do', async () => {
    const files = await loadedBy(['version', '--client']);
    expect(partsOf(files)).toEqual(['apps/cli', 'node_modules/commander']);
    expect(files.filter((file) => /^apps\/cli\/dist\/(apiserver|up|completion|data)\//.test(file))).toEqual([]);
  });

  it('loads no module of the build to check CRDs, to explain a rule or to print help: these are bundled', async () => {
    const crd = fileURLToPath(new URL('../../../api/crds/cluster.x-k8s.io/machines.yaml', import.meta.url));
    for (const argv of [['--help'], ['crd', 'explain'], ['crd', 'check', '-r', crd, '-f', crd]])
      expect((await loadedBy(argv)).filter((file) => !/^apps\/cli\/(?:bin|dist\/bundle)\//.test(file))).toEqual([]);
  });

  it('loads not even the command tree to print its version', async () => {
    expect(partsOf(await loadedBy(['--version']))).toEqual(['apps/cli']);
  });
});
