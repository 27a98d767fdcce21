import { cloneJson } from '@capstan/meta';

/** A value that replaces what is there, instead of being laid over it. */
class Whole {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A value that is to be there exactly, with nothing beside it: the data of a Secret, the rules of a Role. */
export function whole(value: unknown): unknown {
  return value === undefined ? undefined : new Whole(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOtherItem(old: unknown, wanted: unknown): boolean {
  return isRecord(old) && isRecord(wanted) && old['name'] !== wanted['name'];
}

/**
 * What is wanted laid over what is there. Fields nobody asked for stay: the server has filled them in, or somebody else
 * owns them. A field that is `undefined` goes. Lists of equal length are laid over item by item, others are replaced.
 */
export function overlay(existing: unknown, wanted: unknown): unknown {
  if (wanted instanceof Whole) return cloneJson(wanted.value);
  if (Array.isArray(wanted)) {
    const old: readonly unknown[] = Array.isArray(existing) && existing.length === wanted.length ? existing : [];
    return wanted.map((item: unknown, at) => overlay(isOtherItem(old[at], item) ? undefined : old[at], item));
  }
  if (!isRecord(wanted)) return wanted;
  const result: Record<string, unknown> = isRecord(existing) ? { ...existing } : {};
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) delete result[key];
    else result[key] = overlay(result[key], value);
  }
  return result;
}
