import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, copyFile, link, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { withBuildLock } from './build-lock.js';
import { ETCD, KUBECTL, KUBE_APISERVER, etcdVersionDir, kubeVersionDir, realKubeCacheDir } from './cache.js';
import type { Env } from './cache.js';
import { goVersion, runGo } from './go-tool.js';
import { GO_BUILD_LIMIT_MS, GO_DOWNLOAD_LIMIT_MS, PROBE_LIMIT_MS } from './limits.js';
import { assetsInDir } from './locate.js';
import type { RealKubeAssets } from './locate.js';
import { ETCD_MODULE, ETCD_VERSION, KUBECTL_VERSION, KUBERNETES_MODULE, KUBE_VERSIONS } from './versions.js';
import type { KubeVersion } from './versions.js';
import { kubeCommandPackage, kubeLinkerFlags, wrapperGoMod } from './wrapper-module.js';

export interface BuildOptions {
  readonly versions?: readonly KubeVersion[];
  readonly env?: Env;
  readonly signal?: AbortSignal;
  /** One line of progress, without a newline. */
  readonly onProgress?: (line: string) => void;
}

/** One program to compile, and what it must then say when asked for its version. */
export interface Program {
  readonly module: string;
  readonly version: string;
  readonly package: string;
  readonly target: string;
  readonly linkerFlags: (publishedAt: string) => string;
  /** Undefined for a program that does not report it: its folder does. */
  readonly versionArgs: readonly string[] | undefined;
  /** Build tags that leave out what we have no use for. */
  readonly tags?: readonly string[];
}

export interface BuildContext {
  readonly workDir: string;
  readonly signal: AbortSignal | undefined;
  readonly progress: (line: string) => void;
}

/**
 * Compiles what the cache lacks of the wanted versions, each with its etcd and
 * kubectl, and returns the folders. Does nothing on a warm cache, and
 * does not need Go then.
 */
export async function buildRealKube(options: BuildOptions = {}): Promise<RealKubeAssets[]> {
  const env = options.env ?? process.env;
  const progress = options.onProgress ?? (() => undefined);
  const versions = options.versions ?? KUBE_VERSIONS;
  const cold = versions.filter((version) => !isWarm(version, env));
  if (cold.length > 0) {
    const cacheDir = realKubeCacheDir(env);
    await mkdir(cacheDir, { recursive: true });
    // Before the lock: without Go there is nothing to wait for.
    progress(`compiling with ${await goVersion(cacheDir, options.signal)}, cache ${cacheDir}`);
    await withBuildLock(cacheDir, () => buildCold(cold, env, options.signal, progress), {
      signal: options.signal,
      onWait: (holder) => progress(`waiting for the build of process ${holder}`),
    });
  }
  return versions.map((version) => {
    const assets = assetsInDir(kubeVersionDir(version, env), 'cache', () => version);
    if (typeof assets === 'string') {
      throw new Error(`the build of ${version} left something out: ${assets}`);
    }
    progress(`ready: ${version} in ${assets.dir}`);
    return assets;
  });
}

/** Unlike locating, building also wants kubectl. */
function isWarm(version: KubeVersion, env: Env): boolean {
  const assets = assetsInDir(kubeVersionDir(version, env), 'cache', () => version);
  return typeof assets !== 'string' && assets.kubectl !== undefined;
}

async function buildCold(
  wanted: readonly KubeVersion[],
  env: Env,
  signal: AbortSignal | undefined,
  progress: (line: string) => void,
): Promise<void> {
  // Again, now under the lock: another process may have built them meanwhile.
  const versions = wanted.filter((version) => !isWarm(version, env));
  // Inside the cache, so that rename never crosses a file system.
  const workDir = await mkdtemp(join(realKubeCacheDir(env), '.build-'));
  const context: BuildContext = { workDir, signal, progress };
  try {
    const etcd = etcdProgram(env);
    const kubectl = kubeProgram(KUBECTL, KUBECTL_VERSION, env);
    for (const version of versions) {
      await buildProgram(etcd, context);
      await buildProgram(kubeProgram(KUBE_APISERVER, version, env), context);
      // After the server of the same version, with which it shares most packages.
      await buildProgram(kubectl, context);
      await place(etcd.target, join(kubeVersionDir(version, env), ETCD));
      await place(kubectl.target, join(kubeVersionDir(version, env), KUBECTL));
    }
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

function kubeProgram(command: string, version: KubeVersion, env: Env): Program {
  return {
    module: KUBERNETES_MODULE,
    version,
    package: kubeCommandPackage(command),
    target: join(kubeVersionDir(version, env), command),
    linkerFlags: (publishedAt) => kubeLinkerFlags(version, publishedAt),
    versionArgs: command === KUBECTL ? ['version', '--client'] : ['--version'],
  };
}

function etcdProgram(env: Env): Program {
  return {
    module: ETCD_MODULE,
    version: ETCD_VERSION,
    package: ETCD_MODULE,
    target: join(etcdVersionDir(env), ETCD),
    linkerFlags: () => '-s -w',
    versionArgs: ['--version'],
  };
}

/** Compiles a program into its place in the cache, unless it is there; gives that place. Needs Go. */
export async function buildIntoCache(
  program: Program,
  options: Omit<BuildOptions, 'versions' | 'env'>,
): Promise<string> {
  const { signal, onProgress: progress = () => undefined } = options;
  if (existsSync(program.target)) return program.target;
  // Of the program, not of its version: a lock and a scratch folder must not be next to the cached files.
  const dir = dirname(dirname(program.target));
  await mkdir(dir, { recursive: true });
  const build = async (): Promise<void> => {
    // Inside the cache, so that rename never crosses a file system.
    const workDir = await mkdtemp(join(dir, '.build-'));
    try {
      await buildProgram(program, { workDir, signal, progress });
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  };
  const onWait = (holder: string): void => progress(`waiting for the build of process ${holder}`);
  await withBuildLock(dir, build, { signal, onWait });
  return program.target;
}

/** Compiles a program, unless it is there. */
export async function buildProgram(program: Program, context: BuildContext): Promise<void> {
  const { workDir, signal, progress } = context;
  const name = `${program.package} ${program.version}`;
  if (await reportsVersion(program.target, program)) {
    return;
  }
  progress(`${name}: downloading`);
  const source = await downloadModule(program, context);
  const moduleDir = await mkdtemp(join(workDir, 'module-'));
  const wrapped = { module: program.module, version: program.version, goMod: source.goMod };
  await writeFile(join(moduleDir, 'go.mod'), wrapperGoMod(wrapped));
  const output = join(moduleDir, 'program');
  progress(`${name}: compiling`);
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', program.linkerFlags(source.publishedAt)];
  if (program.tags !== undefined) flags.push('-tags', program.tags.join(','));
  await runGo(['build', ...flags, '-o', output, program.package], {
    cwd: moduleDir,
    limitMs: GO_BUILD_LIMIT_MS,
    signal,
    onHeartbeat: () => progress(`${name}: still compiling`),
  });
  if (!(await reportsVersion(output, program))) {
    throw new Error(`the ${name} just built does not report that version`);
  }
  await mkdir(dirname(program.target), { recursive: true });
  await rename(output, program.target);
  progress(`${name}: done`);
}

interface ModuleSource {
  readonly goMod: string;
  /** RFC 3339; stands in for the build date, so that building twice gives the same binary. */
  readonly publishedAt: string;
}

async function downloadModule(program: Program, context: BuildContext): Promise<ModuleSource> {
  const { workDir, signal } = context;
  const output = await runGo(['mod', 'download', '-json', `${program.module}@${program.version}`], {
    cwd: workDir,
    limitMs: GO_DOWNLOAD_LIMIT_MS,
    signal,
  });
  const { GoMod, Info } = JSON.parse(output) as { GoMod: string; Info: string };
  const { Time } = JSON.parse(await readFile(Info, 'utf8')) as { Time: string };
  return { goMod: await readFile(GoMod, 'utf8'), publishedAt: Time };
}

/** False as well when the file is not there or does not run. */
async function reportsVersion(file: string, program: Program): Promise<boolean> {
  const { versionArgs } = program;
  try {
    await access(file, constants.X_OK);
    if (versionArgs === undefined) return true;
    const { stdout } = await promisify(execFile)(file, [...versionArgs], { timeout: PROBE_LIMIT_MS });
    return stdout.split(/\s+/).some((word) => word.replace(/^v/, '') === program.version.replace(/^v/, ''));
  } catch {
    return false;
  }
}

/** A hard link where the file system has them: these are big files. Atomic, like everything put in the cache. */
async function place(from: string, to: string): Promise<void> {
  if (from === to) {
    return;
  }
  const temporary = `${to}.${process.pid}.tmp`;
  await rm(temporary, { force: true });
  await link(from, temporary).catch(() => copyFile(from, temporary));
  await rename(temporary, to);
  // Renaming one link of a file over another of the same file does nothing at all.
  await rm(temporary, { force: true });
}
