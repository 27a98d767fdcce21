import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { kubeVersionDir, realKubeCacheDir } from './cache.js';
import { explainMissingRealKube, locateRealKube } from './locate.js';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-locate-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(dir: string, ...names: string[]): string {
  mkdirSync(dir, { recursive: true });
  for (const name of names) {
    writeFileSync(join(dir, name), '');
    chmodSync(join(dir, name), 0o755);
  }
  return dir;
}

describe('realKubeCacheDir', () => {
  it('prefers CAPSTAN_CACHE, then XDG_CACHE_HOME, then the home folder', () => {
    expect(realKubeCacheDir({ CAPSTAN_CACHE: '/c', XDG_CACHE_HOME: '/x', HOME: '/h' })).toBe('/c/real-kube');
    expect(realKubeCacheDir({ CAPSTAN_CACHE: '', XDG_CACHE_HOME: '/x', HOME: '/h' })).toBe('/x/capstan/real-kube');
    expect(realKubeCacheDir({ HOME: '/h' })).toBe('/h/.cache/capstan/real-kube');
  });
});

describe('locateRealKube', () => {
  const probeVersion = (): string => 'v1.31.2';

  it('takes KUBEBUILDER_ASSETS before the cache', () => {
    const env = { CAPSTAN_CACHE: root, KUBEBUILDER_ASSETS: put(join(root, 'assets'), 'kube-apiserver', 'etcd') };
    put(kubeVersionDir('v1.36.3', env), 'kube-apiserver', 'etcd');
    expect(locateRealKube(undefined, { env, probeVersion })).toEqual({
      version: 'v1.31.2',
      source: 'KUBEBUILDER_ASSETS',
      dir: env.KUBEBUILDER_ASSETS,
      kubeApiserver: join(env.KUBEBUILDER_ASSETS, 'kube-apiserver'),
      etcd: join(env.KUBEBUILDER_ASSETS, 'etcd'),
    });
  });

  it('passes over KUBEBUILDER_ASSETS of another version than the wanted one', () => {
    const env = { CAPSTAN_CACHE: root, KUBEBUILDER_ASSETS: put(join(root, 'assets'), 'kube-apiserver', 'etcd') };
    put(kubeVersionDir('v1.30.14', env), 'kube-apiserver', 'etcd', 'kubectl');
    const found = locateRealKube('1.30', { env, probeVersion });
    expect(found).toMatchObject({ version: 'v1.30.14', source: 'cache' });
    expect(found?.kubectl).toBe(join(kubeVersionDir('v1.30.14', env), 'kubectl'));
    expect(locateRealKube('1.31', { env, probeVersion })?.source).toBe('KUBEBUILDER_ASSETS');
  });

  it('gives the newest cached version when none is named', () => {
    const env = { CAPSTAN_CACHE: root };
    put(kubeVersionDir('v1.30.14', env), 'kube-apiserver', 'etcd');
    expect(locateRealKube(undefined, { env })?.version).toBe('v1.30.14');
    put(kubeVersionDir('v1.36.3', env), 'kube-apiserver', 'etcd');
    expect(locateRealKube(undefined, { env })?.version).toBe('v1.36.3');
  });

  it('does not take a half-filled folder for a warm cache', () => {
    const env = { CAPSTAN_CACHE: root };
    put(kubeVersionDir('v1.36.3', env), 'kube-apiserver');
    expect(locateRealKube('1.36', { env })).toBeUndefined();
  });
});

describe('explainMissingRealKube', () => {
  it('names every place and both ways out', () => {
    const env = { CAPSTAN_CACHE: root, KUBEBUILDER_ASSETS: join(root, 'nowhere') };
    const text = explainMissingRealKube('1.30', { env });
    expect(text).toContain('kube-apiserver 1.30');
    expect(text).toContain(`KUBEBUILDER_ASSETS: not an executable file: ${join(root, 'nowhere', 'kube-apiserver')}`);
    expect(text).toContain(kubeVersionDir('v1.30.14', env));
    expect(text).toContain('npm run real-kube:build');
    expect(text).toContain('set KUBEBUILDER_ASSETS');
  });

  it('reports a version that cannot be built', () => {
    expect(explainMissingRealKube('1.12', { env: { CAPSTAN_CACHE: root } })).toContain('only ever holds v1.36.3');
  });
});
