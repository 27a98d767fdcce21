/** Places in a schema, and what is found there before it is proved. */
import type { RuleId } from '../catalogue.js';

/** One step down a schema. */
export type Step =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'item' }
  | { readonly kind: 'value' };

/** The way from the root of a schema to a node. */
export type Site = readonly Step[];

export const ITEM: Step = { kind: 'item' };
export const VALUE: Step = { kind: 'value' };

/** Stands for a field that is not there. */
export const ABSENT: unique symbol = Symbol('absent');

/** What a sample must look like besides being good. */
export interface SampleHint {
  /** Exactly so many characters. */
  readonly length?: number;
  /** Exactly so many items. */
  readonly items?: number;
  /** Exactly so many members. */
  readonly members?: number;
  /** The first item stands there twice. */
  readonly repeated?: boolean;
  /** Two items that are the same in some keys and differ in others. */
  readonly itemPair?: { readonly same: readonly string[]; readonly differ: readonly string[] };
  /** A member that is not described. */
  readonly extra?: boolean;
  /** A resource with all that its metadata may hold. */
  readonly metadata?: boolean;
  /** Ways to members that are null. */
  readonly nulls?: readonly (readonly string[])[];
}

/** One thing to try at a site to show that a finding is real. */
export type Trial =
  /** A write with this value there; {@link ABSENT} leaves the field out. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** A write with a sample of the schema there. */
  | { readonly kind: 'sample'; readonly hint?: SampleHint }
  /** Two managers apply a list one after the other; `itemPair` as in a hint, else any two items. */
  | { readonly kind: 'apply-items'; readonly itemPair?: SampleHint['itemPair'] }
  /** Two managers apply different members of an object one after the other. */
  | { readonly kind: 'apply-members' };

/** A finding that is not proved yet. */
export interface Draft {
  readonly rule: RuleId;
  readonly site: Site;
  readonly message: string;
  readonly required?: unknown;
  readonly live?: unknown;
  /** What else of the live schema decides which objects break; part of what makes two findings the same. */
  readonly extent?: unknown;
  /** For errors: what to try, best first; then all kinds of values are. */
  readonly trials?: readonly Trial[];
  /** Text of a rule, whose constants are worth trying. */
  readonly hints?: string;
}

/** A site as `excludedFields` write paths: lists are passed through, values of maps are a star. */
export function pathOf(site: Site): string {
  return site
    .flatMap((step) => (step.kind === 'property' ? [step.name] : step.kind === 'value' ? ['*'] : []))
    .join('.');
}

/** A site for a sentence: `spec.list[].name`, `spec.labels.*`. */
export function shownPath(site: Site): string {
  let text = '';
  for (const step of site) {
    if (step.kind === 'item') text += '[]';
    else text += `${text === '' ? '' : '.'}${step.kind === 'value' ? '*' : step.name}`;
  }
  return text === '' ? 'the object' : text;
}
