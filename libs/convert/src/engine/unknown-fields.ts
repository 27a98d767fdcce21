/** Which fields of a source no rule speaks of. */
import type { JsonObject } from '@capstan/meta';
import type { Step } from './path.js';
import { isRecord } from './path.js';
import type { Claim } from './rule.js';

/** The claims of one side by name. `isWhole` where a claim answers for all below. */
export interface ClaimTree {
  isWhole: boolean;
  readonly fields: Map<string, ClaimTree>;
  items?: ClaimTree;
  values?: ClaimTree;
}

function emptyTree(): ClaimTree {
  return { isWhole: false, fields: new Map() };
}

/** The steps of a claim's path: names, `[]` and `{}`. */
export function claimSteps(path: string): string[] {
  const steps = path.match(/"[^"]*"|\[\]|\{\}|[^.[{]+/g) ?? [];
  return steps.map((step) => (step.startsWith('"') ? step.slice(1, -1) : step));
}

function childOf(tree: ClaimTree, step: string): ClaimTree {
  if (step === '[]') return (tree.items ??= emptyTree());
  if (step === '{}') return (tree.values ??= emptyTree());
  let child = tree.fields.get(step);
  if (child === undefined) {
    child = emptyTree();
    tree.fields.set(step, child);
  }
  return child;
}

function isLeaf({ fields, isWhole, items, values }: ClaimTree): boolean {
  return !isWhole && fields.size === 0 && items === undefined && values === undefined;
}

/** Sorts claims into a tree. Two that speak of one field throw: which of them wins would be left to chance. */
export function claimTree(claims: readonly Claim[]): ClaimTree {
  const root = emptyTree();
  for (const claim of claims) {
    let tree = root;
    let isTaken = false;
    for (const step of claimSteps(claim.path)) {
      isTaken ||= tree.isWhole;
      tree = childOf(tree, step);
    }
    if (isTaken || !isLeaf(tree)) throw new RangeError(`two rules speak of ${claim.path}`);
    tree.isWhole = true;
  }
  return root;
}

/** What is wrong with a value where rules read something else, or nothing. */
export interface UnknownField {
  readonly at: Step | undefined;
  readonly message: string;
  /** Nothing is lost without it. */
  readonly isEmpty?: boolean;
}

const UNKNOWN = 'is a field this conversion does not know';

/** Whether a value holds nothing: newer programs write such fields where nobody set them. */
function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.values(value).every((each) => each === null || isEmptyValue(each));
  return value === '';
}

/** Programs in Go read names whatever their case; here they must be as they are written in the CRD. */
function unknownField(at: Step, held: unknown, known: Iterable<string>): UnknownField {
  const wanted = at.name.toLowerCase();
  for (const name of known)
    if (name.toLowerCase() === wanted) return { at, message: `${UNKNOWN}: it is spelled ${name}` };
  if (isEmptyValue(held)) return { at, message: `${UNKNOWN}, and is dropped, as it is empty`, isEmpty: true };
  return { at, message: UNKNOWN };
}

/** Whether a value is, all the way down, what the rules read. Most are, and are looked through without any note taken. */
function isKnown(tree: ClaimTree, value: unknown): boolean {
  if (tree.isWhole || value === null || value === undefined) return true;
  if (Array.isArray(value)) return areKnown(tree.items, value) || isLeaf(tree);
  if (!isRecord(value)) return isLeaf(tree);
  return tree.items === undefined && hasKnownFields(tree, value);
}

function areKnown(items: ClaimTree | undefined, list: readonly unknown[]): boolean {
  if (items === undefined) return false;
  for (let at = 0; at < list.length; at++) if (!isKnown(items, list[at])) return false;
  return true;
}

function hasKnownFields({ fields, values }: ClaimTree, record: JsonObject): boolean {
  for (const name in record) {
    const held = record[name];
    if (held === null || held === undefined) continue;
    const child = values ?? fields.get(name);
    if (child === undefined || !isKnown(child, held)) return false;
  }
  return true;
}

function visit(tree: ClaimTree, value: unknown, at: Step | undefined, found: UnknownField[]): void {
  if (isKnown(tree, value)) return;
  const { items } = tree;
  if (items !== undefined) {
    if (!Array.isArray(value)) found.push({ at, message: 'must be a list' });
    else value.forEach((item, index) => visit(items, item, { before: at, kind: 'index', name: String(index) }, found));
  } else if (isRecord(value)) {
    visitRecord(tree, value, at, found);
  } else {
    found.push({ at, message: 'must be an object' });
  }
}

function visitRecord(tree: ClaimTree, value: JsonObject, at: Step | undefined, found: UnknownField[]): void {
  for (const name of Object.keys(value)) {
    const kind = tree.values === undefined ? 'field' : 'key';
    const child = tree.values ?? tree.fields.get(name);
    const held = value[name];
    if (held === null || held === undefined) continue;
    const step: Step = { before: at, kind, name };
    if (child === undefined) found.push(unknownField(step, held, tree.fields.keys()));
    else visit(child, held, step, found);
  }
}

/** The fields of a value that are in no claim, and the values that are no records or lists where claims have these. */
export function unknownFields(tree: ClaimTree, value: unknown): readonly UnknownField[] {
  if (isKnown(tree, value)) return none;
  const found: UnknownField[] = [];
  visit(tree, value, undefined, found);
  return found;
}

const none: readonly UnknownField[] = [];
