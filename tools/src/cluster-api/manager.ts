import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { withBuildLock } from '../real-kube/build-lock.js';
import { buildProgram } from '../real-kube/build.js';
import type { BuildOptions, Program } from '../real-kube/build.js';
import { cacheDir } from '../real-kube/cache.js';
import type { Env } from '../real-kube/cache.js';
import { CLUSTER_API_MODULE, CLUSTER_API_VERSION } from './module.js';

/** Where the original core manager of Cluster API is kept once it is built. */
export function originalManagerPath(env: Env = process.env): string {
  return join(cacheDir(env), 'cluster-api-manager', CLUSTER_API_VERSION, 'manager');
}

/** Compiles the original core manager from its published module, when the cache has none; gives its path. Needs Go. */
export async function buildOriginalManager(options: Omit<BuildOptions, 'versions'> = {}): Promise<string> {
  const env = options.env ?? process.env;
  const progress = options.onProgress ?? (() => undefined);
  const target = originalManagerPath(env);
  if (existsSync(target)) return target;
  const dir = join(cacheDir(env), 'cluster-api-manager');
  await mkdir(dir, { recursive: true });
  const program: Program = {
    module: CLUSTER_API_MODULE,
    version: CLUSTER_API_VERSION,
    package: CLUSTER_API_MODULE,
    target,
    linkerFlags: () => `-s -w -X ${CLUSTER_API_MODULE}/version.gitVersion=${CLUSTER_API_VERSION}`,
    versionArgs: undefined,
  };
  const build = async (): Promise<void> => {
    // Inside the cache, so that rename never crosses a file system.
    const workDir = await mkdtemp(join(dir, '.build-'));
    try {
      await buildProgram(program, { workDir, signal: options.signal, progress });
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  };
  const onWait = (holder: string): void => progress(`waiting for the build of process ${holder}`);
  await withBuildLock(dir, build, { signal: options.signal, onWait });
  return target;
}
