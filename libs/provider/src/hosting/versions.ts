/** The minor version of 4.x that 5.0 follows as the next would: 5.0 is 4.23 under another name. */
const FIRST_FIVE = 23;

/** Whether a release is of that version of 4.x or newer. What is no version is taken for the newest. */
export function isAtLeast(version: string, minor: number): boolean {
  const [, major = '', rest = ''] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === '') return true;
  const counted = Number(rest) + (Number(major) >= 5 ? FIRST_FIVE : 0);
  return counted >= minor;
}
