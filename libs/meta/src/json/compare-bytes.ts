/** UTF-16 puts surrogates before U+E000..U+FFFF, UTF-8 after them; this moves them behind. */
function utf8Rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** Orders strings by their UTF-8 bytes, as Go and etcd do: negative, zero or positive. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const end = a.length < b.length ? a.length : b.length;
  for (let at = 0; at < end; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) {
      return left < 0xd800 || right < 0xd800 ? left - right : utf8Rank(left) - utf8Rank(right);
    }
  }
  return a.length - b.length;
}
