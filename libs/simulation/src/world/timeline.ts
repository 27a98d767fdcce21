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

/** How far a clock is off, and how much faster it runs than time does. */
export interface ClockFault {
  readonly ms: number;
  readonly rate: number;
}

const NO_CLOCK_FAULT: ClockFault = { ms: 0, rate: 1 };

/** When simulated worlds begin. */
export const WORLD_BEGINS = Date.UTC(2026, 0, 1);

// Taken once: whoever replaces the timers of the process must not stop the world.
const afterPromises = setImmediate;

function isBefore(a: Task, b: Task): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie;
}

/**
 * Virtual time moves in ticks that numbers hold exactly. Otherwise what is left of a wait can be too little to be added
 * to the time, and whoever waits for it waits for ever without time going on.
 */
const TICKS_PER_MS = 1024;

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
    const at = Math.ceil((this.#elapsed + Math.max(0, delayMs)) * TICKS_PER_MS) / TICKS_PER_MS;
    const task: Task = { at, tie: this.#random.next(), order: (this.#order += 1), owner, run };
    this.#push(task);
    return {
      cancel: () => {
        task.run = undefined;
      },
    };
  }

  /** Time as somebody in the world sees it. */
  clock(owner?: TaskOwner, onTimer?: () => boolean, { ms, rate }: ClockFault = NO_CLOCK_FAULT): Clock {
    // Never a moment early by rounding: whoever sets the timer again for what is left would do so for ever.
    const slack = rate === 1 ? 0 : 1e-6;
    return {
      now: () => WORLD_BEGINS + ms + Math.floor(this.#elapsed * rate),
      monotonic: () => this.#elapsed * rate,
      after: (delayMs, callback) =>
        this.after(delayMs / rate + slack, owner, () => {
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
