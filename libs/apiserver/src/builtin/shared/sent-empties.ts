import { RawValue, type FieldError, type KubeObject } from '@capstan/meta';
import { typedText } from '../../codec/index.js';

/*
 * Empty lists and maps of built-in kinds are read as none at all, which is what they are stored as. Messages of the real
 * server distinguish the two, so the body is kept for as long as the object that was read from it.
 */
const SENT = new WeakMap<KubeObject, unknown>();

/** Keeps what an object was read from. */
export function rememberSent(object: KubeObject, value: unknown): void {
  SENT.set(object, value);
}

/** Keeps it for a copy, too. */
export function keepSent(object: KubeObject, copy: KubeObject): KubeObject {
  if (SENT.has(object)) SENT.set(copy, SENT.get(object));
  return copy;
}

/**
 * The complaints as the real server prints them: with `{}` and `[]` where that was sent and nothing was read, and texts
 * of a type of their own as JSON.
 */
export function asPrinted(
  object: KubeObject,
  errors: readonly FieldError[],
  isNamedText: (field: string) => boolean,
): FieldError[] {
  const sent = SENT.get(object);
  return errors.map((error) => {
    const { badValue, field } = error;
    if (typeof badValue === 'string') {
      const typed = typedText(badValue);
      return typed === badValue || !isNamedText(field) ? error : { ...error, badValue: typed };
    }
    const text = isNothing(badValue) ? emptyText(valueAt(sent, field)) : undefined;
    return text === undefined ? error : { ...error, badValue: new RawValue(text) };
  });
}

/** The empty list or map that an object was sent with at a field and that was read as nothing; else undefined. */
export function sentEmpty(object: KubeObject, field: string): object | undefined {
  const found = valueAt(SENT.get(object), field);
  return emptyText(found) === undefined ? undefined : (found as object);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function emptyText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return undefined;
  return Array.isArray(value) ? '[]' : '{}';
}

/** What is at a field path: `spec.items[0].labels[a.b/c]`. */
function valueAt(root: unknown, field: string): unknown {
  let found = root;
  for (const [, key, index] of field.matchAll(/\.?([^.[\]]+)|\[([^\]]*)(?:\]|$)/g)) {
    const name = key ?? index ?? '';
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
