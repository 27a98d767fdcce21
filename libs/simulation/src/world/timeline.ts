import type { Clock, Random, Timer } from '@capstan/meta';

/** Whoever a task belongs to: the dead do nothing any more, and who is paused does it later. */
export interface TaskOwner {
  readonly isAlive: boolean;
  /** Virtual time before which none of its tasks runs. */
  readonly pausedUntil: number;
}

interface Task {
  at: number;
  readonly tie: number;
  readonly order: number;
  readonly owner: TaskOwner | undefined;
  run: (() => void) | undefined;
}

/** When simulated worlds begin. */
export const WORLD_BEGINS = Date.UTC(2026, 0, 1);

/** A shorter delay would be lost in rounding: who waits for the rest of a period would wait for ever at one moment. */
const SHORTEST_DELAY_MS = 0.001;

// Taken once: whoever replaces the timers of the process must not stop the world.
const afterPromises = setImmediate;

function isBefore(a: Task, b: Task): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie;
}

/**
 * All that is still to happen in a world, in one order: by virtual time, and where that is the same by chance. Nothing
 * runs beside it: after each task every promise callback it set going is let run before the next begins.
 */
export class Timeline {
  readonly #heap: Task[] = [];
  readonly #random: Random;
  #elapsed = 0;
  #order = 0;
  #steps = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Virtual milliseconds since the world began. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Tasks run so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Runs the task once, after the delay, unless cancelled before or its owner has died. */
  after(delayMs: number, owner: TaskOwner | undefined, run: () => void): Timer {
    const at = this.#elapsed + (delayMs > 0 ? Math.max(delayMs, SHORTEST_DELAY_MS) : 0);
    const task: Task = { at, tie: this.#random.next(), order: (this.#order += 1), owner, run };
    this.#push(task);
    return {
      cancel: () => {
        task.run = undefined;
      },
    };
  }

  /** Time as somebody in the world sees it. */
  clock(owner?: TaskOwner, onTimer?: () => boolean, skewMs = 0): Clock {
    return {
      now: () => WORLD_BEGINS + skewMs + Math.floor(this.#elapsed),
      monotonic: () => this.#elapsed,
      after: (delayMs, callback) =>
        this.after(delayMs, owner, () => {
          if (onTimer === undefined || onTimer()) callback();
        }),
    };
  }

  /** Lets the world go on until that virtual time; idle time costs nothing. */
  async runUntil(end: number): Promise<void> {
    await settled();
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.run === undefined || next.owner?.isAlive === false) continue;
      if (next.owner !== undefined && next.owner.pausedUntil > next.at) {
        next.at = next.owner.pausedUntil;
        this.#push(next);
        continue;
      }
      this.#elapsed = next.at;
      this.#steps += 1;
      next.run();
      await settled();
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(task);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Task;
      if (!isBefore(task, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = task;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Task;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Task, heap[below] as Task)) below += 1;
      const child = heap[below] as Task;
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}

/** Resolves when no promise callback is left to run. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    afterPromises(resolve);
  });
}
