/** Base64 as the `byte` format of schemas reads it: the URL alphabet, padded, line breaks ignored. */

const values = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map((char, i) => [char, i]));

/** The bytes, or the index of the first character that does not belong. */
export function base64Decode(text: string): Uint8Array | number {
  const out: number[] = [];
  let bits = 0;
  let held = 0;
  let pad = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n' || char === '\r') continue;
    const value = values.get(char);
    if (char === '=' && (held === 2 || held === 4) && pad < held / 2) {
      pad++;
      if (pad === (held === 4 ? 2 : 1)) held = -1;
      continue;
    }
    if (value === undefined || pad > 0 || held === -1) return at;
    bits = (bits << 6) | value;
    held = held === 0 ? 6 : held + 6;
    if (held >= 8) {
      held -= 8;
      out.push((bits >> held) & 0xff);
    }
  }
  return held === 0 || held === -1 ? Uint8Array.from(out) : text.length;
}
