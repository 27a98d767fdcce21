/** Sets an own property even when the key is `__proto__`, which plain assignment would swallow. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Reads an own property; an inherited one counts as absent. */
export function getOwn(target: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
