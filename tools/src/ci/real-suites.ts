import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

import { REAL_EXEMPT } from './real-exempt.js';

/** Suites that share one kube-apiserver and so run one after the other, next to those of other shards. */
export interface Shard {
  readonly name: string;
  /** The files that go to it, unless an earlier shard took them. */
  readonly takes: RegExp;
  /** It needs none, but what else the machine has, such as Go: it runs once, whatever the versions. */
  readonly hasNoServer?: boolean;
  /** Each of its files starts servers of its own: it has none itself. */
  readonly bringsServers?: boolean;
  /** Its server reaches nodes and pods of the tests through a proxy of theirs, and keeps an audit log. */
  readonly hasPods?: boolean;
  /** A brief run leaves it to the newest server alone: it takes minutes of every core. */
  readonly isLong?: boolean;
}

/**
 * From short to long; a suite that mostly waits counts as long, however little it works. Suites that own everything in the
 * cluster are apart.
 */
export const SHARDS: readonly Shard[] = [
  { name: 'private-crds', takes: /\/private-crds\.real\.test\.ts$/, isLong: true },
  {
    name: 'originals',
    takes: /^test\/observability\/|\/(?:api-kinds|upstream-converters|capi-releases|provider-specs)\.real\.test\.ts$/,
    hasNoServer: true,
  },
  { name: 'converted', takes: /\/converted-machines\.real\.test\.ts$/, isLong: true },
  {
    name: 'pods',
    takes: /^test\/pods\/|\/(?:audit|informer-survival|isolation|own-nodes|webhook-services)\.real\.test\.ts$/,
    hasPods: true,
    isLong: true,
  },
  { name: 'kinds', takes: /\/(?:conformance\/api-kinds|real\/cluster-api\.real)\.test\.ts$/, isLong: true },
  { name: 'attacks', takes: /^test\/attacks\//, isLong: true },
  { name: 'kubectl', takes: /^test\/kubectl\// },
  { name: 'controllers', takes: /\/cluster\/controllers\.real\.test\.ts$/, isLong: true },
  { name: 'control-planes', takes: /^test\/(?:control-plane|hosted-cluster|node-pools)\//, isLong: true },
  { name: 'webhooks', takes: /^test\/conformance\/.*(?:webhook|conver|crds|custom)/, isLong: true },
  { name: 'conformance', takes: /^test\/(?:conformance|real)\//, isLong: true },
  { name: 'definitions', takes: /^test\/(?:capi-operator|crd-compatibility|crd-workflows)\//, isLong: true },
  {
    name: 'managers',
    takes: /^test\/(?:cluster-api\/|migration\/(?:upstream-manager|versions\/))/,
    bringsServers: true,
    isLong: true,
  },
  { name: 'machines', takes: /^test\/machine-sync\//, bringsServers: true, isLong: true },
  { name: 'versions', takes: /^test\/control-plane-version\//, bringsServers: true, isLong: true },
  { name: 'migration', takes: /^test\/migration\//, isLong: true },
  { name: 'private-hosting', takes: /\/hosted\/private\.real\.test\.ts$/, isLong: true },
  { name: 'hosting', takes: /^test\/hosted\//, isLong: true },
  { name: 'clusters', takes: /./, isLong: true },
];

/** What is run on real servers and what is not. */
export interface RealPlan {
  /** Files by the name of their shard. */
  readonly shards: ReadonlyMap<string, readonly string[]>;
  readonly exempt: readonly { readonly file: string; readonly reason: string }[];
  /** Neither run nor exempt. */
  readonly forgotten: readonly string[];
  /** Exempt, and gone or run after all. */
  readonly stale: readonly string[];
}

/** Sorts the suites of `test/`: those of attacks, conformance, migration and pods run on any server, others have a `.real.test.ts` as well. */
export function planReal(
  files: readonly string[],
  exempt: Readonly<Record<string, string>> = REAL_EXEMPT,
  shards: readonly Shard[] = SHARDS,
): RealPlan {
  const there = new Set(files);
  const isExempt = (file: string): boolean => Object.hasOwn(exempt, file);
  const isRun = (file: string): boolean =>
    /^test\/(?:attacks|conformance|migration|pods)\/|\.real\.test\.ts$/.test(file) && !isExempt(file);
  const hasVariant = (file: string): boolean => there.has(file.replace(/(?:\.real)?\.test\.ts$/, '.real.test.ts'));
  const taken = new Map<string, string[]>(shards.map(({ name }) => [name, []]));
  for (const file of files.filter(isRun)) {
    const shard = shards.find(({ takes }) => takes.test(file));
    if (shard === undefined) throw new Error(`no shard takes ${file}`);
    taken.get(shard.name)?.push(file);
  }
  return {
    shards: taken,
    exempt: Object.entries(exempt).map(([file, reason]) => ({ file, reason })),
    forgotten: files.filter((file) => !isRun(file) && !hasVariant(file) && !isExempt(file)),
    stale: Object.keys(exempt).filter((file) => !there.has(file) || hasVariant(file)),
  };
}

/** Every test file below `test/`, seen from the root of the repository. */
export function suitesOf(root: string): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts') && !/\/(?:dist|node_modules)\//.test(path))
    .toSorted();
}

/** A shard on a server. */
export interface RealProject {
  /** How the runner knows it. */
  readonly name: string;
  readonly shard: Shard;
  readonly files: readonly string[];
  /** Absent where it needs no server, or there is none. */
  readonly version?: string;
}

/** What is to be run on servers of these versions; without any, as much as it takes to list the tests. */
export function realProjects(
  versions: readonly string[],
  plan: RealPlan,
  shards: readonly Shard[] = SHARDS,
): RealProject[] {
  return shards.flatMap((shard) => {
    const files = plan.shards.get(shard.name) ?? [];
    if (files.length === 0) return [];
    if (shard.hasNoServer === true || versions.length === 0) return [{ name: shard.name, shard, files }];
    return versions.map((version) => ({ name: `${version} ${shard.name}`, shard, files, version }));
  });
}
