import { parseArgs } from 'node:util';

import { KUBE_VERSIONS, pinnedVersion } from '../real-kube/versions.js';
import type { KubeVersion } from '../real-kube/versions.js';

/** The command line is wrong; the command ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'build'; readonly versions: readonly KubeVersion[] }
  | { readonly kind: 'status' }
  | { readonly kind: 'run'; readonly version?: string };

export const USAGE = `Usage: real-kube <command> [options]

The real kube-apiserver and etcd, for tests and benchmarks.

Commands:
  build    compile what the cache lacks (needs Go and network access)
  status   say which versions are there and where
  run      start one, print the path of its kubeconfig, run until Ctrl-C

Options:
  --version <v>   build: ${minorVersions().join(', ')} or all (default: all)
                  run: the version to start (default: the newest that is there)
  -h, --help      this text

Environment:
  KUBEBUILDER_ASSETS   folder with ready-made kube-apiserver and etcd, used before the cache
  CAPSTAN_CACHE        where built binaries are kept (default: $XDG_CACHE_HOME/capstan or ~/.cache/capstan)
`;

export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  if (values.help === true) {
    return { kind: 'help' };
  }
  const [command, ...rest] = positionals;
  if (command === undefined) {
    throw new UsageError('a command is missing: build, status or run');
  }
  if (rest.length > 0) {
    throw new UsageError(`too many arguments: ${rest.join(' ')}`);
  }
  const version = values.version;
  switch (command) {
    case 'build':
      return { kind: 'build', versions: versionsToBuild(version) };
    case 'status':
      if (version !== undefined) {
        throw new UsageError('status takes no --version');
      }
      return { kind: 'status' };
    case 'run':
      if (version !== undefined && !/^v?\d+\.\d+(\.\d+)?$/.test(version)) {
        throw new UsageError(`not a version: ${version}`);
      }
      return version === undefined ? { kind: 'run' } : { kind: 'run', version };
    default:
      throw new UsageError(`no such command: ${command}`);
  }
}

function parse(argv: readonly string[]): {
  values: { help?: boolean | undefined; version?: string | undefined };
  positionals: string[];
} {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function versionsToBuild(wanted: string | undefined): readonly KubeVersion[] {
  if (wanted === undefined || wanted === 'all') {
    return KUBE_VERSIONS;
  }
  const version = pinnedVersion(wanted);
  if (version === undefined) {
    throw new UsageError(`cannot build ${wanted}; there are ${KUBE_VERSIONS.join(', ')} and all`);
  }
  return [version];
}

function minorVersions(): string[] {
  return KUBE_VERSIONS.map((version) => version.replace(/^v(\d+\.\d+).*/, '$1'));
}
