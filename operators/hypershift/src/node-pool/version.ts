/** Versions of releases, and which of them go together. */

export interface Version {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: readonly string[];
}

const SHAPE = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
/** 5.0 and 4.23 are one release: 5.x is told as 4.(23+x) before anything is compared. */
const FIFTH = 23;
/** How many minor versions nodes may be behind their control plane. */
const WIDEST_SKEW = 3;
const OLDEST = 14;
const NEWEST = FIFTH + 1;

/** Reads a version; undefined when it is none. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, pre = ''] = SHAPE.exec(text) ?? [];
  if (major === undefined) return undefined;
  const parts = pre === '' ? [] : pre.split('.');
  return { text, major: Number(major), minor: Number(minor), patch: Number(patch), pre: parts };
}

function minorOf({ major, minor }: Version): number | undefined {
  if (major === 4) return minor;
  return major === 5 ? minor + FIFTH : undefined;
}

function minorText(minor: number): string {
  return minor >= FIFTH ? `5.${minor - FIFTH}` : `4.${minor}`;
}

function comparePart(a: string, b: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  if (numeric.test(a) !== numeric.test(b)) return numeric.test(a) ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  // A version with a pre-release comes before the one without.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = comparePart(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Below zero when the first is older; 5.0 and 4.23 are equal. */
export function compareVersions(a: Version, b: Version): number {
  const majors = (version: Version): number => (minorOf(version) === undefined ? version.major : 4);
  return (
    majors(a) - majors(b) ||
    (minorOf(a) ?? a.minor) - (minorOf(b) ?? b.minor) ||
    a.patch - b.patch ||
    comparePre(a.pre, b.pre)
  );
}

function unknownMajor(...versions: readonly Version[]): string | undefined {
  const odd = versions.find((version) => minorOf(version) === undefined);
  return odd === undefined ? undefined : `version ${odd.text} is neither 4.x nor 5.x`;
}

/** Why nodes of a version do not go with a control plane of another; undefined when they do. */
export function skewProblem(cluster: Version, pool: Version): string | undefined {
  const odd = unknownMajor(cluster, pool);
  if (odd !== undefined) return odd;
  if (compareVersions(pool, cluster) > 0)
    return `NodePool version ${pool.text} is higher than HostedCluster version ${cluster.text}: upgrade the HostedCluster first`;
  const lowest = (minorOf(cluster) ?? 0) - WIDEST_SKEW;
  if ((minorOf(pool) ?? 0) >= lowest) return undefined;
  return `NodePool version ${pool.text} is too old for HostedCluster version ${cluster.text}: the lowest that goes with it is ${minorText(Math.max(lowest, 0))}`;
}

export interface ReleaseChoice {
  readonly wanted: Version;
  /** What the nodes of the pool have; undefined before there were any. */
  readonly current: Version | undefined;
  readonly cluster: Version;
}

/** Why a pool cannot be given a release; undefined when it can. Patch versions play no part here. */
export function releaseProblem({ cluster, current, wanted }: ReleaseChoice): string | undefined {
  const odd = unknownMajor(wanted, cluster, ...(current === undefined ? [] : [current]));
  if (odd !== undefined) return odd;
  const minor = minorOf(wanted) ?? 0;
  if (current !== undefined && (minorOf(current) ?? 0) > minor)
    return `a NodePool cannot go back from ${current.text} to ${wanted.text}: choose a release of ${minorText(minorOf(current) ?? 0)} or later, or make a new NodePool`;
  const highest = Math.min(minorOf(cluster) ?? 0, NEWEST);
  if (minor > highest)
    return `release ${wanted.text} is not supported, the latest is ${minorText(highest)}: choose an earlier release, or upgrade the HostedCluster first`;
  if (minor < OLDEST) return `release ${wanted.text} is not supported, the oldest is ${minorText(OLDEST)}`;
  return undefined;
}
