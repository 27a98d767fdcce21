import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

import { ETCD, KUBECTL, KUBE_APISERVER, kubeVersionDir, realKubeCacheDir } from './cache.js';
import type { Env } from './cache.js';
import { PROBE_LIMIT_MS } from './limits.js';
import { KUBE_VERSIONS, versionMatches } from './versions.js';

export interface RealKubeAssets {
  /** As the server names itself, for example "v1.36.3". */
  readonly version: string;
  readonly source: 'KUBEBUILDER_ASSETS' | 'cache';
  readonly dir: string;
  readonly kubeApiserver: string;
  readonly etcd: string;
  /** Not needed to run a server, so a folder without it is good enough. */
  readonly kubectl?: string;
}

export interface LocateOptions {
  readonly env?: Env;
  /** Asks a kube-apiserver for its version; replaced in tests. */
  readonly probeVersion?: (kubeApiserver: string) => string | undefined;
}

interface Search {
  readonly found?: RealKubeAssets;
  /** One line for every place that was looked at in vain. */
  readonly misses: readonly string[];
}

/**
 * Finds binaries that are already there: the folder in KUBEBUILDER_ASSETS
 * first, then the cache. Never builds: a test run must not turn into minutes
 * of compiling. `version` is "1.30", "v1.30.14" and so on; without it
 * any version will do, the newest first.
 */
export function locateRealKube(version?: string, options: LocateOptions = {}): RealKubeAssets | undefined {
  return search(version, options).found;
}

/** A message for the user when `locateRealKube` with the same arguments found nothing. */
export function explainMissingRealKube(version?: string, options: LocateOptions = {}): string {
  const { misses } = search(version, options);
  const what = version === undefined ? 'kube-apiserver and etcd' : `kube-apiserver ${version} and etcd`;
  return [
    `No real ${what} found:`,
    ...misses.map((miss) => `  - ${miss}`),
    'Build them once with `npm run real-kube:build` (needs Go and network access),',
    'or set KUBEBUILDER_ASSETS to a folder that holds kube-apiserver and etcd.',
  ].join('\n');
}

/** The binaries of one folder, whatever their version; a sentence when something is missing. */
export function assetsInDir(
  dir: string,
  source: RealKubeAssets['source'],
  probeVersion: (kubeApiserver: string) => string | undefined = probeKubeVersion,
): RealKubeAssets | string {
  const kubeApiserver = join(dir, KUBE_APISERVER);
  const etcd = join(dir, ETCD);
  const missing = [kubeApiserver, etcd].filter((file) => !isExecutable(file));
  if (missing.length > 0) {
    return `not an executable file: ${missing.join(', ')}`;
  }
  const version = probeVersion(kubeApiserver);
  if (version === undefined) {
    return `${kubeApiserver} --version does not name a version`;
  }
  const kubectl = join(dir, KUBECTL);
  return { version, source, dir, kubeApiserver, etcd, ...(isExecutable(kubectl) ? { kubectl } : {}) };
}

function search(wanted: string | undefined, options: LocateOptions): Search {
  const env = options.env ?? process.env;
  const probe = options.probeVersion ?? probeKubeVersion;
  const misses: string[] = [];

  const assetsDir = env['KUBEBUILDER_ASSETS'];
  if (assetsDir) {
    const assets = assetsInDir(assetsDir, 'KUBEBUILDER_ASSETS', probe);
    if (typeof assets === 'string') {
      misses.push(`KUBEBUILDER_ASSETS: ${assets}`);
    } else if (wanted !== undefined && !versionMatches(wanted, assets.version)) {
      misses.push(`KUBEBUILDER_ASSETS: ${assetsDir} holds ${assets.version}`);
    } else {
      return { found: assets, misses };
    }
  } else {
    misses.push('KUBEBUILDER_ASSETS is not set');
  }

  const candidates = KUBE_VERSIONS.filter((version) => wanted === undefined || versionMatches(wanted, version));
  if (candidates.length === 0) {
    misses.push(`cache ${realKubeCacheDir(env)}: only ever holds ${KUBE_VERSIONS.join(', ')}`);
  }
  for (const version of candidates) {
    // The folder name is trusted: the build checked the version before it put the file there.
    const assets = assetsInDir(kubeVersionDir(version, env), 'cache', () => version);
    if (typeof assets !== 'string') {
      return { found: assets, misses };
    }
    misses.push(`cache: ${assets}`);
  }
  return { misses };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Synchronous, so that a test file can decide whether to skip while it is being collected. */
function probeKubeVersion(kubeApiserver: string): string | undefined {
  try {
    const output = execFileSync(kubeApiserver, ['--version'], {
      encoding: 'utf8',
      timeout: PROBE_LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /^Kubernetes (v\S+)/m.exec(output)?.[1];
  } catch {
    return undefined;
  }
}
