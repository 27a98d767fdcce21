import type { Core } from './core.js';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** No vowels and no look-alikes, so that no word is ever spelled. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_GENERATED_BASE = 58;

/** Sixteen random bytes as a version 4 UUID. */
export function uuidFrom(bytes: Uint8Array): string {
  const hex = (index: number): string => HEX[bytes[index] ?? 0] ?? '';
  const versioned = HEX[((bytes[6] ?? 0) & 0x0f) | 0x40] ?? '';
  const variant = HEX[((bytes[8] ?? 0) & 0x3f) | 0x80] ?? '';
  return (
    `${hex(0)}${hex(1)}${hex(2)}${hex(3)}-${hex(4)}${hex(5)}-${versioned}${hex(7)}-` +
    `${variant}${hex(9)}-${hex(10)}${hex(11)}${hex(12)}${hex(13)}${hex(14)}${hex(15)}`
  );
}

/** A name that begins with `base`; the base is cut so that the whole stays a DNS label. */
export function generateName(core: Core, base: string): string {
  let suffix = '';
  for (let at = 0; at < SUFFIX_LENGTH; at += 1) suffix += SUFFIX_ALPHABET[core.below(SUFFIX_ALPHABET.length)] ?? '';
  return base.slice(0, MAX_GENERATED_BASE) + suffix;
}
