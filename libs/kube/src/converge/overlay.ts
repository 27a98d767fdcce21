import { cloneJson, deepEqual } from '@capstan/meta';

/** A value that replaces the existing one instead of being merged into it. */
class Exact {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A value that must match exactly, with no other keys: the data of a Secret, the rules of a Role. */
export function exactly(value: unknown): unknown {
  return value === undefined ? undefined : new Exact(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOtherItem(old: unknown, desired: unknown): boolean {
  return isRecord(old) && isRecord(desired) && old['name'] !== desired['name'];
}

/**
 * The desired state merged into the existing one. Fields that are not mentioned stay: the server defaulted them, or another
 * field manager owns them. A field that is `undefined` is removed. Lists of equal length are merged item by item, others
 * are replaced. A value that is already as desired is returned itself, so that equality is usually identity.
 */
export function overlay(existing: unknown, desired: unknown): unknown {
  if (desired instanceof Exact) return deepEqual(existing, desired.value) ? existing : cloneJson(desired.value);
  if (Array.isArray(desired)) return overlayList(Array.isArray(existing) ? existing : undefined, desired);
  return isRecord(desired) ? overlayRecord(isRecord(existing) ? existing : undefined, desired) : desired;
}

function overlayList(existing: readonly unknown[] | undefined, desired: readonly unknown[]): readonly unknown[] {
  const old = existing?.length === desired.length ? existing : undefined;
  let isSame = old !== undefined;
  const result = desired.map((item, at) => {
    const before = isOtherItem(old?.[at], item) ? undefined : old?.[at];
    const after = overlay(before, item);
    if (after !== old?.[at]) isSame = false;
    return after;
  });
  return old !== undefined && isSame ? old : result;
}

function overlayRecord(
  existing: Readonly<Record<string, unknown>> | undefined,
  desired: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined = existing === undefined ? {} : undefined;
  for (const key of Object.keys(desired)) {
    const value = desired[key];
    const before = existing?.[key];
    const after = value === undefined ? undefined : overlay(before, value);
    if (after === before) continue;
    changed ??= { ...existing };
    if (value === undefined) delete changed[key];
    else changed[key] = after;
  }
  return changed ?? existing ?? {};
}
