import type { Pod } from '../workload/resources.js';
import { INDEX_KEY } from './types.js';

/** The completion index of a pod; undefined when it has none that makes sense. */
export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[INDEX_KEY];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** The indexes of a text such as `1,3-5,7`, as far as they are below the bound. What cannot be read is left out. */
export function parseIndexes(text: string | undefined, below: number): Set<number> {
  const indexes = new Set<number>();
  for (const interval of (text ?? '').split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(interval) ?? [];
    if (first === undefined) continue;
    for (let index = Number(first); index <= Math.min(Number(last), below - 1); index += 1) indexes.add(index);
  }
  return indexes;
}

/** The text of indexes: neighbours become intervals. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  let first: number | undefined;
  let last = -1;
  const close = (): void => {
    if (first === undefined) return;
    // Two neighbours are separated by a comma, as in the API.
    const between = last === first + 1 ? ',' : '-';
    parts.push(first === last ? `${first}` : `${first}${between}${last}`);
  };
  for (const index of [...indexes].sort((a, b) => a - b)) {
    if (index === last + 1 && first !== undefined) {
      last = index;
      continue;
    }
    close();
    [first, last] = [index, index];
  }
  close();
  return parts.join(',');
}

/** The lowest indexes not taken. */
export function firstFree(taken: ReadonlySet<number>, count: number, below: number): number[] {
  const free: number[] = [];
  for (let index = 0; index < below && free.length < count; index += 1) if (!taken.has(index)) free.push(index);
  return free;
}
