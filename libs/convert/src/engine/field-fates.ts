/** What becomes of each field that an object has, by the claims of a map. */
import type { Step } from './path.js';
import { formatStep, isRecord } from './path.js';
import type { Claim, Fate } from './rule.js';
import { claimSteps } from './unknown-fields.js';

interface FateTree {
  fate?: Fate;
  readonly fields: Map<string, FateTree>;
  items?: FateTree;
  values?: FateTree;
}

function childOf(tree: FateTree, step: string): FateTree {
  if (step === '[]') return (tree.items ??= { fields: new Map() });
  if (step === '{}') return (tree.values ??= { fields: new Map() });
  const found = tree.fields.get(step);
  if (found !== undefined) return found;
  const made: FateTree = { fields: new Map() };
  tree.fields.set(step, made);
  return made;
}

/** A field that an object has, and what becomes of it. */
export interface FieldFate {
  /** As messages show it: `spec.taints[0].key`. */
  readonly path: string;
  readonly fate: Fate;
}

/** The claims of one side, made ready to be asked of objects. */
export class FieldFates {
  readonly #root: FateTree = { fields: new Map() };

  constructor(claims: readonly Claim[]) {
    for (const { fate, path } of claims) {
      let tree = this.#root;
      for (const step of claimSteps(path)) tree = childOf(tree, step);
      tree.fate = fate;
    }
  }

  /** The fields of a value that a rule answers for, in the order of the value; those of no rule are left out. */
  of(value: unknown): FieldFate[] {
    const found: FieldFate[] = [];
    this.#visit(value, (at, fate) => found.push({ path: formatStep(at), fate }));
    return found;
  }

  /** How many fields of a value have which fate: cheaper than to name them. */
  count(value: unknown): Readonly<Partial<Record<Fate, number>>> {
    const counts: Partial<Record<Fate, number>> = {};
    this.#visit(value, (_, fate) => (counts[fate] = (counts[fate] ?? 0) + 1));
    return counts;
  }

  #visit(value: unknown, see: (at: Step | undefined, fate: Fate) => void): void {
    const visit = (tree: FateTree | undefined, inner: unknown, at: Step | undefined): void => {
      if (tree === undefined || inner === undefined || inner === null) return;
      if (tree.fate !== undefined) see(at, tree.fate);
      else if (Array.isArray(inner))
        inner.forEach((item, index) => visit(tree.items, item, { before: at, kind: 'index', name: String(index) }));
      else if (isRecord(inner))
        for (const name in inner)
          visit(tree.values ?? tree.fields.get(name), inner[name], {
            before: at,
            kind: tree.values === undefined ? 'field' : 'key',
            name,
          });
    };
    visit(this.#root, value, undefined);
  }
}
