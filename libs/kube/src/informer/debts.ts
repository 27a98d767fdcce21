import type { KubeObject } from '@capstan/meta';
import { firstOf, withEvent } from './owed.js';
import type { InformerEvent, Owed } from './owed.js';

interface Debt<T extends KubeObject> {
  readonly key: string;
  /** Counts up: a debt has the place of the first event that made it. */
  readonly turn: number;
  owed: Owed<T>;
  before: Debt<T> | undefined;
  after: Debt<T> | undefined;
}

/**
 * What a busy handler is owed, by object, oldest first. A list with links and not the order of the map: a map that
 * is emptied from its front is slow, and one that is walked while it changes keeps every table it ever had.
 */
export class Debts<T extends KubeObject> {
  readonly #byKey = new Map<string, Debt<T>>();
  #first: Debt<T> | undefined;
  #last: Debt<T> | undefined;
  #turn = 0;

  /** The number of objects with undelivered events. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The turn given last. */
  get turn(): number {
    return this.#turn;
  }

  /** The turn of what was owed first; undefined when nothing is. */
  get oldestTurn(): number | undefined {
    return this.#first?.turn;
  }

  /** Owes one event more. */
  owe(key: string, event: InformerEvent<T>): void {
    const debt = this.#byKey.get(key);
    const owed = withEvent(debt?.owed ?? {}, event);
    if (debt === undefined) {
      if (owed !== undefined) this.#append(key, owed);
    } else if (owed === undefined) this.#remove(debt);
    else debt.owed = owed;
  }

  /** Takes the next event to deliver. What else is owed of the same object goes to the end. */
  take(): InformerEvent<T> | undefined {
    const debt = this.#first;
    if (debt === undefined) return undefined;
    this.#remove(debt);
    const { event, rest } = firstOf(debt.owed);
    if (rest !== undefined) this.#append(debt.key, rest);
    return event;
  }

  /** Forgets everything. */
  clear(): void {
    this.#byKey.clear();
    this.#first = this.#last = undefined;
  }

  #append(key: string, owed: Owed<T>): void {
    this.#turn += 1;
    const debt: Debt<T> = { key, turn: this.#turn, owed, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = debt;
    else this.#last.after = debt;
    this.#last = debt;
    this.#byKey.set(key, debt);
  }

  #remove(debt: Debt<T>): void {
    const { before, after } = debt;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.#byKey.delete(debt.key);
  }
}
