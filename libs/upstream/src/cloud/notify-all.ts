/** Notifies every listener, even after one throws; then throws the first error. */
export function notifyAll<T>(listeners: Iterable<(event: T) => void>, event: T): void {
  const failures: unknown[] = [];
  for (const listener of listeners) {
    try {
      listener(event);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
