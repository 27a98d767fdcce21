/** Rules that ask only whether fields are there. */
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { restOf } from './any.js';
import type { Pair, Place } from './schemas.js';

const asked = /\bhas\(\s*self\.([A-Za-z]\w*)\s*\)/g;
/** Counting what is there, as controller-gen writes it. */
const counted = /\.filter\(\s*(\w+)\s*,\s*\1\s*==\s*true\s*\)|\.size\(\)/g;
const glue = /^(?:[\s()[\],!&|=?:<>\d]|\btrue\b|\bfalse\b)*$/;
const most = 8;

/** Whether a field can be there and can be missing in what the live definition gets to see; undefined where it is not known. */
function chancesOf({ live, place, required }: Pair, name: string): readonly boolean[] | undefined {
  const wanted = required.properties?.get(name);
  const given = live.properties?.get(name);
  if (given === undefined || isUncertain(place, name, given) || isUncertain(place, name, wanted)) return undefined;
  if (given.default !== undefined) return [true];
  if (wanted === undefined) return restOf(required) === undefined ? [false] : undefined;
  return required.required.includes(name) ? [true] : [true, false];
}

/** Fields that are excluded, may be null or have another name in rules. */
function isUncertain({ excluded }: Place, name: string, node: SchemaNode | undefined): boolean {
  return name.includes('__') || excluded?.has(name) === true || node?.nullable === true;
}

/** Every choice of what is there. */
function* choices(chances: readonly (readonly [string, readonly boolean[]])[]): Generator<Record<string, true>> {
  const [first, ...rest] = chances;
  if (first === undefined) {
    yield {};
    return;
  }
  const [name, options] = first;
  for (const there of options) {
    for (const others of choices(rest)) yield there ? { ...others, [name]: true } : others;
  }
}

/** Whether a rule that asks for nothing but the presence of fields holds for every object of the required schema. */
export function holdsByPresence(pair: Pair, rule: string): boolean {
  const names = [...new Set([...rule.matchAll(asked)].map(([, name]) => name ?? ''))];
  if (names.length === 0 || names.length > most || !glue.test(rule.replaceAll(asked, ' ').replaceAll(counted, ' ')))
    return false;
  const chances: (readonly [string, readonly boolean[]])[] = [];
  for (const name of names) {
    const options = chancesOf(pair, name);
    if (options === undefined) return false;
    chances.push([name, options]);
  }
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  const schema = new StructuralSchema({ type: 'object', properties, 'x-kubernetes-validations': [{ rule }] });
  return [...choices(chances)].every((object) => schema.validate(object).errors.length === 0);
}
