import { join } from 'node:path';
import { buildIntoCache } from '../../real-kube/build.js';
import { realKubeCacheDir } from '../../real-kube/cache.js';
import type { BenchRow } from '../model.js';

const CRDIFY = { module: 'sigs.k8s.io/crdify', version: 'v0.5.0' } as const;

/** The program of crdify, built into the cache where Go can; or why there is none. */
export async function crdify(): Promise<Pick<BenchRow, 'missing'> & { readonly program?: string }> {
  const target = join(realKubeCacheDir(process.env), '..', 'crdify', CRDIFY.version, 'crdify');
  const program = { ...CRDIFY, package: CRDIFY.module, target, linkerFlags: () => '-s -w', versionArgs: undefined };
  try {
    return { program: await buildIntoCache(program, {}) };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-1);
    return { missing: `crdify: not built: ${reason}` };
  }
}
