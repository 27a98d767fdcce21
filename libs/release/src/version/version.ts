/** A version of OpenShift, taken apart. */
export interface ReleaseVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** What follows a dash: `rc.1`; empty for a release proper. */
  readonly preRelease: string;
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
/** 5.0 follows 4.22 and stands where 4.23 would: minors are counted on. */
const FIRST_MINOR_OF_FIVE = 23;

/** Reads `4.22.0-rc.1`; undefined when it is no version. */
export function parseVersion(text: string): ReleaseVersion | undefined {
  const [, major, minor, patch, preRelease = ''] = VERSION.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease };
}

/** The minor on one scale for all majors; undefined for unknown majors. */
export function minorOf({ major, minor }: ReleaseVersion): number | undefined {
  if (major === 4) return minor;
  return major === 5 ? FIRST_MINOR_OF_FIVE + minor : undefined;
}

/** `4.22`, or `5.0` where that scale has passed 4.22. */
export function minorText(minor: number): string {
  return minor >= FIRST_MINOR_OF_FIVE ? `5.${minor - FIRST_MINOR_OF_FIVE}` : `4.${minor}`;
}

/** Orders versions as semantic versioning does, 5.0 with 4.23. */
export function compareVersions(a: ReleaseVersion, b: ReleaseVersion): number {
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) {
    const difference = value - (right[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

function rank(version: ReleaseVersion): readonly number[] {
  const minor = minorOf(version);
  return minor === undefined ? [version.major, version.minor, version.patch] : [4, minor, version.patch];
}

/** None comes after any; otherwise part by part, numbers before words. */
function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const [left, right] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareParts(left[at], right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Math.sign(Number(a) - Number(b));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
