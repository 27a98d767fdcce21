import { cloneJson } from '@capstan/meta';
import { StructuralSchema, admitSchema } from '@capstan/schema';
import { expect, test } from 'vitest';
import { Dice } from './proof/random.js';
import { Sampler } from './proof/samples.js';
import { changeDemands, demand, moved } from './testing-random-implications.js';
import { type Json, nodeOf } from './testing-random-schemas.js';
import { check, widgets } from './testing.js';

const seed = Number(process.env['CAPSTAN_SEED'] ?? 20_261_118);
const wanted = Number(process.env['CAPSTAN_PAIRS'] ?? 5000) / 10;
const SAMPLES = 40;

function definition(spec: Json): object {
  const openAPIV3Schema = { type: 'object', required: ['spec'], properties: { spec } };
  return widgets([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]);
}

/** A spec of few members, one of them a list of objects, with demands. */
function specOf(dice: Dice): Json {
  const item: Json = { type: 'object', properties: { a: nodeOf(dice, -1), b: nodeOf(dice, -1) } };
  const properties: Record<string, Json> = {
    a: nodeOf(dice, -1),
    b: nodeOf(dice, -1),
    c: { type: 'array', maxItems: 3, items: item },
  };
  const spec: Json = { type: 'object', properties };
  if (dice.chance(0.3)) spec['required'] = [dice.pick(['a', 'b', 'c'])];
  for (let count = dice.below(5); count > 0; count--) demand(dice, spec);
  for (const member of Object.values(properties)) if (dice.chance(0.3)) moved(dice, member);
  return spec;
}

/** The spec with new members and other demands, and nothing else. */
function grown(dice: Dice, spec: Json): Json {
  const copy = cloneJson(spec);
  const properties = copy['properties'] as Record<string, Json>;
  properties['d'] = { type: dice.pick(['string', 'boolean', 'integer']) };
  const { items } = properties['c'] as { readonly items: Json };
  (items['properties'] as Record<string, Json>)['d'] = { type: 'string' };
  changeDemands(dice, copy);
  for (const member of Object.values(properties)) if (dice.chance(0.3)) moved(dice, member);
  return copy;
}

function isDifferent(required: Json, live: Json): boolean {
  return ['x-kubernetes-validations', 'oneOf', 'anyOf', 'allOf', 'not'].some(
    (keyword) => live[keyword] !== undefined && JSON.stringify(live[keyword]) !== JSON.stringify(required[keyword]),
  );
}

/** A value of the requirement that the live schema does not take. */
function counterexample(required: Json, live: Json, dice: number): unknown {
  const [before, after] = [new StructuralSchema(required), new StructuralSchema(live)];
  const sampler = new Sampler(dice, 36);
  for (let at = 0; at < SAMPLES; at++) {
    const value = sampler.any(before.root);
    before.prune(value);
    if (before.validate(value).errors.length > 0) continue;
    const { errors } = after.validate(value);
    if (errors.length > 0) return { value, errors };
  }
  return undefined;
}

test(
  `demands that follow from others do for ${wanted} random pairs from seed ${seed} on`,
  { timeout: 3_600_000 },
  () => {
    const counts = { compatible: 0, changed: 0 };
    const lies: string[] = [];
    for (let at = 0, pairs = 0; pairs < wanted; at++) {
      const dice = new Dice(seed + at);
      const required = specOf(dice);
      const live = grown(dice, required);
      const isGood = (schema: Json): boolean =>
        admitSchema({ type: 'object', properties: { spec: schema } }, { path: '' }).length === 0;
      if (!isDifferent(required, live) || !isGood(required) || !isGood(live)) continue;
      pairs++;
      if (check(definition(required), definition(live)).verdict === 'Incompatible') counts.changed++;
      else {
        counts.compatible++;
        const found = counterexample(required, live, seed + at);
        if (found !== undefined)
          lies.push(
            `seed ${seed + at}: ${JSON.stringify(required)} → ${JSON.stringify(live)}: ${JSON.stringify(found)}`,
          );
      }
    }
    expect(lies).toEqual([]);
    expect(Math.min(counts.compatible, counts.changed)).toBeGreaterThan(wanted / 10);
  },
);
