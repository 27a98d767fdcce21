/** Is every value of one schema safe under another? */
import { cloneJson, deepEqual } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { severityOf } from '../catalogue.js';
import type { ExclusionTree } from '../selection.js';
import { compareJunctors } from './junctors.js';
import { compareLists } from './lists.js';
import { compareObjects } from './objects.js';
import { compareRules } from './rules.js';
import { compareScalars } from './scalars.js';
import { ABSENT, type Draft, type Site, shownPath } from './site.js';
import { compareTypes } from './types.js';

/** Where two nodes are compared. */
export interface Place {
  readonly site: Site;
  readonly excluded: ExclusionTree | undefined;
  /** Whether `apiVersion`, `kind` and `metadata` are kept and checked by the server itself. */
  readonly resource: boolean;
}

/** Two nodes and their place. */
export interface Pair {
  readonly required: SchemaNode;
  readonly live: SchemaNode;
  readonly place: Place;
}

/** A field whose values rules see with another type. */
export type Retyped = Site;

function defaultWithin(node: SchemaNode): unknown {
  const value = cloneJson(node.default);
  new StructuralSchema(node.raw, {}).applyDefaults(value);
  return value;
}

/** One walk over two schemas. */
export class SchemaComparison {
  readonly drafts: Draft[] = [];
  readonly retyped: Retyped[] = [];
  /** Objects that get members the requirement does not know, by default. */
  readonly filled: Site[] = [];
  readonly minor: number;

  constructor(minor: number) {
    this.minor = minor;
  }

  add(draft: Draft): void {
    this.drafts.push(draft);
  }

  /** Compares two nodes and everything below them. */
  compare(pair: Pair): void {
    const { required, live } = pair;
    if (required.raw === live.raw) return;
    const retyped = this.retyped.length;
    const filled = this.filled.length;
    if (!compareTypes(this, pair)) return;
    this.#compareNull(pair);
    this.#compareDefaults(pair);
    compareScalars(this, pair);
    compareLists(this, pair);
    compareObjects(this, pair);
    compareJunctors(this, pair, this.filled.slice(filled));
    compareRules(this, pair, this.retyped.slice(retyped));
  }

  /** Errors alone: for what is no longer described, where one warning says the rest. */
  errorsOf(pair: Pair): readonly Draft[] {
    const inner = new SchemaComparison(this.minor);
    inner.compare(pair);
    for (const site of inner.retyped) this.retyped.push(site);
    return inner.drafts.filter(({ rule }) => severityOf(rule) === 'error');
  }

  #compareNull({ required, live, place }: Pair): void {
    if (required.nullable === live.nullable) return;
    const { site } = place;
    const at = shownPath(site);
    const values = { required: required.nullable, live: live.nullable };
    const trials = [{ kind: 'value', value: null }] as const;
    if (required.nullable) {
      this.add({ rule: 'nullable-removed', site, message: `${at} may no longer be null`, ...values, trials });
    } else if (required.default !== undefined) {
      const message = `null in ${at} stays null and no longer stands for the default`;
      this.add({ rule: 'nullable-keeps-null', site, message, ...values, trials });
    } else {
      this.add({ rule: 'nullable-added', site, message: `${at} may be null now`, ...values });
    }
  }

  /** What is filled in where the field is left out. */
  #compareDefaults({ required, live, place }: Pair): void {
    const wanted = required.default;
    const given = live.default;
    if (wanted === undefined && given === undefined) return;
    const { site } = place;
    const at = shownPath(site);
    const last = site.at(-1);
    const trials = [{ kind: 'value', value: last?.kind === 'property' ? ABSENT : null }] as const;
    if (wanted === undefined) {
      this.add({ rule: 'default-added', site, message: `${at} has a default now`, live: given, trials });
    } else if (given === undefined) {
      this.add({ rule: 'default-removed', site, message: `the default of ${at} is gone`, required: wanted, trials });
    } else if (!deepEqual(wanted, given) && !deepEqual(defaultWithin(required), defaultWithin(live))) {
      const message = `the default of ${at} differs`;
      this.add({ rule: 'default-changed', site, message, required: wanted, live: given, trials });
    }
  }
}
