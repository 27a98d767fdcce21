/** Lengths as the server counts them. */

/** Whether a text has more code points than `limit`; a length in UTF-16 units settles most cases. */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && codePoints(text) > limit;
}

/** How many code points a text has. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count--;
    at++;
  }
  return count;
}
