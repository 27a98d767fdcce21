import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { withBuildLock } from '../real-kube/build-lock.js';
import { buildProgram } from '../real-kube/build.js';
import type { BuildOptions, Program } from '../real-kube/build.js';
import { cacheDir } from '../real-kube/cache.js';
import type { Env } from '../real-kube/cache.js';

/** Prometheus 3.Y.Z is published as v0.3YY.Z; the grammar of PromQL we parse with has the same version. */
const PROMETHEUS_MODULE = 'github.com/prometheus/prometheus';
const PROMETHEUS_VERSION = 'v0.315.0';

/** Where promtool is kept once it is built. */
export function promtoolPath(env: Env = process.env): string {
  return join(cacheDir(env), 'promtool', PROMETHEUS_VERSION, 'promtool');
}

/** Compiles promtool from its published module, when the cache has none; gives its path. Needs Go. */
export async function buildPromtool(options: Omit<BuildOptions, 'versions'> = {}): Promise<string> {
  const env = options.env ?? process.env;
  const progress = options.onProgress ?? (() => undefined);
  const target = promtoolPath(env);
  if (existsSync(target)) return target;
  const dir = join(cacheDir(env), 'promtool');
  await mkdir(dir, { recursive: true });
  const program: Program = {
    module: PROMETHEUS_MODULE,
    version: PROMETHEUS_VERSION,
    package: `${PROMETHEUS_MODULE}/cmd/promtool`,
    target,
    linkerFlags: () => '-s -w',
    versionArgs: undefined,
    // Without the clients of thirty clouds, which rules never ask.
    tags: ['remove_all_sd'],
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
