import type { KubeObject } from '@capstan/meta';
import { Debts } from './debts.js';
import type { InformerEvent } from './owed.js';

/**
 * Called for every change, after the store has it, one call at a time. A handler that returns a promise gets nothing more until
 * it has settled; what happens to one object meanwhile is then delivered as one change, from what the handler knew to what
 * is, and an object that came and went is left out. What a handler throws is logged and goes no further.
 */
export interface InformerHandler<T extends KubeObject> {
  add?(object: T, isInInitialList: boolean): unknown;
  update?(old: T, object: T): unknown;
  /** `finalStateUnknown`: the deletion itself was missed, and the object is as it was last seen. */
  delete?(object: T, finalStateUnknown: boolean): unknown;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

/**
 * Brings events to one handler, in order and one at a time. A handler that gives no promise is called at once, in the
 * turn in which the event came. What a busy one is owed is kept by object, so there are never more debts than objects.
 */
export class Delivery<T extends KubeObject> {
  readonly #handler: InformerHandler<T>;
  readonly #failed: (error: unknown) => void;
  readonly #debts = new Debts<T>();
  /** A call is under way, or this very turn is inside of one. */
  #isBusy = false;
  #underWay: Promise<void> | undefined;
  #isEnded = false;
  /** The last turn of the first state; undefined while that is not complete. */
  #firstStateEnd: number | undefined;
  #isSynced = false;
  #onSynced: (() => void)[] = [];

  constructor(handler: InformerHandler<T>, failed: (error: unknown) => void) {
    this.#handler = handler;
    this.#failed = failed;
  }

  /** The number of objects with undelivered events. */
  get pending(): number {
    return this.#debts.size;
  }

  /** True once the handler is done with the whole first state. */
  get hasSynced(): boolean {
    return this.#isSynced;
  }

  /** Resolves when `hasSynced` becomes true; never when it was ended before. */
  whenSynced(): Promise<void> {
    return this.#isSynced ? Promise.resolve() : new Promise((resolve) => this.#onSynced.push(resolve));
  }

  /** Delivers an event, now or when the handler is free again. */
  offer(key: string, event: InformerEvent<T>): void {
    if (this.#isEnded || this.#handler[event.type] === undefined) return;
    if (this.#isBusy) {
      this.#debts.owe(key, event);
      return;
    }
    this.#deliver(event);
    // Only what the call itself brought about can be owed here.
    if (!this.#isBusy && this.#debts.size > 0) this.#payOff();
  }

  /** All of the first state has been offered. */
  endFirstState(): void {
    this.#firstStateEnd ??= this.#debts.turn;
    if (!this.#isBusy) this.#checkSynced();
  }

  /** Delivers nothing more. */
  end(): void {
    this.#isEnded = true;
    this.#debts.clear();
  }

  /** Resolves when no call is under way. */
  settled(): Promise<void> {
    return this.#underWay ?? Promise.resolve();
  }

  /** Leaves the handler busy when it gave a promise. */
  #deliver(event: InformerEvent<T>): void {
    this.#isBusy = true;
    let given: unknown;
    try {
      given = this.#call(event);
    } catch (error) {
      this.#failed(error);
    }
    if (isPromiseLike(given)) this.#underWay = this.#wait(given);
    else this.#isBusy = false;
  }

  #call(event: InformerEvent<T>): unknown {
    switch (event.type) {
      case 'add':
        return this.#handler.add?.(event.object, event.isInInitialList);
      case 'update':
        return this.#handler.update?.(event.old, event.object);
      case 'delete':
        return this.#handler.delete?.(event.object, event.finalStateUnknown);
    }
  }

  async #wait(given: PromiseLike<unknown>): Promise<void> {
    try {
      await given;
    } catch (error) {
      this.#failed(error);
    }
    this.#underWay = undefined;
    this.#isBusy = false;
    this.#payOff();
  }

  /** Delivers what is owed until the handler is busy again, or there is nothing more. */
  #payOff(): void {
    for (;;) {
      this.#checkSynced();
      const event = this.#debts.take();
      if (event === undefined) return;
      this.#deliver(event);
      if (this.#isBusy) return;
    }
  }

  /** To be called between two calls: what is taken out but not yet done with is not among the debts. */
  #checkSynced(): void {
    if (this.#isSynced || this.#isEnded || this.#firstStateEnd === undefined) return;
    const { oldestTurn } = this.#debts;
    if (oldestTurn !== undefined && oldestTurn <= this.#firstStateEnd) return;
    this.#isSynced = true;
    for (const resolve of this.#onSynced.splice(0)) resolve();
  }
}
