import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { TranslationError } from '../errors.js';
import type { ReadScalar } from './respell.js';

/** The part of a document's tree that is looked at. */
export type Tree = Node | null | undefined;

/** What the nodes of a document stand for, once every alias is known. */
export class Nodes {
  readonly #targets = new Map<Node, Node>();
  readonly #anchors = new Map<string, Node>();
  #hasAliases = false;

  constructor(root: Tree) {
    this.#read(root);
  }

  /** Whether any part of the document is in it twice. */
  get hasAliases(): boolean {
    return this.#hasAliases;
  }

  /** The node that an alias stands for, or the node itself; nothing for an alias of nobody. */
  resolve(node: Tree): Tree {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  /** The text of a node, if it is a string. */
  text(node: Tree): string | undefined {
    const resolved = this.resolve(node);
    return isScalar(resolved) && typeof resolved.value === 'string' ? resolved.value : undefined;
  }

  /** In the order of the source: an anchor may be given again, and then means the later node. */
  #read(node: Tree): void {
    if (isAlias(node)) {
      this.#hasAliases = true;
      const target = this.#anchors.get(node.source);
      if (target !== undefined) this.#targets.set(node, target);
      return;
    }
    if (isNode(node) && 'anchor' in node && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isSeq(node)) for (const item of itemsOf(node)) this.#read(item);
    if (isMap(node)) {
      for (const { key, value } of pairsOf(node)) {
        this.#read(key);
        this.#read(value);
      }
    }
  }
}

/** The pairs of a mapping. */
export function pairsOf(map: YAMLMap): readonly Pair<Tree, Tree>[] {
  return map.items as Pair<Tree, Tree>[];
}

/** The elements of a sequence. */
export function itemsOf(seq: YAMLSeq): readonly Tree[] {
  return seq.items as Tree[];
}

/** A scalar with its place in the source. */
export function asRead(scalar: Scalar): ReadScalar {
  if (scalar.range === null || scalar.range === undefined)
    throw new TranslationError('UNSUPPORTED', 'a value has no place in the source');
  return scalar as ReadScalar;
}
