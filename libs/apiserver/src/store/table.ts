import type { History } from './history.js';
import { KeyOrder, type Position, type Slot } from './key-order.js';
import { compareKeys, compareNamespaces } from './keys.js';
import type { Home, Stored } from './stored.js';
import { type ListOptions, type ListResult, RevisionExpired, type StoreEvent } from './types.js';

type Range = readonly [from: Position, to: Position];

/** Everything the store knows of one resource. A fork shares it until one side writes. */
export class ResourceTable {
  readonly home: Home;
  /** The store that may change this table; anybody else clones it first. */
  readonly owner: object;
  readonly history: History;
  readonly #order: KeyOrder;
  readonly #byNamespace = new Map<string, Map<string, Slot>>();
  #count = 0;

  constructor(home: Home, owner: object, history: History, order = new KeyOrder()) {
    this.home = home;
    this.owner = owner;
    this.history = history;
    this.#order = order;
  }

  /** A copy for another owner. */
  clone(owner: object): ResourceTable {
    const slots: Slot[] = [];
    const order = this.#order.clone((slot) => slots.push(slot));
    const copy = new ResourceTable(this.home, owner, this.history.clone(), order);
    for (const slot of slots) copy.#namesIn(slot.stored.namespace).set(slot.stored.name, slot);
    copy.#count = this.#count;
    return copy;
  }

  get count(): number {
    return this.#count;
  }

  get(namespace: string, name: string): Stored | undefined {
    return this.#byNamespace.get(namespace)?.get(name)?.stored;
  }

  /** Makes the event's outcome the latest state and remembers the event. */
  apply(event: StoreEvent): void {
    const { current } = event;
    const names = this.#namesIn(current.namespace);
    if (event.type === 'delete') {
      names.delete(current.name);
      if (names.size === 0) this.#byNamespace.delete(current.namespace);
      this.#order.remove(current);
      this.#count--;
    } else {
      const slot = names.get(current.name);
      if (slot === undefined) this.load(current);
      else slot.stored = current;
    }
    this.history.push(event);
  }

  #namesIn(namespace: string): Map<string, Slot> {
    let names = this.#byNamespace.get(namespace);
    if (names === undefined) this.#byNamespace.set(namespace, (names = new Map()));
    return names;
  }

  /** Puts in a version without an event, as the state history begins with. */
  load(stored: Stored): void {
    this.#namesIn(stored.namespace).set(stored.name, this.#order.insert(stored));
    this.#count++;
  }

  /** The events after the revision, oldest first. */
  eventsSince(revision: number): StoreEvent[] {
    if (revision < this.history.floor) throw new RevisionExpired(revision, this.history.floor);
    return this.history.since(revision);
  }

  /** `revision` is the one to list at: the latest, or one of the past. */
  list(options: ListOptions, revision: number): ListResult {
    const undone = options.revision === undefined ? [] : this.eventsSince(revision);
    const range = this.#range(options);
    if (undone.length > 0) return this.#past(range, undone, options, revision);
    const [from, to] = range;
    const limit = options.limit ?? 0;
    const { filter } = options;
    if (limit <= 0 && filter === undefined) {
      return { items: this.#order.slice(from, to), revision, more: false, remaining: 0 };
    }
    const items: Stored[] = [];
    const next = this.#order.walk(from, to, (stored) => {
      if (filter === undefined || filter(stored)) items.push(stored);
      return limit <= 0 || items.length < limit;
    });
    const remaining = this.#order.distance(next, to);
    return { items, revision, more: remaining > 0, remaining };
  }

  #range({ namespace, after }: ListOptions): Range {
    const within = namespace === undefined || namespace === '' ? undefined : namespace;
    let from = this.#order.start();
    if (after !== undefined && (within === undefined || compareNamespaces(after.namespace, within) >= 0)) {
      from = this.#order.seek((stored) => compareKeys(stored, after) <= 0);
    } else if (within !== undefined) {
      from = this.#order.seek((stored) => compareNamespaces(stored.namespace, within) < 0);
    }
    if (within === undefined) return [from, this.#order.end()];
    const to = this.#order.seek((stored) => compareNamespaces(stored.namespace, within) <= 0);
    return [from, this.#order.distance(from, to) < 0 ? from : to];
  }

  /**
   * The state at a revision of the past, by undoing what came after it: the living versions younger than the revision
   * go, and each key touched since then comes back as the one event has it that knew it at the revision. Looks no further
   * than the page goes, or a client that reads a long list page by page would walk through all of it for each of them.
   */
  #past([from, to]: Range, undone: StoreEvent[], options: ListOptions, revision: number): ListResult {
    const { back, younger } = this.#undo(undone, options, revision);
    const page = new Page(options);
    let index = 0;
    this.#order.walk(from, to, (stored) => {
      if (stored.revision > revision) return true;
      for (let old = back[index]; old !== undefined && compareKeys(old, stored) < 0; old = back[++index]) {
        if (!page.take(old)) return false;
      }
      return page.take(stored);
    });
    while (index < back.length && page.take(back[index] as Stored)) index++;
    const remaining = this.#order.distance(from, to) - younger + back.length - page.seen;
    return { items: page.items, revision, more: remaining > 0, remaining };
  }

  /** The versions of the past that the events replaced, in order, and how many living ones are younger than it. */
  #undo(undone: StoreEvent[], options: ListOptions, revision: number): { back: Stored[]; younger: number } {
    const { namespace = '', after } = options;
    const back: Stored[] = [];
    let younger = 0;
    for (const { current, previous } of undone) {
      if (namespace !== '' && current.namespace !== namespace) continue;
      if (after !== undefined && compareKeys(current, after) <= 0) continue;
      if (previous !== undefined && previous.revision <= revision) back.push(previous);
      if (this.get(current.namespace, current.name) === current) younger++;
    }
    return { back: back.sort(compareKeys), younger };
  }
}

/** Collects what a page shows, until it is full. */
class Page {
  readonly items: Stored[] = [];
  /** Shown or not. */
  seen = 0;
  readonly #limit: number;
  readonly #filter: ListOptions['filter'];

  constructor({ limit = 0, filter }: ListOptions) {
    this.#limit = limit;
    this.#filter = filter;
  }

  /** False when the page is full: this one belongs to the next. */
  take(stored: Stored): boolean {
    if (this.#limit > 0 && this.items.length >= this.#limit) return false;
    this.seen++;
    if (this.#filter === undefined || this.#filter(stored)) this.items.push(stored);
    return true;
  }
}
