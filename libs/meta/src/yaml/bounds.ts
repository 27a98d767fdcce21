/**
 * What the library checks in more than linear time, or not at all: repeated keys, aliases, depth. Its own check of keys
 * compares each with all before it, and its own resolution of an alias walks the whole document.
 */
import type { Alias, CST, Document, Node, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { maxObjectDepth } from '../json/depth.js';

/** Where a document breaks a bound. */
export interface Breach {
  readonly reason: string;
  readonly offset: number;
}

/** So many values may aliases add to a document, however short it is. */
const MAX_ALIASED_VALUES = 100_000;
/** And so many times its own values to a long one. */
const MAX_ALIASED_SHARE = 10;

/**
 * Whether nodes are nested deeper than the composer and the readers of its values, which recurse, can go. A process that
 * runs out of stack in the composer ends: the library compiles regular expressions there, and that cannot fail.
 */
export function depthBreach(tokens: readonly CST.Token[]): Breach | undefined {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxObjectDepth)
      return { reason: `nested more than ${maxObjectDepth} levels deep`, offset: level[0]?.offset ?? 0 };
    level = level.flatMap(below);
  }
  return undefined;
}

function below(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((each) => each !== undefined && each !== null));
}

/** Checks a composed document, and gives each alias its target, so that nothing looks for it again. */
export function documentBreach(document: Document, isManifest = false): Breach | undefined {
  const check = new DocumentCheck(isManifest);
  const { aliased, own } = check.measure(document.contents);
  if (check.breach !== undefined) return check.breach;
  if (aliased <= Math.max(MAX_ALIASED_VALUES, own * MAX_ALIASED_SHARE)) return undefined;
  return { reason: 'aliases stand for too many values', offset: document.contents?.range?.[0] ?? 0 };
}

/** How many values a node has: its own, and those that aliases add. */
interface Size {
  readonly own: number;
  readonly aliased: number;
}

/** As the library words it. */
const UNRESOLVED = 'Unresolved alias (the anchor must be set before the alias)';

const ONE: Size = { own: 1, aliased: 0 };

class DocumentCheck {
  breach: Breach | undefined;
  readonly #anchors = new Map<string, Node>();
  /** Nodes that are measured; one that an alias names and that is not among them holds the alias. */
  readonly #sizes = new Map<Node, Size>();

  /** Of a manifest, keys are texts: JSON has no other. */
  readonly #isManifest: boolean;

  constructor(isManifest: boolean) {
    this.#isManifest = isManifest;
  }

  measure(node: unknown): Size {
    if (this.breach !== undefined) return ONE;
    if (isAlias(node)) return this.#resolve(node);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, node as Node);
    const size = isMap(node) ? this.#measureMap(node) : isSeq(node) ? this.#sum(node.items) : ONE;
    if (anchor !== undefined) this.#sizes.set(node as Node, size);
    return size;
  }

  #measureMap(map: YAMLMap): Size {
    const seen = new Set<unknown>();
    for (const { key } of map.items) {
      const offset = (key as Node | null)?.range?.[0] ?? 0;
      this.#checkKey(isAlias(key) ? this.#anchors.get(key.source) : key, offset);
      if (!isScalar(key)) continue;
      if (seen.has(key.value)) this.#stop('Map keys must be unique', offset);
      seen.add(key.value);
    }
    return this.#sum(map.items.flatMap(({ key, value }) => [key, value]));
  }

  #checkKey(key: unknown, offset: number): void {
    if (isMap(key) || isSeq(key)) this.#stop('Map keys must be scalars', offset);
    const isNull = key === null || key === undefined || (isScalar(key) && key.value === null);
    if (this.#isManifest && isNull) this.#stop('a key must be a text', offset);
  }

  #sum(nodes: readonly unknown[]): Size {
    let [own, aliased] = [1, 0];
    for (const node of nodes) {
      const size = this.measure(node);
      own += size.own;
      aliased += size.aliased;
    }
    return { own, aliased };
  }

  #resolve(alias: Alias): Size {
    const target = this.#anchors.get(alias.source);
    const size = target === undefined ? undefined : this.#sizes.get(target);
    if (target === undefined || size === undefined) {
      const offset = alias.range?.[0] ?? 0;
      this.#stop(
        target === undefined ? `${UNRESOLVED}: ${alias.source}` : `anchor ${alias.source} holds itself`,
        offset,
      );
      return ONE;
    }
    alias.resolve = (_document, context) => {
      // A map that is merged where it stands was never converted under its anchor.
      if (context !== undefined && !context.anchors.has(target))
        context.anchors.set(target, { aliasCount: 0, count: 1, res: target.toJSON(null, context) as unknown });
      return target as ReturnType<Alias['resolve']>;
    };
    return { own: 1, aliased: size.own + size.aliased };
  }

  #stop(reason: string, offset: number): void {
    this.breach ??= { reason, offset };
  }
}
