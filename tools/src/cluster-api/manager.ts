import { join } from 'node:path';

import { buildIntoCache } from '../real-kube/build.js';
import type { BuildOptions, Program } from '../real-kube/build.js';
import { cacheDir } from '../real-kube/cache.js';
import type { Env } from '../real-kube/cache.js';
import { CLUSTER_API_MODULE, CLUSTER_API_VERSION } from './module.js';

/** Where the original core manager of Cluster API is kept once it is built. */
export function originalManagerPath(env: Env = process.env): string {
  return join(cacheDir(env), 'cluster-api-manager', CLUSTER_API_VERSION, 'manager');
}

/** Compiles the original core manager from its published module, when the cache has none; gives its path. Needs Go. */
export function buildOriginalManager(options: Omit<BuildOptions, 'versions'> = {}): Promise<string> {
  const program: Program = {
    module: CLUSTER_API_MODULE,
    version: CLUSTER_API_VERSION,
    package: CLUSTER_API_MODULE,
    target: originalManagerPath(options.env),
    linkerFlags: () => `-s -w -X ${CLUSTER_API_MODULE}/version.gitVersion=${CLUSTER_API_VERSION}`,
    versionArgs: undefined,
  };
  return buildIntoCache(program, options);
}
