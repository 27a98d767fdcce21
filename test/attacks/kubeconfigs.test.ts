import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configOperator } from '@capstan/control-plane';
import type { Connection } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from './bounds.js';
import { capstan, hostedClusterAnswers, scriptedServer, writeAccess } from './scripted-server.js';
import type { ScriptedServer } from './scripted-server.js';

/*
 * An attacker who may write a Secret with a kubeconfig, or who runs the server that serves it, tries to have a command
 * run on the machine of the administrator who reads it.
 */

const folder = mkdtempSync(join(tmpdir(), 'capstan-kubeconfigs-'));
const marker = join(folder, 'marker');
const own = join(folder, 'own');
let server: ScriptedServer;
const answers = hostedClusterAnswers({});

const EXEC = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'touch',
  args: [marker],
  interactiveMode: 'Never',
};

function hostile(user: object, cluster: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: server.url, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

function serve(text: string): void {
  const data = { kubeconfig: Buffer.from(text).toString('base64') };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data };
  answers.set('/api/v1/namespaces/clusters-a/secrets/admin-kubeconfig', secret);
  answers.set('/api/v1/namespaces/clusters/secrets/a-admin-kubeconfig', secret);
}

/** A command that was started may take a moment. */
async function ranNothing(): Promise<void> {
  await delay(300);
  expect(existsSync(marker)).toBe(false);
}

beforeAll(async () => {
  server = await scriptedServer(answers);
  await writeAccess(server, own);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('a kubeconfig in a Secret', () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ['a command', () => hostile({ exec: EXEC }), 'users[u].user.exec: refused'],
    [
      'an auth provider',
      () => hostile({ 'auth-provider': { name: 'gcp', config: { 'cmd-path': 'touch', 'cmd-args': marker } } }),
      'users[u].user.auth-provider: refused',
    ],
    ['a file', () => hostile({ tokenFile: own }), 'users[u].user.tokenFile: refused'],
    [
      'a proxy',
      () => hostile({ token: 't' }, { 'proxy-url': 'http://127.0.0.1:1' }),
      'clusters[c].cluster.proxy-url: refused',
    ],
    [
      'plain HTTP',
      () => hostile({ token: 't' }, { server: 'http://127.0.0.1:1' }),
      'clusters[c].cluster.server: refused',
    ],
  ];

  // Each is a process: `npm test` sees the command, the unit tests of the reader see all.
  const taken = isWhole ? cases : cases.slice(0, 1);

  it.each(taken)('with %s is not used by dump', async (_, make, message) => {
    serve(make());
    const dir = join(folder, 'dump');
    const { code, err } = await capstan(['dump', 'cluster', 'a', '--artifact-dir', dir, '--kubeconfig', own]);
    expect(err).toContain(
      `warning: the hosted cluster could not be read: Secret clusters-a/admin-kubeconfig: ${message}`,
    );
    expect(code).toBe(0);
    await ranNothing();
  });

  it.each(taken)('with %s is not handed on by get kubeconfig', async (_, make, message) => {
    serve(make());
    const users = join(folder, 'users');
    writeFileSync(users, readFileSync(own));
    const before = readFileSync(users, 'utf8');
    for (const way of [[], ['--merge'], ['--out', join(folder, 'out')]]) {
      const { code, err, out } = await capstan(['get', 'kubeconfig', 'a', ...way], { KUBECONFIG: users });
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`error: Secret clusters/a-admin-kubeconfig: ${message}`);
      expect(err.trimEnd().split('\n')).toHaveLength(2);
    }
    expect([readFileSync(users, 'utf8') === before, existsSync(join(folder, 'out'))]).toEqual([true, false]);
    await ranNothing();
  });

  it('is passed on as data alone: fields that kubectl might execute are left out', async () => {
    const { token: _, ...text } = { ...(JSON.parse(hostile({ token: 'guest' })) as object), token: 'x' };
    serve(JSON.stringify({ ...text, extensions: [{ name: 'e', extension: EXEC }], preferences: { exec: EXEC } }));
    const { code, out } = await capstan(['get', 'kubeconfig', 'a', '--kubeconfig', own]);
    expect(code).toBe(0);
    expect(out).not.toContain('touch');
    expect(out).toContain('token: guest');
  });
});

describe('a mounted kubeconfig', () => {
  const context = (text: string): Parameters<typeof configOperator.build>[0] =>
    ({
      options: {},
      flags: { 'target-kubeconfig': '/mounted/kubeconfig' },
      env: {},
      files: { read: () => Promise.resolve(text) },
      connect: (connection: Connection) => {
        throw new Error(`connected to ${connection.server}`);
      },
    }) as never;

  it('is read as data by an operator of a hosted cluster', async () => {
    await expect(async () => configOperator.build(context(hostile({ exec: EXEC })))).rejects.toThrow(
      '/mounted/kubeconfig: users[u].user.exec: refused: a kubeconfig that a cluster holds may not run commands',
    );
    await expect(async () => configOperator.build(context(hostile({ token: 't' })))).rejects.toThrow(
      `connected to ${server.url}`,
    );
    await ranNothing();
  });
});
