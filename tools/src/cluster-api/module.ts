import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runGo } from '../real-kube/go-tool.js';
import { GO_DOWNLOAD_LIMIT_MS } from '../real-kube/limits.js';

/** The release of Cluster API that ours is compared with. */
export const CLUSTER_API_MODULE = 'sigs.k8s.io/cluster-api';
export const CLUSTER_API_VERSION = 'v1.13.6';

/** The published module, unpacked in Go's own cache. */
export interface ClusterApiModule {
  readonly dir: string;
  /** The text of its go.mod. */
  readonly goMod: string;
}

/** Downloads the module, if Go has not done so before. Needs Go. */
export async function downloadClusterApi(signal?: AbortSignal): Promise<ClusterApiModule> {
  const scratch = await mkdtemp(join(tmpdir(), 'capstan-module-'));
  try {
    await writeFile(join(scratch, 'go.mod'), 'module scratch\n');
    const args = ['mod', 'download', '-json', `${CLUSTER_API_MODULE}@${CLUSTER_API_VERSION}`];
    const output = await runGo(args, { cwd: scratch, limitMs: GO_DOWNLOAD_LIMIT_MS, signal });
    const { Dir, GoMod } = JSON.parse(output) as { Dir: string; GoMod: string };
    return { dir: Dir, goMod: await readFile(GoMod, 'utf8') };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The CustomResourceDefinitions of the release, as YAML. Needs Go. */
export async function clusterApiDefinitions(): Promise<string[]> {
  const { dir } = await downloadClusterApi();
  const files = await readdir(dir, { recursive: true });
  const definitions = files.filter((file) => /crd\/bases\/[^/]+\.yaml$/.test(file));
  return Promise.all(definitions.map((file) => readFile(join(dir, file), 'utf8')));
}
