/** Whether a map speaks of every field of both sides; that it does so once the map itself makes sure. */
import type { FieldList, Leaf } from './field-list.js';
import { parseFieldList } from './field-list.js';
import type { Claim, Side } from './rule.js';
import { otherSide } from './rule.js';

/** What is wrong with the claims of one side; all empty when they are total. */
export interface SideGaps {
  /** Leaves no rule speaks of. */
  readonly missing: readonly string[];
  /** Claims on fields the schema does not have. */
  readonly stale: readonly string[];
  /** Leaves below a field that is copied as it is, and that the other side does not have, or has otherwise. */
  readonly unequal: readonly string[];
}

/** The gaps of both sides. */
export type TotalityGaps = Readonly<Record<Side, SideGaps>>;

function covers(claim: string, leaf: string): boolean {
  if (!leaf.startsWith(claim)) return false;
  const next = leaf[claim.length];
  return next === undefined || next === '.' || next === '[' || next === '{';
}

/** The leaves below a path, with the path cut off. */
function below(leaves: readonly Leaf[], path: string): Map<string, string> {
  const inside = leaves.filter((leaf) => covers(path, leaf.path));
  return new Map(inside.map((leaf) => [leaf.path.slice(path.length), leaf.type]));
}

function unequalLeaves(claim: Claim, own: readonly Leaf[], others: readonly Leaf[]): string[] {
  if (claim.copiedTo === undefined) return [];
  const there = below(others, claim.copiedTo);
  return [...below(own, claim.path)]
    .filter(([rest, type]) => there.get(rest) !== type)
    .map(([rest]) => `${claim.path}${rest}`);
}

function sideGaps(claims: readonly Claim[], own: readonly Leaf[], others: readonly Leaf[]): SideGaps {
  const missing = own.filter((leaf) => !claims.some((claim) => covers(claim.path, leaf.path)));
  const stale = claims.filter((claim) => !own.some((leaf) => covers(claim.path, leaf.path)));
  return {
    missing: missing.map((leaf) => leaf.path),
    stale: stale.map((claim) => claim.path),
    unequal: claims.flatMap((claim) => unequalLeaves(claim, own, others)),
  };
}

/** Compares what a map claims with what the two schemas have. */
export function totalityGaps(
  claims: Readonly<Record<Side, readonly Claim[]>>,
  fields: Readonly<Record<Side, FieldList>>,
): TotalityGaps {
  const leaves = { left: parseFieldList(fields.left), right: parseFieldList(fields.right) };
  const gaps = (side: Side): SideGaps => sideGaps(claims[side], leaves[side], leaves[otherSide(side)]);
  return { left: gaps('left'), right: gaps('right') };
}
