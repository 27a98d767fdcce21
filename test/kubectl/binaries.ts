import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { locateRealKube } from '@capstan/tools';

/** One kubectl program. */
export interface Kubectl {
  readonly path: string;
  /** 33 for 1.33. */
  readonly minor: number;
}

export interface FindOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Asks a kubectl for its own version; replaced in tests. */
  readonly probeMinor?: (path: string) => number | undefined;
  /** The kubectl that was built with the real servers, if there is one. */
  readonly built?: () => string | undefined;
}

/** Older ones need the OpenAPI v2 document as protobuf before they create anything. */
const OLDEST_MINOR = 29;
const PROBE_LIMIT_MS = 10_000;

/**
 * Every kubectl of this machine, newest first, one per minor: those named in CAPSTAN_KUBECTLS, the one on PATH with
 * its `kubectl.1.NN` neighbours, and the one built with the real servers. A `kubectl` with such neighbours only
 * dispatches to them by the server's version, so it is not a client of its own.
 */
export function findKubectls(options: FindOptions = {}): Kubectl[] {
  const env = options.env ?? process.env;
  const probe = options.probeMinor ?? probeMinor;
  const built = options.built ?? ((): string | undefined => locateRealKube()?.kubectl);
  const found = new Map<number, string>();
  const add = (path: string, minor: number | undefined): void => {
    if (minor !== undefined && minor >= OLDEST_MINOR && !found.has(minor)) found.set(minor, path);
  };
  for (const path of (env['CAPSTAN_KUBECTLS'] ?? '').split(delimiter)) if (isProgram(path)) add(path, probe(path));
  for (const { path, minor } of onPath(env)) add(path, minor ?? probe(path));
  const extra = built();
  if (extra !== undefined) add(extra, probe(extra));
  return [...found].map(([minor, path]) => ({ path, minor })).toSorted((a, b) => b.minor - a.minor);
}

/** The kubectl on PATH, or those it dispatches to; their names contain the version. */
function onPath(env: NodeJS.ProcessEnv): { path: string; minor?: number }[] {
  const candidates = (env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, 'kubectl'));
  const path = candidates.find(isProgram);
  if (path === undefined) return [];
  const neighbours = neighboursOf(realpathSync(path));
  return neighbours.length === 0 ? [{ path }] : neighbours;
}

function neighboursOf(path: string): Kubectl[] {
  const dir = dirname(path);
  return readdirSync(dir).flatMap((name) => {
    const minor = /^kubectl\.1\.(\d+)$/.exec(name)?.[1];
    const neighbour = join(dir, name);
    return minor === undefined || !isProgram(neighbour) ? [] : [{ path: neighbour, minor: Number(minor) }];
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function probeMinor(path: string): number | undefined {
  try {
    const text = execFileSync(path, ['version', '--client', '-o', 'json'], {
      encoding: 'utf8',
      timeout: PROBE_LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { clientVersion } = JSON.parse(text) as { clientVersion?: { minor?: string } };
    const minor = Number.parseInt(clientVersion?.minor ?? '', 10);
    return Number.isNaN(minor) ? undefined : minor;
  } catch {
    return undefined;
  }
}
