import type { JsonPatchOperation } from '@capstan/meta';

/** The steps of pointers, by the step that comes first. */
type Steps = Map<string, Steps>;

/** By operation: whether a later one looks into what it brings, which is more than its text from then on. */
export function enteredLater(operations: readonly JsonPatchOperation[]): boolean[] {
  const later: Steps = new Map();
  const entered: boolean[] = [];
  for (const { path, from } of operations.toReversed()) {
    entered.push(hasInside(later, String(path)));
    for (const pointer of [path, from]) addPointer(later, String(pointer));
  }
  return entered.reverse();
}

function addPointer(steps: Steps, pointer: string): void {
  let at = steps;
  for (const step of pointer.split('/')) {
    let next = at.get(step);
    if (next === undefined) at.set(step, (next = new Map()));
    at = next;
  }
}

function hasInside(steps: Steps, pointer: string): boolean {
  let at: Steps | undefined = steps;
  for (const step of pointer.split('/')) at = at?.get(step);
  return at !== undefined && at.size > 0;
}
