import type { Timer } from '@capstan/meta';

/** The owner of a task: a dead one runs nothing any more, a paused one runs it later. */
export interface TaskOwner {
  readonly isAlive: boolean;
  /** Virtual time before which none of its tasks runs. */
  readonly pausedUntil: number;
}

/** Something still to happen; its creator holds it as its timer. */
export class Task implements Timer {
  at: number;
  readonly tie: number;
  order = 0;
  readonly owner: TaskOwner | undefined;
  run: (() => void) | undefined;

  constructor(at: number, tie: number, owner: TaskOwner | undefined, run: () => void) {
    this.at = at;
    this.tie = tie;
    this.owner = owner;
    this.run = run;
  }

  cancel(): void {
    this.run = undefined;
  }
}

function isBefore(a: Task, b: Task): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie;
}

/** Tasks, the next one first. */
export class TaskHeap {
  readonly #tasks: Task[] = [];

  get first(): Task | undefined {
    return this.#tasks[0];
  }

  push(task: Task): void {
    const tasks = this.#tasks;
    let index = tasks.length;
    tasks.push(task);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = tasks[above] as Task;
      if (!isBefore(task, parent)) break;
      tasks[index] = parent;
      index = above;
    }
    tasks[index] = task;
  }

  /** Takes the first one out, which there must be. */
  pop(): void {
    const tasks = this.#tasks;
    const last = tasks.pop() as Task;
    if (tasks.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= tasks.length) break;
      if (below + 1 < tasks.length && isBefore(tasks[below + 1] as Task, tasks[below] as Task)) below += 1;
      const child = tasks[below] as Task;
      if (!isBefore(child, last)) break;
      tasks[index] = child;
      index = below;
    }
    tasks[index] = last;
  }
}
