/** What changed in one place of a value and below it. */
import { LEAF, openNode } from './field-node.js';
import type { FieldSet, OpenNode } from './field-node.js';
import { union } from './field-set.js';

/** The nodes of what came, what became another and what went. */
export class Change {
  readonly added: FieldSet | undefined;
  readonly modified: FieldSet | undefined;
  readonly removed: FieldSet | undefined;

  constructor(added: FieldSet | undefined, modified: FieldSet | undefined, removed: FieldSet | undefined) {
    this.added = added;
    this.modified = modified;
    this.removed = removed;
  }

  static added(content: FieldSet): Change {
    return content === LEAF ? ADDED : new Change(content, undefined, undefined);
  }

  static removed(content: FieldSet): Change {
    return content === LEAF ? REMOVED : new Change(undefined, undefined, content);
  }

  /** Two changes in the same place. */
  static both(a: Change | undefined, b: Change | undefined): Change | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return new Change(either(a.added, b.added), either(a.modified, b.modified), either(a.removed, b.removed));
  }
}

function either(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  return a === undefined || b === undefined ? (a ?? b) : union(a, b);
}

/** Another value in one place. */
export const MODIFIED = new Change(undefined, LEAF, undefined);
const ADDED = new Change(LEAF, undefined, undefined);
const REMOVED = new Change(undefined, undefined, LEAF);

/** Gathers what changed below a place. */
export class ChangedMembers {
  #added: OpenNode | undefined = undefined;
  #modified: OpenNode | undefined = undefined;
  #removed: OpenNode | undefined = undefined;

  add(element: string, change: Change | undefined): void {
    if (change === undefined) return;
    const { added, modified, removed } = change;
    if (added !== undefined) this.#added = (this.#added ?? openNode(false)).with(element, added);
    if (modified !== undefined) this.#modified = (this.#modified ?? openNode(false)).with(element, modified);
    if (removed !== undefined) this.#removed = (this.#removed ?? openNode(false)).with(element, removed);
  }

  /** Undefined: nothing did. */
  change(): Change | undefined {
    const [added, modified, removed] = [this.#added?.closed(), this.#modified?.closed(), this.#removed?.closed()];
    const isNone = added === undefined && modified === undefined && removed === undefined;
    return isNone ? undefined : new Change(added, modified, removed);
  }
}
