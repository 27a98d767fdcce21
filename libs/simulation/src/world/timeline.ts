import type { Clock, Random, Timer } from '@capstan/meta';

/** Whoever a task belongs to: the dead do nothing any more, and who is paused does it later. */
export interface TaskOwner {
  readonly isAlive: boolean;
  /** Virtual time before which none of its tasks runs. */
  readonly pausedUntil: number;
}

/** Something still to happen; whoever asked for it holds it as its timer. */
class Task implements Timer {
  at: number;
  readonly tie: number;
  readonly order: number;
  readonly owner: TaskOwner | undefined;
  run: (() => void) | undefined;

  constructor(at: number, tie: number, order: number, owner: TaskOwner | undefined, run: () => void) {
    this.at = at;
    this.tie = tie;
    this.order = order;
    this.owner = owner;
    this.run = run;
  }

  cancel(): void {
    this.run = undefined;
  }
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
    const task = new Task(at, this.#random.next(), (this.#order += 1), owner, run);
    this.#push(task);
    return task;
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
    await inTurns(() => this.#step(end));
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  /** Runs the next task there is until then; false when there is none. */
  #step(end: number): boolean {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      const { owner, run } = next;
      if (run === undefined || owner?.isAlive === false) continue;
      if (owner !== undefined && owner.pausedUntil > next.at) {
        next.at = owner.pausedUntil;
        this.#push(next);
        continue;
      }
      this.#elapsed = next.at;
      this.#steps += 1;
      run();
      return true;
    }
    return false;
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

/** So many steps share one turn of the event loop at most. */
const MOST_STEPS = 128;

/**
 * Takes step after step until one says that it was the last, and lets every promise callback run before each. Node does
 * that before every one of the callbacks it was told to call next, also among those of one turn of its event loop: many
 * of them in one turn are the same as one in each, without the turns.
 */
function inTurns(step: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const finish = (settle: () => void): void => {
      isOver = true;
      settle();
    };
    const once = (): void => {
      if (isOver) return;
      try {
        if (!step()) finish(resolve);
      } catch (error) {
        finish(() => reject(error as Error));
      }
    };
    const turn = (steps: number): void => {
      for (let count = 1; count < steps; count += 1) afterPromises(once);
      // Most are asked for a moment only, in which little happens.
      afterPromises(() => {
        once();
        if (!isOver) turn(Math.min(2 * steps, MOST_STEPS));
      });
    };
    turn(1);
  });
}
