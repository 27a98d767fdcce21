import type { Kind, Meanings } from './kind.js';
import type { Schema } from './schema.js';
import { wellKnownMeanings } from './well-known.js';

/** Sentences by the words of their keys, so that a place only looks at those that may still be about it. */
interface Branch {
  text?: string;
  readonly children: Map<string, Branch>;
}

const trees = new WeakMap<Meanings, Branch>();

function treeOf(meanings: Meanings): Branch {
  const known = trees.get(meanings);
  if (known !== undefined) return known;
  const root: Branch = { children: new Map() };
  for (const [key, text] of Object.entries({ ...wellKnownMeanings, ...meanings })) {
    let branch = root;
    for (const word of key.split('.')) {
      const next: Branch = branch.children.get(word) ?? { children: new Map() };
      branch.children.set(word, next);
      branch = next;
    }
    branch.text = text;
  }
  trees.set(meanings, root);
  return root;
}

function childrenOf(branches: readonly Branch[], word: string): readonly Branch[] {
  if (branches.length === 0) return branches;
  return branches.flatMap((each) => each.children.get(word) ?? []);
}

const noMeanings: Meanings = {};

/** Stands for any name before a word that means the same wherever it is. */
const ANYWHERE = '*';

/**
 * A place in a definition, seen from everything that has a name around it. The outermost name wins, because it is
 * the most specific: `MachineSet.spec.template` before `MachineTemplate`.
 */
export class Place {
  readonly #tree: Branch;
  /** The meanings of places at or below this one, the outermost first. */
  readonly #branches: readonly Branch[];
  /** Those of them that speak of this place itself, and not of the list or map it is an element of. */
  readonly #own: readonly Branch[];

  private constructor(tree: Branch, branches: readonly Branch[], own: readonly Branch[] = branches) {
    this.#tree = tree;
    this.#branches = branches;
    this.#own = own;
  }

  /** The root of a kind in one version. */
  static root(of: Kind, version: string): Place {
    const tree = treeOf(of.meanings ?? noMeanings);
    return new Place(
      tree,
      [`${of.kind}@${version}`, of.kind, 'Object'].flatMap((name) => tree.children.get(name) ?? []),
    );
  }

  /** A shape wherever it is used. */
  static shape(of: Kind, name: string): Place {
    const tree = treeOf(of.meanings ?? noMeanings);
    return new Place(tree, childrenOf([tree], name));
  }

  /** The place of a property; a word that means the same everywhere is the last resort. */
  property(key: string): Place {
    const branches = childrenOf(this.#branches, key);
    const anywhere = this.#tree.children.get(ANYWHERE)?.children.get(key);
    return new Place(this.#tree, branches, anywhere === undefined ? branches : [...branches, anywhere]);
  }

  /** The place of what a list or a map holds. */
  element(): Place {
    return new Place(this.#tree, this.#branches, []);
  }

  /** The same place, once it is known which shape it has. */
  within(schema: Schema): Place {
    const branch = schema.name === undefined ? undefined : this.#tree.children.get(schema.name);
    if (branch === undefined) return this;
    const ownFirst = this.#own.filter((each) => this.#branches.includes(each));
    const resort = this.#own.filter((each) => !this.#branches.includes(each));
    return new Place(this.#tree, [...this.#branches, branch], [...ownFirst, branch, ...resort]);
  }

  /** The description of the place. */
  meaning(): string | undefined {
    return this.#own.find((each) => each.text !== undefined)?.text;
  }
}
