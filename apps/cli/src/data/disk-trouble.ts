/** What systems say when nothing can be written to a disk that can still be read. */
const TROUBLES =
  /no space left on device|quota exceeded|read-only file system|file too large|(?:input\/output|i\/o) error/i;
const NO_SPACE = /no space left on device|quota exceeded/i;

/** Whether the reason of a failure goes away when the disk is well again. */
export function isDiskTrouble(reason: string): boolean {
  return TROUBLES.test(reason);
}

/** Whether room is all that is missing. */
export function isNoSpace(reason: string): boolean {
  return NO_SPACE.test(reason);
}
