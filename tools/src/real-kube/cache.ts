import { homedir } from 'node:os';
import { join } from 'node:path';

import { ETCD_VERSION } from './versions.js';

export type Env = Readonly<Record<string, string | undefined>>;

export const KUBE_APISERVER = 'kube-apiserver';
export const ETCD = 'etcd';
export const KUBECTL = 'kubectl';

/** Outside the repository, so that a clean checkout stays warm; empty variables count as unset. */
export function cacheDir(env: Env = process.env): string {
  if (env['CAPSTAN_CACHE']) {
    return env['CAPSTAN_CACHE'];
  }
  const caches = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  return join(caches, 'capstan');
}

/** Where the programs of Kubernetes are. */
export function realKubeCacheDir(env: Env = process.env): string {
  return join(cacheDir(env), 'real-kube');
}

/**
 * The folder of one Kubernetes version. It holds kube-apiserver, etcd and
 * kubectl side by side, so it can serve as KUBEBUILDER_ASSETS elsewhere.
 */
export function kubeVersionDir(version: string, env: Env = process.env): string {
  return join(realKubeCacheDir(env), version);
}

/** etcd is built once and linked into the folder of every Kubernetes version. */
export function etcdVersionDir(env: Env = process.env): string {
  return join(realKubeCacheDir(env), `etcd-${ETCD_VERSION}`);
}
