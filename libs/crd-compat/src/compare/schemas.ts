/** Is every value of one schema safe under another? */
import { cloneJson, deepEqual } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { severityOf } from '../catalogue.js';
import type { Definition } from '../definition.js';
import type { ExclusionTree } from '../selection.js';
import { withoutAllOf } from './all-of.js';
import { compareJunctors } from './junctors.js';
import { compareLists } from './lists.js';
import { compareObjects } from './objects.js';
import { compareRules } from './rules.js';
import { compareScalars, takesNull } from './scalars.js';
import { ABSENT, type Draft, type Site, shownPath } from '../drafts/site.js';
import { compareTypes } from './types.js';

/** Where two nodes are compared. */
export interface Place {
  readonly site: Site;
  readonly excluded: ExclusionTree | undefined;
  /** Whether `apiVersion`, `kind` and `metadata` are kept and checked by the server itself. */
  readonly resource: boolean;
  /** Whether applying replaces the value as a whole, under both schemas: then how its parts are merged does not matter. */
  readonly isReplaced?: boolean;
}

/** Two nodes and their place. */
export interface Pair {
  readonly required: SchemaNode;
  readonly live: SchemaNode;
  readonly place: Place;
}

/** The apiVersion and kind of every object of a version. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The type fields of the objects of a version. */
export function identityOf({ group, names }: Pick<Definition, 'group' | 'names'>, version: string): Identity {
  return { apiVersion: `${group}/${version}`, kind: names.kind };
}

/** A member of objects that is there now where clients of the requirement left it out, by default or as null; or is not any more. */
export interface Filled {
  readonly site: Site;
  readonly isNull: boolean;
  /** Whether a default of an excluded field is not filled in any more. */
  readonly isGone?: boolean;
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
  readonly filled: Filled[] = [];
  readonly minor: number;
  /** The type fields of every object. */
  readonly identity: Identity;

  constructor(minor: number, identity: Identity) {
    this.minor = minor;
    this.identity = identity;
  }

  add(draft: Draft): void {
    this.drafts.push(draft);
  }

  /** Compares two nodes and everything below them. */
  compare(stated: Pair): void {
    if (stated.required.raw === stated.live.raw) return;
    const pair = { ...stated, required: withoutAllOf(stated.required), live: withoutAllOf(stated.live) };
    const retyped = this.retyped.length;
    if (!compareTypes(this, pair)) return;
    this.#compareNull(pair);
    // A null of its own concerns only the nodes around it.
    const filled = this.filled.length;
    this.#compareDefaults(pair);
    compareScalars(this, pair);
    compareLists(this, pair);
    compareObjects(this, pair);
    compareJunctors(this, pair, this.filled.slice(filled));
    compareRules(this, pair, this.retyped.slice(retyped));
  }

  /** Errors alone: for what is no longer described; the rest is reported as one warning. */
  errorsOf(pair: Pair): readonly Draft[] {
    const inner = new SchemaComparison(this.minor, this.identity);
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
      // A default takes the place of null.
      const extent = live.default;
      this.add({ rule: 'nullable-removed', site, message: `${at} may no longer be null`, ...values, extent, trials });
    } else if (required.default !== undefined) {
      const message = `null in ${at} stays null and no longer stands for the default`;
      this.add({ rule: 'nullable-keeps-null', site, message, ...values, trials });
    } else if (site.at(-1)?.kind !== 'item' && !takesNull(live)) {
      const message = `null in ${at} was dropped and is refused now`;
      this.add({ rule: 'nullable-refuses-null', site, message, ...values, trials });
    } else {
      this.filled.push({ site, isNull: true });
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
      this.add({
        rule: 'default-removed',
        site,
        message: `the default of ${at} was removed`,
        required: wanted,
        trials,
      });
    } else if (!deepEqual(wanted, given) && !deepEqual(defaultWithin(required), defaultWithin(live))) {
      const message = `the default of ${at} differs`;
      this.add({ rule: 'default-changed', site, message, required: wanted, live: given, trials });
    }
  }
}
