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

/** A part of a source that no rule can have read. */
export interface Unread {
  readonly at: Step;
  /** `field`: no claim speaks of it. Else what was expected there, as all claims are on what is in such a one. */
  readonly expected: 'field' | 'list' | 'object';
}

const isList = (tree: ClaimTree): boolean => tree.items !== undefined && tree.fields.size === 0;

function visit(tree: ClaimTree, value: unknown, at: Step | undefined, found: Unread[]): void {
  const { items } = tree;
  if (items !== undefined && Array.isArray(value)) {
    value.forEach((item, index) => {
      if (!items.isWhole) visit(items, item, { before: at, kind: 'index', name: String(index) }, found);
    });
  } else if (isRecord(value) && !isList(tree)) {
    visitRecord(tree, value, at, found);
  } else if (at !== undefined) {
    found.push({ at, expected: isList(tree) ? 'list' : 'object' });
  }
}

function visitRecord(tree: ClaimTree, value: JsonObject, at: Step | undefined, found: Unread[]): void {
  for (const name in value) {
    const kind = tree.values === undefined ? 'field' : 'key';
    const child = tree.values ?? tree.fields.get(name);
    const held = value[name];
    if (child?.isWhole === true || held === null || held === undefined) continue;
    const step: Step = { before: at, kind, name };
    if (child === undefined) found.push({ at: step, expected: 'field' });
    else visit(child, held, step, found);
  }
}

/** The parts of a value that are in no claim, or cannot hold what is. */
export function unknownFields(tree: ClaimTree, value: unknown): Unread[] {
  const found: Unread[] = [];
  visit(tree, value, undefined, found);
  return found;
}
