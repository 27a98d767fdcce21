/**
 * Whether the harm of one finding was done before: every object that the new live schema breaks because of it was broken
 * by the old one, in the same way or worse. What cannot be shown here counts as new.
 */
import type { SchemaNode } from '@capstan/schema';
import { itemsOf, restOf } from '../drafts/any.js';
import type { Draft, Site, Step } from '../drafts/site.js';

/** What is known about an update, as far as schemas of one version go. */
export interface Schemas {
  readonly required: SchemaNode;
  /** The new live schema. */
  readonly live: SchemaNode;
  /** What was wrong before, by requirement. */
  readonly before: readonly Draft[];
  /** What the update breaks for those who rely on the old live CRD. */
  readonly between: readonly Draft[];
}

/** Findings about fields that are dropped. */
const losses: ReadonlySet<string> = new Set([
  'embedded-resource-removed',
  'field-removed',
  'map-became-struct',
  'unknown-fields-pruned',
]);

/** Findings that refuse objects in which the field is not there: what matters is whether its parent is. */
const absences: ReadonlySet<string> = new Set(['required-added', 'required-excluded-field']);

/** Findings about what is filled in or merged: they change objects and refuse none. */
const changes: ReadonlySet<string> = new Set([
  'default-added',
  'default-changed',
  'default-removed',
  'list-map-keys-changed',
  'list-type-changed',
  'map-type-changed',
  'nullable-keeps-null',
]);

function isLoss({ rule }: Draft): boolean {
  return losses.has(rule);
}

function isSameStep(a: Step, b: Step): boolean {
  return a.kind === b.kind && (a.kind !== 'property' || b.kind !== 'property' || a.name === b.name);
}

/** Whether a value at one step may be a value at the other: any value of a map may be that of a named member. */
function mayBeSame(a: Step, b: Step): boolean {
  return isSameStep(a, b) || (a.kind !== 'item' && b.kind !== 'item' && (a.kind === 'value' || b.kind === 'value'));
}

function leadsTo(outer: Site, inner: Site): boolean {
  return outer.length <= inner.length && outer.every((step, at) => isSameStep(step, inner[at] ?? step));
}

/** Whether one site may be the other or lead to it. */
function areRelated(a: Site, b: Site): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, at) => mayBeSame(step, b[at] ?? step));
}

/** Whether a loss removed everything that another one removes. */
function coversLoss(before: Draft, after: Draft): boolean {
  if (!leadsTo(before.site, after.site)) return false;
  if (before.rule === 'field-removed') return true;
  if (before.rule !== 'map-became-struct' && before.rule !== 'unknown-fields-pruned') return false;
  const kept = before.live as readonly string[];
  const step = after.site[before.site.length];
  if (step?.kind === 'property') return !kept.includes(step.name);
  return step?.kind === 'value' && kept.length === 0;
}

function childOf(node: SchemaNode, step: Step): SchemaNode | undefined {
  if (step.kind === 'item') return itemsOf(node);
  return (step.kind === 'property' ? node.properties?.get(step.name) : undefined) ?? restOf(node);
}

/** The nodes on the way to a site, the root first; those that are not there are left out. */
function nodesTo(root: SchemaNode, site: Site): readonly SchemaNode[] {
  const nodes = [root];
  for (const step of site) {
    const child = childOf(nodes.at(-1) ?? root, step);
    if (child === undefined) break;
    nodes.push(child);
  }
  return nodes;
}

const disjoint: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'object', 'string']);

/** Whether every value there was refused: its type was another, and none of its values is one of that type as well. */
function refusedAll({ required, live }: Schemas, draft: Draft, trigger: Site): boolean {
  if (draft.rule !== 'type-changed' || !leadsTo(draft.site, trigger)) return false;
  // With a format the server lets lists pass, whatever the type.
  if ((draft.extent as { readonly format?: string }).format !== undefined) return false;
  if (!disjoint.has(draft.required) || !(disjoint.has(draft.live) || draft.live === 'number')) return false;
  if (draft.required === 'integer' && draft.live === 'number') return false;
  const node = nodesTo(required, draft.site)[draft.site.length];
  if (node === undefined || node.nullable || node.format !== '') return false;
  // A default on the way puts values there in objects that had none.
  return [required, live].every((root) => nodesTo(root, trigger).every((each) => each.default === undefined));
}

/**
 * Whether the update keeps there what the old live schema took and kept: then it breaks nothing that was not broken.
 * A field that was dropped could not be refused, so next to a loss this shows nothing about what is refused.
 */
function isUntouched({ before, between }: Schemas, after: Draft): boolean {
  if (between.some(({ site }) => areRelated(site, after.site))) return false;
  return isLoss(after) || !before.some((draft) => isLoss(draft) && areRelated(draft.site, after.site));
}

/** Whether all that is lost was lost before; a default that is not filled in any more is lost as well. */
export function wasLost({ before }: Schemas, after: Draft): boolean {
  return (
    (isLoss(after) || after.rule === 'default-removed') &&
    before.some((draft) => isLoss(draft) && coversLoss(draft, after))
  );
}

function wasRefused(schemas: Schemas, after: Draft): boolean {
  if (isLoss(after) || changes.has(after.rule)) return false;
  const trigger = absences.has(after.rule) ? after.site.slice(0, -1) : after.site;
  return schemas.before.some((draft) => refusedAll(schemas, draft, trigger));
}

/** Whether the old live schema broke every object that the new one breaks because of this, in the same way or worse. */
export function isCovered(schemas: Schemas, after: Draft): boolean {
  return wasLost(schemas, after) || wasRefused(schemas, after) || isUntouched(schemas, after);
}
