import { minorOf, minorText, parseVersion } from '@capstan/release';

/** On the scale of all minors. */
const OLDEST = 14;
/** 5.1 */
const NEWEST = 24;

/** The release of a pool, and what it has to go with. */
export interface ReleaseChoice {
  readonly wanted: string;
  /** What the nodes of the pool have; undefined before there were any. */
  readonly current: string | undefined;
  readonly cluster: string;
}

/** The minor of a version; a text of what is wrong when it has none. */
function minorIn(text: string): number | string {
  const version = parseVersion(text);
  const minor = version === undefined ? undefined : minorOf(version);
  return minor ?? `version ${text} is neither 4.x nor 5.x`;
}

/** Why a pool cannot be given a release; undefined when it can. Patch versions play no part here. */
export function releaseProblem({ cluster, current, wanted }: ReleaseChoice): string | undefined {
  const minor = minorIn(wanted);
  const highest = minorIn(cluster);
  const before = current === undefined ? 0 : minorIn(current);
  if (typeof minor === 'string') return minor;
  if (typeof highest === 'string') return highest;
  if (typeof before === 'string') return before;
  if (before > minor)
    return `a NodePool cannot go back from ${current ?? ''} to ${wanted}: choose a release of ${minorText(before)} or later, or make a new NodePool`;
  const latest = Math.min(highest, NEWEST);
  if (minor > latest)
    return `release ${wanted} is not supported, the latest is ${minorText(latest)}: choose an earlier release, or upgrade the HostedCluster first`;
  if (minor < OLDEST) return `release ${wanted} is not supported, the oldest is ${minorText(OLDEST)}`;
  return undefined;
}
