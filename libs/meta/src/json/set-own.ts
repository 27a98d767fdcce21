/** Sets an own property even when the key is `__proto__`, which plain assignment would swallow. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Reads an own property; an inherited one counts as absent. Of what every object inherits all but one are functions. */
export function getOwn(target: Readonly<Record<string, unknown>>, key: string): unknown {
  const value = target[key];
  if (typeof value !== 'function' && key !== '__proto__') return value;
  return Object.hasOwn(target, key) ? value : undefined;
}

/** An entry of a table by a name that a client may have chosen: what every object inherits is none. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
