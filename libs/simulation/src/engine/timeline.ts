import type { Clock, Random, Timer } from '@capstan/meta';
import { Task, TaskHeap } from './task-heap.js';
import type { TaskOwner } from './task-heap.js';

/** How far a clock is off, and how much faster it runs than time does. */
export interface ClockFault {
  readonly ms: number;
  readonly rate: number;
}

const NO_CLOCK_FAULT: ClockFault = { ms: 0, rate: 1 };

/** The time at which simulations start unless they are to start at another. */
export const SIMULATION_START = Date.UTC(2026, 0, 1);

// Taken once: replacing the timers of the process must not stop the simulation.
const afterPromises = setImmediate;

/**
 * Virtual time moves in ticks that numbers hold exactly. Otherwise what is left of a wait can be too little to be added
 * to the time, and the waiting task waits for ever without time going on.
 */
const TICKS_PER_MS = 1024;

/** What is due within so long after something comes soon after it. */
const SOON_MS = 500;

/**
 * All that is still to happen in a simulation, in one order: by virtual time, and for the same time by chance. Nothing
 * runs in parallel: after each task every promise callback it set going is let run before the next begins.
 */
export class Timeline {
  /** What comes soon, apart from the many timers that wait for long and are mostly cancelled before they are due. */
  readonly #soon = new TaskHeap();
  readonly #later = new TaskHeap();
  /** Whatever is due by then is among what comes soon. */
  #horizon = 0;
  readonly #random: Random;
  #elapsed = 0;
  #order = 0;
  #steps = 0;

  readonly #startAtMs: number;

  /** Begins at that time, in milliseconds since the epoch. */
  constructor(random: Random, startAtMs: number = SIMULATION_START) {
    this.#random = random;
    this.#startAtMs = startAtMs;
  }

  /** Virtual milliseconds since the simulation started. */
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
    const task = new Task(at, this.#random.next(), owner, run);
    task.order = this.#order += 1;
    (at <= this.#horizon ? this.#soon : this.#later).push(task);
    return task;
  }

  /** Time as a process of the simulation sees it. */
  clock(owner?: TaskOwner, onTimer?: () => boolean, { ms, rate }: ClockFault = NO_CLOCK_FAULT): Clock {
    // Never a moment early by rounding: a timer set again for the rest would be set again for ever.
    const slack = rate === 1 ? 0 : 1e-6;
    return {
      now: () => this.#startAtMs + ms + Math.floor(this.#elapsed * rate),
      monotonic: () => this.#elapsed * rate,
      after: (delayMs, callback) =>
        this.after(delayMs / rate + slack, owner, () => {
          if (onTimer === undefined || onTimer()) callback();
        }),
    };
  }

  /** Runs the simulation until that virtual time; idle time costs nothing. */
  async runUntil(end: number): Promise<void> {
    await inTurns(() => this.#step(end));
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  /** The next task that is due until then. */
  #next(end: number): Task | undefined {
    const later = this.#later;
    while (this.#soon.first === undefined && later.first !== undefined && later.first.at <= end) {
      this.#horizon = later.first.at + SOON_MS;
      for (let task = later.first; task !== undefined && task.at <= this.#horizon; task = later.first) {
        later.pop();
        if (task.run !== undefined) this.#soon.push(task);
      }
    }
    const next = this.#soon.first;
    return next !== undefined && next.at <= end ? next : undefined;
  }

  /** Runs the next task there is until then; false when there is none. */
  #step(end: number): boolean {
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#soon.pop();
      const { owner, run } = next;
      if (run === undefined || owner?.isAlive === false) continue;
      if (owner !== undefined && owner.pausedUntil > next.at) {
        next.at = owner.pausedUntil;
        (next.at <= this.#horizon ? this.#soon : this.#later).push(next);
        continue;
      }
      this.#elapsed = next.at;
      this.#steps += 1;
      run();
      return true;
    }
    return false;
  }
}

/** So many steps share one turn of the event loop at most. */
const MOST_STEPS = 128;

/**
 * Takes step after step until one returns that it was the last, and lets every promise callback run before each. Node
 * does that before each callback of `setImmediate`, also among those of one turn of its event loop: many
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
