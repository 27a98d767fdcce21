import { join } from 'node:path';

import { buildIntoCache } from './real-kube/build.js';
import type { BuildOptions, Program } from './real-kube/build.js';
import { cacheDir } from './real-kube/cache.js';
import type { Env } from './real-kube/cache.js';

/** Prometheus 3.Y.Z is published as v0.3YY.Z; the grammar of PromQL we parse with has the same version. */
const PROMETHEUS_MODULE = 'github.com/prometheus/prometheus';
const PROMETHEUS_VERSION = 'v0.315.0';

/** Where promtool is kept once it is built. */
export function promtoolPath(env: Env = process.env): string {
  return join(cacheDir(env), 'promtool', PROMETHEUS_VERSION, 'promtool');
}

/** Compiles promtool from its published module, when the cache has none; gives its path. Needs Go. */
export function buildPromtool(options: Omit<BuildOptions, 'versions'> = {}): Promise<string> {
  const program: Program = {
    module: PROMETHEUS_MODULE,
    version: PROMETHEUS_VERSION,
    package: `${PROMETHEUS_MODULE}/cmd/promtool`,
    target: promtoolPath(options.env),
    linkerFlags: () => '-s -w',
    versionArgs: undefined,
    // Without the clients of thirty clouds, which rules never ask.
    tags: ['remove_all_sd'],
  };
  return buildIntoCache(program, options);
}
