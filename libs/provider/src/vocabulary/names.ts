import { hashText } from '@capstan/meta';

/** A dash and eight digits on either side of what is left of a name. */
const HASH_LENGTH = 8;

/** The hash of bytes as the field's operators take it: over their decimal listing, `[123 125]`. */
export function hashBytes(bytes: Uint8Array): string {
  return hashText(`[${bytes.join(' ')}]`);
}

/** `base-suffix`, made to fit: too long a base is cut and told apart by its hash. */
export function boundedName(base: string, suffix: string, most: number): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= most) return whole;
  const kept = most - HASH_LENGTH - 2 - suffix.length;
  if (kept < 1) return `${base.slice(0, Math.max(0, most - HASH_LENGTH - 1))}-${hashText(whole)}`;
  return `${base.slice(0, kept)}-${hashText(base)}-${suffix}`;
}

/** The namespace a hosted control plane lives in. */
export function controlPlaneNamespace(namespace: string, name: string): string {
  return `${namespace}-${name.replaceAll('.', '-')}`;
}
