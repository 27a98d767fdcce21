/** Types of two nodes. */
import type { SchemaNode } from '@capstan/schema';
import type { Pair, SchemaComparison } from './schemas.js';
import { type Trial, shownPath } from '../drafts/site.js';

function typeOf(node: SchemaNode): string {
  return node.intOrString ? 'integer or string' : node.type === '' ? 'anything' : node.type;
}

const strangers: readonly unknown[] = ['text', 7, 1.5, true, {}, []];

function trialsFor(type: string): readonly Trial[] {
  if (type === 'anything') return strangers.map((value) => ({ kind: 'value', value }));
  if (type === 'integer or string') return ['text', 7].map((value) => ({ kind: 'value', value }));
  if (type === 'number') return [{ kind: 'value', value: 1.5 }, { kind: 'sample' }];
  return [{ kind: 'sample' }];
}

/** Whether every value of the one type is one of the other. */
function isWidened(wanted: string, given: string): boolean {
  if (given === 'anything') return true;
  if (given === 'integer or string') return wanted === 'integer' || wanted === 'string';
  return wanted === 'integer' && given === 'number';
}

/** Compares the types; false where nothing below can be compared any more. */
export function compareTypes(walk: SchemaComparison, { required, live, place }: Pair): boolean {
  const wanted = typeOf(required);
  const given = typeOf(live);
  if (wanted === given) return true;
  const { site } = place;
  const at = shownPath(site);
  const values = { required: wanted, live: given };
  const narrowed = wanted === 'integer or string' && (given === 'integer' || given === 'string');
  if (!isWidened(wanted, given)) {
    const rule = narrowed ? 'int-or-string-narrowed' : 'type-changed';
    const message = `${at} was ${wanted} and is ${given} now`;
    // What else the live schema has there is not compared.
    walk.add({ rule, site, message, ...values, extent: live.raw, trials: trialsFor(wanted) });
    return false;
  }
  // Rules that read the same may answer differently now.
  walk.retyped.push(site);
  if (given === 'anything') {
    // What becomes of objects and lists is for those who look at their members.
    if (wanted !== 'object' && wanted !== 'array') {
      walk.add({ rule: 'type-widened', site, message: `${at} was ${wanted} and may be anything now`, ...values });
    }
  } else if (given === 'number') {
    walk.add({ rule: 'integer-became-number', site, message: `${at} may have a fraction now`, ...values });
  } else {
    const message = `${at} was ${wanted} and may be integer or string now`;
    walk.add({ rule: 'int-or-string-widened', site, message, ...values });
  }
  return true;
}
