import { cloneJson, deepEqual } from '@capstan/meta';

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
 * owns them. A field that is `undefined` goes. Lists of equal length are laid over item by item, others are replaced. What
 * is as wanted already comes back itself, which is nearly always all of it.
 */
export function overlay(existing: unknown, wanted: unknown): unknown {
  if (wanted instanceof Whole) return deepEqual(existing, wanted.value) ? existing : cloneJson(wanted.value);
  if (Array.isArray(wanted)) return overlayList(Array.isArray(existing) ? existing : undefined, wanted);
  return isRecord(wanted) ? overlayRecord(isRecord(existing) ? existing : undefined, wanted) : wanted;
}

function overlayList(existing: readonly unknown[] | undefined, wanted: readonly unknown[]): readonly unknown[] {
  const old = existing?.length === wanted.length ? existing : undefined;
  let isSame = old !== undefined;
  const result = wanted.map((item, at) => {
    const before = isOtherItem(old?.[at], item) ? undefined : old?.[at];
    const after = overlay(before, item);
    if (after !== old?.[at]) isSame = false;
    return after;
  });
  return old !== undefined && isSame ? old : result;
}

function overlayRecord(
  existing: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined = existing === undefined ? {} : undefined;
  for (const key of Object.keys(wanted)) {
    const value = wanted[key];
    const before = existing?.[key];
    const after = value === undefined ? undefined : overlay(before, value);
    if (after === before) continue;
    changed ??= { ...existing };
    if (value === undefined) delete changed[key];
    else changed[key] = after;
  }
  return changed ?? existing ?? {};
}
