import { compareVersions, minorOf, minorText, parseVersion } from './version.js';
import type { ReleaseVersion } from './version.js';

/** An entry of a history of versions, newest first. */
export interface VersionEntry {
  readonly state: string;
  readonly version: string;
}

/** Which versions nodes may have. */
export interface AllowedVersions {
  /** Lowest minor, `4.18`: any patch of it. */
  readonly floor: string;
  /** Highest version, `4.19.6`: nodes are never newer than what they ask. */
  readonly ceiling: string;
}

/** How many minors nodes may be behind by default. */
export const DEFAULT_SKEW_WIDTH = 1;

/**
 * The versions a control plane may be running just now: all that were begun since the last that was completed, and that
 * one. Newest first.
 */
export function activeVersions(history: readonly VersionEntry[]): readonly string[] {
  const completed = history.findIndex(({ state }) => state === 'Completed');
  const active = completed === -1 ? history : history.slice(0, completed + 1);
  return [...new Set(active.map(({ version }) => version))].filter((version) => parseVersion(version) !== undefined);
}

/** Which versions nodes may have under a control plane of that history; undefined when nothing is known of it. */
export function allowedNodePoolVersions(
  history: readonly VersionEntry[],
  width = DEFAULT_SKEW_WIDTH,
): AllowedVersions | undefined {
  const active = activeVersions(history).flatMap((text) => {
    const version = parseVersion(text);
    return version === undefined ? [] : [{ text, version }];
  });
  const [first, ...others] = active;
  if (first === undefined) return undefined;
  const lowest = others.reduce((low, each) => (compareVersions(each.version, low.version) < 0 ? each : low), first);
  const minor = minorOf(lowest.version);
  return minor === undefined ? undefined : { floor: minorText(Math.max(0, minor - width)), ceiling: lowest.text };
}

/** Why nodes may not have a version; undefined when they may. */
export function skewProblem(version: string, { ceiling, floor }: AllowedVersions): string | undefined {
  const wanted = parseVersion(version);
  const highest = parseVersion(ceiling);
  const lowest = parseVersion(`${floor}.0`);
  if (wanted === undefined || highest === undefined || lowest === undefined)
    return `${JSON.stringify(version)} is not a version; nodes may have ${floor} to ${ceiling}`;
  if (compareVersions(wanted, highest) > 0)
    return `${version} is newer than ${ceiling}, the oldest version its control plane may be running; choose one from ${floor} to ${ceiling}`;
  if (isBelow(wanted, lowest))
    return `${version} is older than ${floor}, the oldest its control plane supports; choose one from ${floor} to ${ceiling}`;
  return undefined;
}

/** By minor alone: a candidate of the lowest minor is as good as any of it. */
function isBelow(version: ReleaseVersion, lowest: ReleaseVersion): boolean {
  const [minor, least] = [minorOf(version), minorOf(lowest)];
  return minor === undefined || least === undefined || minor < least;
}
