import { pushAll } from '@capstan/meta';
import type { Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { TranslationError } from '../errors.js';
import type { Shape, TextChange, Verdict } from '../json/shape.js';
import { UNTOUCHED } from '../json/shape.js';
import { removal } from './removal.js';
import { respell, written } from './respell.js';
import type { Splice } from './splice.js';
import type { Tree } from './tree.js';
import { Nodes, asRead, itemsOf, pairsOf } from './tree.js';

const BINARY = 'tag:yaml.org,2002:binary';
const MERGE = '<<';

interface AliasOfScalar {
  readonly alias: Node;
  readonly target: Scalar;
  readonly shape: Shape;
}

/** Goes through one document along a shape, and notes what is to change in its source. */
export class Visitor {
  readonly #source: string;
  readonly #nodes: Nodes;
  readonly #splices: Splice[] = [];
  /** What each node was visited as: no more is done for a node that is meant a thousand times. */
  readonly #visited = new Map<Node, Set<Shape>>();
  /** What each scalar came to say. */
  readonly #changes = new Map<Node, string>();
  /** Aliases of scalars, which are looked at when it is known what their anchors say. */
  readonly #aliases: AliasOfScalar[] = [];

  constructor(source: string, root: Tree) {
    this.#source = source;
    this.#nodes = new Nodes(root);
  }

  /** All that is to change when the root has this shape. */
  splices(root: Tree, shape: Shape): readonly Splice[] {
    this.#visit(root, shape);
    for (const alias of this.#aliases) this.#alias(alias);
    return this.#splices;
  }

  #visit(node: Tree, shape: Shape): void {
    const target = this.#nodes.resolve(node);
    if (target === null || target === undefined) return;
    if (isAlias(node) && isScalar(target)) {
      this.#aliases.push({ alias: node, target, shape });
      return;
    }
    // Without aliases nothing below can be meant from elsewhere.
    if (!this.#nodes.hasAliases && Object.keys(shape).length === 0) return;
    const shapes = this.#visited.get(target) ?? new Set();
    if (shapes.has(shape)) return;
    this.#visited.set(target, shapes.add(shape));
    if (isScalar(target)) this.#scalar(target, shape.text);
    else if (isMap(target)) this.#map(target, this.#chosen(target, shape));
    else if (isSeq(target)) this.#seq(target, shape);
  }

  /** A scalar, wherever it is written or meant; it can say one thing only. */
  #scalar(scalar: Scalar, change: TextChange | undefined): void {
    const text = this.#nodes.text(scalar);
    if (text === undefined) return;
    const changed = changedText(scalar, text, change);
    const earlier = this.#changes.get(scalar);
    if (earlier === changed) return;
    if (earlier !== undefined)
      throw new TranslationError(
        'UNSUPPORTED',
        `${JSON.stringify(text)} is meant by an alias both where groups are renamed and where they are not; write it out`,
      );
    this.#changes.set(scalar, changed);
    if (changed !== text) pushAll(this.#splices, respell(this.#source, asRead(scalar), text, changed));
  }

  /** An alias stays one if its anchor has the wanted text, and is written out otherwise. */
  #alias({ alias, target, shape }: AliasOfScalar): void {
    const text = this.#nodes.text(target) ?? '';
    const wanted = changedText(target, text, shape.text);
    if (wanted === (this.#changes.get(target) ?? text)) return;
    const [start = 0, end = 0] = alias.range ?? [];
    this.#splices.push({ start, end, text: written(wanted) });
  }

  #map(map: YAMLMap, shape: Shape): void {
    for (const { key, value } of pairsOf(map)) {
      const name = this.#nodes.text(key);
      if (name === MERGE) {
        this.#merge(value, shape);
        continue;
      }
      if (name !== undefined && shape.decideByKey?.(name) === 'drop')
        throw new TranslationError('UNSUPPORTED', 'a member that is hidden cannot be taken out of YAML; ask for JSON');
      this.#visit(key, shape.keys === undefined ? UNTOUCHED : { text: shape.keys });
      this.#visit(value, (name === undefined ? undefined : shape.members?.get(name)) ?? shape.others ?? UNTOUCHED);
    }
  }

  /** What is merged into a mapping has the places of its members. */
  #merge(value: Tree, shape: Shape): void {
    const target = this.#nodes.resolve(value);
    if (isSeq(target)) for (const item of itemsOf(target)) this.#visit(item, shape);
    else this.#visit(value, shape);
  }

  #seq(seq: YAMLSeq, shape: Shape): void {
    const items = itemsOf(seq);
    const places = items.map((_, index) => shape.sequence?.[index] ?? shape.items ?? UNTOUCHED);
    const dropped = items.map((item, index) => this.#isDropped(item, places[index] ?? UNTOUCHED));
    pushAll(this.#splices, removal(seq, dropped));
    for (const [index, item] of items.entries()) {
      if (dropped[index] !== true) this.#visit(item, places[index] ?? UNTOUCHED);
    }
  }

  /** The shape that members of the mapping choose for it, wherever among them they are. */
  #chosen(map: YAMLMap, shape: Shape): Shape {
    for (const { key, value } of pairsOf(map)) {
      const name = this.#nodes.text(key);
      const place = name === undefined ? undefined : shape.members?.get(name);
      const chosen = this.#chosenBy(value, place);
      if (chosen !== undefined) return chosen;
    }
    return shape;
  }

  #chosenBy(value: Tree, place: Shape | undefined): Shape | undefined {
    const text = this.#nodes.text(value);
    if (text !== undefined) return place?.chooseUp === 2 ? undefined : place?.choose?.(text);
    return place?.items?.chooseUp === 2 ? this.#chosenByItems(this.#nodes.resolve(value), place.items) : undefined;
  }

  #chosenByItems(list: Tree, { choose }: Shape): Shape | undefined {
    if (!isSeq(list)) return undefined;
    for (const item of itemsOf(list)) {
      const chosen = choose?.(this.#nodes.text(item) ?? '');
      if (chosen !== undefined) return chosen;
    }
    return undefined;
  }

  #isDropped(element: Tree, shape: Shape): boolean {
    return shape.filtered === true && this.#verdict(element, shape) === 'drop';
  }

  /** The first verdict that is given within the element. */
  #verdict(node: Tree, shape: Shape): Verdict {
    const text = this.#nodes.text(node);
    if (text !== undefined) return shape.decide?.(text);
    if (!isMap(node) || shape.members === undefined) return undefined;
    for (const { key, value } of pairsOf(node)) {
      const member = shape.members.get(this.#nodes.text(key) ?? '');
      const verdict = member === undefined ? undefined : this.#verdict(value, member);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }
}

function changedText({ tag }: Scalar, text: string, change: TextChange | undefined): string {
  if (change === undefined) return text;
  if (tag === BINARY)
    throw new TranslationError('UNSUPPORTED', 'a value that is !!binary stands where a group may be; write it as text');
  return change(text);
}
