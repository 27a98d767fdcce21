import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { capstan, hostedClusterAnswers, scriptedServer, writeAccess } from './scripted-server.js';
import type { Ended, ScriptedServer } from './scripted-server.js';

/*
 * A server names namespaces, kinds, pods and containers, and `capstan dump` files after them: the server wants a file to
 * be written elsewhere.
 */

const folder = mkdtempSync(join(tmpdir(), 'capstan-paths-'));
const own = join(folder, 'own');
const dir = join(folder, 'in', 'it', 'dump');
const answers = hostedClusterAnswers({});
let server: ScriptedServer;

const NAMES = [
  '../../../../escaped',
  '/etc/escaped',
  '..',
  '.',
  '',
  'a/../../../../escaped',
  'a\0b',
  'con',
  'UPPER',
  'upper',
  '\u001b[2J',
  'x'.repeat(5000),
  '%2e%2e%2f',
  'ünï',
];

function pods(names: readonly string[], containers: readonly string[]): object {
  return {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: names.map((name) => ({
      metadata: { name, namespace: 'clusters-a' },
      spec: { containers: containers.map((container) => ({ name: container })) },
    })),
  };
}

function dump(...more: string[]): Promise<Ended> {
  return capstan(['dump', 'cluster', 'a', '--artifact-dir', dir, '--no-guest', '--kubeconfig', own, ...more]);
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

beforeAll(async () => {
  server = await scriptedServer(answers);
  await writeAccess(server, own);
});

beforeEach(() => {
  answers.clear();
  for (const [path, answer] of hostedClusterAnswers({})) answers.set(path, answer);
  rmSync(join(folder, 'in'), { recursive: true, force: true });
  mkdirSync(join(folder, 'in', 'it'), { recursive: true });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('dump', () => {
  it('writes nothing outside of its folder, whatever pods, containers and kinds are called', async () => {
    const namespace = '/api/v1/namespaces/clusters-a';
    answers.set(`${namespace}/pods`, pods(NAMES, ['main', '../../../../../escaped']));
    for (const pod of NAMES) answers.set(`${namespace}/pods/${pod}/log`, 'a line\n');
    const resources = NAMES.map((name) => ({ name, kind: 'Evil', namespaced: true, verbs: ['list'] }));
    answers.set('/api/v1', { kind: 'APIResourceList', groupVersion: 'v1', resources });
    for (const name of NAMES) answers.set(`${namespace}/${name}`, answers.get(`${namespace}/pods`));
    const { code, err, out } = await dump('--archive');
    expect([code, out]).toEqual([0, `${dir}.tar.gz\n`]);
    expect(err).not.toContain('\u001b');
    const files = filesBelow(folder).filter((path) => path !== own && path !== `${dir}.tar.gz`);
    expect(files.filter((path) => !path.startsWith(`${dir}/`))).toEqual([]);
    expect(existsSync('/etc/escaped')).toBe(false);
    // Whatever they are called, all of them are there.
    const logs = files.filter((path) => path.endsWith('.log'));
    expect(new Set(logs.map((path) => path.toLowerCase())).size).toBe(logs.length);
    expect(logs.length).toBeGreaterThanOrEqual(2 * (NAMES.length - 1));
    expect(logs).toContain(join(dir, 'namespaces/clusters-a/logs/%2e%2e/main.log'));
    expect(logs).toContain(join(dir, 'namespaces/clusters-a/logs/%2fetc%2fescaped/main.log'));
    expect(logs).toContain(join(dir, 'namespaces/clusters-a/logs/%63on/main.log'));
  });

  it('replaces a link that has the name of a file, and does not write through it', async () => {
    const outside = join(folder, 'in', 'victim');
    for (const name of ['hosted-cluster.yaml', 'summary.txt']) {
      mkdirSync(dir, { recursive: true });
      symlinkSync(outside, join(dir, name));
    }
    symlinkSync(outside, `${dir}.tar.gz`);
    writeFileSync(outside, 'untouched');
    expect((await dump('--archive')).code).toBe(0);
    expect(readFileSync(outside, 'utf8')).toBe('untouched');
    expect(readFileSync(join(dir, 'hosted-cluster.yaml'), 'utf8')).toContain('kind: HostedCluster');
  });

  it('refuses a link that has the name of a folder', async () => {
    const outside = join(folder, 'in', 'elsewhere');
    mkdirSync(outside);
    mkdirSync(dir, { recursive: true });
    symlinkSync(outside, join(dir, 'namespaces'));
    answers.set('/api/v1/namespaces/clusters-a/pods', pods(['p'], ['c']));
    answers.set('/api/v1/namespaces/clusters-a/pods/p/log', 'a line\n');
    const { code, err } = await dump();
    expect([code, err]).toEqual([
      1,
      `error: ${resolve(dir, 'namespaces')} is a symbolic link, and would lead elsewhere\nname another folder with --artifact-dir\n`,
    ]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('packs what it has written, and not what lay there', async () => {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'planted.txt'), 'x');
    const { code } = await dump('--archive');
    expect(code).toBe(0);
    const { gunzipSync } = await import('node:zlib');
    const tar = gunzipSync(readFileSync(`${dir}.tar.gz`)).toString('latin1');
    expect([tar.includes('summary.txt'), tar.includes('planted.txt')]).toEqual([true, false]);
  });
});
