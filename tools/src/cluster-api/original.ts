import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { withBuildLock } from '../real-kube/build-lock.js';
import type { BuildOptions } from '../real-kube/build.js';
import type { Env } from '../real-kube/cache.js';
import { cacheDir } from '../real-kube/cache.js';
import { runGo } from '../real-kube/go-tool.js';
import { GO_BUILD_LIMIT_MS } from '../real-kube/limits.js';
import { CLUSTER_API_MODULE, CLUSTER_API_VERSION, downloadClusterApi } from './module.js';
import { originalGoMod, originalProgram } from './original-source.js';

/** An object to be converted. */
export interface OriginalQuestion {
  readonly kind: string;
  readonly from: 'v1beta1' | 'v1beta2';
  readonly object: unknown;
}

/** What the original made of it. */
export interface OriginalAnswer {
  /** The object as Go's types hold it: texts that say nothing are left out or filled in; absent when unreadable. */
  readonly source?: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

/** Where the original converters are once they are built, as a program. */
export function originalConvertersPath(env: Env = process.env): string {
  const hash = createHash('sha256').update(originalProgram()).digest('hex').slice(0, 12);
  return join(cacheDir(env), 'cluster-api-convert', `${CLUSTER_API_VERSION}-${hash}`);
}

/** Compiles the original converters into a program, once for each release; gives its path. Needs Go. */
export async function buildOriginalConverters(options: Omit<BuildOptions, 'versions'> = {}): Promise<string> {
  const { env = process.env, signal } = options;
  const program = originalConvertersPath(env);
  if (existsSync(program)) return program;
  const dir = dirname(program);
  await mkdir(dir, { recursive: true });
  const build = async (): Promise<void> => {
    if (existsSync(program)) return;
    options.onProgress?.(`the converters of ${CLUSTER_API_MODULE} ${CLUSTER_API_VERSION}: compiling`);
    // Inside the cache, so that rename never crosses a file system.
    const work = await mkdtemp(join(dir, '.build-'));
    try {
      await writeFile(join(work, 'go.mod'), originalGoMod((await downloadClusterApi(signal)).goMod));
      await writeFile(join(work, 'main.go'), originalProgram());
      const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', join(work, 'program'), '.'];
      await runGo(args, { cwd: work, limitMs: GO_BUILD_LIMIT_MS, signal });
      await rename(join(work, 'program'), program);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  };
  await withBuildLock(dir, build, { signal });
  return program;
}

/** Asks the program; the answers come in the order of the questions. */
export async function askOriginal(
  program: string,
  questions: readonly OriginalQuestion[],
): Promise<readonly OriginalAnswer[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const code = await ended;
  if (code !== 0) throw new Error(`the original converters ended with code ${String(code)}`);
  const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n');
  if (questions.length > 0 && lines.length !== questions.length) throw new Error('an answer is missing');
  return questions.map((_question, at) => JSON.parse(lines[at] as string) as OriginalAnswer);
}
