import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mergedKubeconfig, mergeInto, usualKubeconfig } from './merge-kubeconfig.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-merge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GUEST = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'cluster', cluster: { server: 'https://a' } }],
  users: [{ name: 'admin', user: { token: 't' } }],
  contexts: [{ name: 'admin', context: { cluster: 'cluster', user: 'admin' } }],
  'current-context': 'admin',
};

describe('a kubeconfig within another', () => {
  it('has a name of its own, and becomes the current one only where there is none', () => {
    const alone = mergedKubeconfig({}, GUEST, 'clusters-a');
    expect(alone).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'clusters-a', cluster: { server: 'https://a' } }],
      users: [{ name: 'clusters-a', user: { token: 't' } }],
      contexts: [{ name: 'clusters-a', context: { cluster: 'clusters-a', user: 'clusters-a' } }],
      'current-context': 'clusters-a',
    });
    const other = mergedKubeconfig({ ...alone, preferences: { colors: true } }, GUEST, 'clusters-b');
    expect(other['current-context']).toBe('clusters-a');
    expect(other['preferences']).toEqual({ colors: true });
    expect(other.contexts?.map(({ name }) => name)).toEqual(['clusters-a', 'clusters-b']);
  });

  it('takes the place of what was there under its name', () => {
    const old = mergedKubeconfig({ clusters: null, users: null, contexts: null }, GUEST, 'clusters-a');
    const incoming = { ...GUEST, clusters: [{ name: 'cluster', cluster: { server: 'https://b' } }] };
    expect(mergedKubeconfig(old, incoming, 'clusters-a').clusters).toEqual([
      { name: 'clusters-a', cluster: { server: 'https://b' } },
    ]);
  });

  it('that leads nowhere is refused', () => {
    expect(() => mergedKubeconfig({}, { ...GUEST, users: [] }, 'a')).toThrow(
      'has no context with a cluster and a user',
    );
  });
});

describe('the file', () => {
  it.each([
    [{ HOME: '/h' }, '/h/.kube/config'],
    [{ HOME: '/h', KUBECONFIG: '' }, '/h/.kube/config'],
    [{ HOME: '/h', KUBECONFIG: ':/a:/b' }, '/a'],
  ])('of %j is %s', (env, path) => {
    expect(usualKubeconfig(env)).toBe(path);
  });

  it('is made where there is none, and only its owner reads it', async () => {
    const path = join(folder, '.kube', 'config');
    await mergeInto(path, JSON.stringify(GUEST), 'clusters-a');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((parse(readFileSync(path, 'utf8')) as { 'current-context': string })['current-context']).toBe('clusters-a');
  });

  it('that is no kubeconfig stays as it is', async () => {
    const path = join(folder, 'broken');
    writeFileSync(path, 'a: [');
    await expect(mergeInto(path, JSON.stringify(GUEST), 'a')).rejects.toThrow(`${path} is no kubeconfig`);
    expect(readFileSync(path, 'utf8')).toBe('a: [');
  });
});
