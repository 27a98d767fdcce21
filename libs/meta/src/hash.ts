const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const HASH_DIGITS = 8;

/** 32 bits of FNV-1a over UTF-8, as eight hexadecimal digits. */
export function hashText(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return hash.toString(16).padStart(HASH_DIGITS, '0');
}
