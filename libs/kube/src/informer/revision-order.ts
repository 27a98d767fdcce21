/** Whether a revision is older than another: decimal numbers, which may be longer than numbers hold. */
export function isOlder(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
