import { hashText } from '@capstan/meta';

/** Digits of the hash in a name that was cut. */
const HASH_LENGTH = 8;

/** The hash of bytes as HyperShift computes it: over their decimal listing, `[123 125]`. */
export function hashBytes(bytes: Uint8Array): string {
  return hashText(`[${bytes.join(' ')}]`);
}

/** `base-suffix` in at most so many characters: a base that is too long is cut and gets its hash. */
export function boundedName(base: string, suffix: string, most: number): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= most) return whole;
  const kept = most - HASH_LENGTH - 2 - suffix.length;
  if (kept < 1) return `${base.slice(0, Math.max(0, most - HASH_LENGTH - 1))}-${hashText(whole)}`;
  return `${base.slice(0, kept)}-${hashText(base)}-${suffix}`;
}

/** The namespace of a hosted control plane. */
export function controlPlaneNamespace(namespace: string, name: string): string {
  return `${namespace}-${name.replaceAll('.', '-')}`;
}
