/** A version of OpenShift, so far as its order goes. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** 5.0 comes after 4.22 in the place of 4.23, and so on. */
const FIRST_MINOR_OF_FIVE = 23;
const OLDEST: Version = { major: 4, minor: 14, patch: 0 };
const NEWEST: Version = { major: 5, minor: 1, patch: 0 };

/** Undefined for what is no version. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** The place of a minor version in the order of all. */
export function minorOrder({ major, minor }: Version): number {
  return major >= 5 ? (major - 5) * 1000 + FIRST_MINOR_OF_FIVE + minor : (major - 4) * 1000 + minor;
}

/** Why a release may not be run; undefined when it may. */
export function versionProblem(text: string, running: string | undefined): string | undefined {
  const version = parseVersion(text);
  if (version === undefined) return `its payload says version ${JSON.stringify(text)}, which is none`;
  if (version.major < 4 || minorOrder(version) < minorOrder(OLDEST))
    return `version ${text} is older than ${OLDEST.major}.${OLDEST.minor}, the oldest that is supported`;
  if (minorOrder(version) > minorOrder(NEWEST))
    return `version ${text} is newer than ${NEWEST.major}.${NEWEST.minor}, the newest that is supported`;
  const before = running === undefined ? undefined : parseVersion(running);
  if (before !== undefined && minorOrder(version) < minorOrder(before))
    return `version ${text} is a minor version older than ${running ?? ''}, which runs: going back is not supported`;
  return undefined;
}

/** Whether going from one version to the other is more than a patch. */
export function isMinorUpgrade(from: string | undefined, to: string): boolean {
  const [before, after] = [parseVersion(from ?? ''), parseVersion(to)];
  return before !== undefined && after !== undefined && minorOrder(after) > minorOrder(before);
}
