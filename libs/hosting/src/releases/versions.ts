import { minorOf, minorText, parseVersion } from '@capstan/release';
import type { ReleaseVersion } from '@capstan/release';

/** Minors that are supported, counted on after 4.22: 24 is 5.1. */
const OLDEST_MINOR = 14;
const NEWEST_MINOR = 24;

/** The minor of any version: of majors that do not exist yet after all others, of those before 4 before all others. */
function orderOf(version: ReleaseVersion): number {
  return minorOf(version) ?? (version.major < 4 ? -Infinity : Infinity);
}

/** Why a HostedCluster cannot run a release; undefined when it can. */
export function versionProblem(text: string, running: string | undefined): string | undefined {
  const version = parseVersion(text);
  if (version === undefined) return `its payload has version ${JSON.stringify(text)}, which is not a version`;
  const minor = orderOf(version);
  if (minor < OLDEST_MINOR)
    return `version ${text} is older than ${minorText(OLDEST_MINOR)}, the oldest that is supported`;
  if (minor > NEWEST_MINOR)
    return `version ${text} is newer than ${minorText(NEWEST_MINOR)}, the newest that is supported`;
  const before = running === undefined ? undefined : parseVersion(running);
  if (before !== undefined && minor < orderOf(before))
    return `version ${text} is a minor version older than ${running ?? ''}, which runs: going back is not supported`;
  return undefined;
}

/** Whether a version is of that minor or a later one; false for what is not a version. */
export function isAtLeastMinor(text: string, first: string): boolean {
  const [version, minimum] = [parseVersion(text), parseVersion(first)];
  return version !== undefined && minimum !== undefined && orderOf(version) >= orderOf(minimum);
}

/** Whether going from one version to the other is more than a patch. */
export function isMinorUpgrade(from: string | undefined, to: string): boolean {
  const [before, after] = [parseVersion(from ?? ''), parseVersion(to)];
  return before !== undefined && after !== undefined && orderOf(after) > orderOf(before);
}

/** The release of a NodePool, and the versions it has to fit to. */
export interface ReleaseChoice {
  readonly wanted: string;
  /** The version of the nodes of the NodePool; undefined before it had any. */
  readonly current: string | undefined;
  readonly cluster: string;
}

/** The minor of a version; a text of what is wrong when it has none. */
function minorIn(text: string): number | string {
  const version = parseVersion(text);
  const minor = version === undefined ? undefined : minorOf(version);
  return minor ?? `version ${text} is neither 4.x nor 5.x`;
}

/** Why a NodePool cannot be given a release; undefined when it can. Patch versions are not compared. */
export function nodePoolVersionProblem({ cluster, current, wanted }: ReleaseChoice): string | undefined {
  const minor = minorIn(wanted);
  const highest = minorIn(cluster);
  const before = current === undefined ? 0 : minorIn(current);
  if (typeof minor === 'string') return minor;
  if (typeof highest === 'string') return highest;
  if (typeof before === 'string') return before;
  if (before > minor)
    return `a NodePool cannot go back from ${current ?? ''} to ${wanted}: choose a release of ${minorText(before)} or later, or create a new NodePool`;
  const latest = Math.min(highest, NEWEST_MINOR);
  if (minor > latest)
    return `release ${wanted} is not supported, the latest is ${minorText(latest)}: choose an earlier release, or upgrade the HostedCluster first`;
  if (minor < OLDEST_MINOR) return `release ${wanted} is not supported, the oldest is ${minorText(OLDEST_MINOR)}`;
  return undefined;
}
