/** Keys and values in turn: a handful of entries, for which a Map would weigh more than what it holds. */
export type MemoTable = unknown[];

/** Looks the key up, or computes and keeps the value. The caller vouches that one key always holds one type. */
export function memoised<T>(table: MemoTable, key: string, make: () => T): T {
  for (let index = 0; index < table.length; index += 2) {
    if (table[index] === key) return table[index + 1] as T;
  }
  const value = make();
  table.push(key, value);
  return value;
}

/** Looks the key up; undefined when nothing was kept. */
export function known<T>(table: MemoTable, key: string): T | undefined {
  for (let index = 0; index < table.length; index += 2) if (table[index] === key) return table[index + 1] as T;
  return undefined;
}

/** Keeps the value, in the place of what was kept. */
export function learnt(table: MemoTable, key: string, value: unknown): void {
  for (let index = 0; index < table.length; index += 2) {
    if (table[index] !== key) continue;
    table[index + 1] = value;
    return;
  }
  table.push(key, value);
}
