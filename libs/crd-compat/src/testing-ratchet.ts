/** Updates of random CRDs that violate a requirement, held to what becomes of objects under all three schemas. */
import { cloneJson } from '@capstan/meta';
import { StructuralSchema, admitSchema } from '@capstan/schema';
import { harmOf, isNoWorse } from './proof/harm.js';
import { Dice } from './proof/random.js';
import { Sampler } from './proof/samples.js';
import type { Side } from './proof/server.js';
import { type Json, changed, objectOf, rootOf } from './testing-random-schemas.js';
import { check, definitionOf, freshErrors } from './testing.js';

/** What came of a run. */
export interface RatchetRun {
  readonly updates: number;
  /** Updates after which an object is worse off, all of which must be refused. */
  readonly worse: number;
  /** Repairs in part, and how many of them were refused. */
  readonly repairs: number;
  readonly refusedRepairs: readonly string[];
  /** Updates that were admitted although an object is worse off. */
  readonly admittedWorse: readonly string[];
}

const objects = 24;
const identity = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'b' } };

function sideOf(schema: Json): Side {
  return { schema: new StructuralSchema(schema), hasStatus: false };
}

/** An object that is worse off under the new live schema than under the old one. */
function worseOff(seed: number, required: Json, old: Json, live: Json): object | undefined {
  const [wanted, before, after] = [sideOf(required), sideOf(old), sideOf(live)] as const;
  const sampler = new Sampler(seed, wanted.schema.minor);
  for (let at = 0; at < objects; at++) {
    const object = { ...(sampler.any(wanted.schema.root) as object), ...identity };
    const attempt = { request: { verb: 'create', object } } as const;
    const [first, second] = [before, after].map((side) => harmOf(wanted, side, attempt, () => undefined));
    if (first !== undefined && second !== undefined && !isNoWorse(second, first)) return object;
  }
  return undefined;
}

type Members = Record<string, Json>;

function membersOf(node: Json): Members {
  return (node['properties'] as Members | undefined) ?? {};
}

function withMembers(node: Json, properties: Members): Json {
  const required = ((node['required'] as string[] | undefined) ?? []).filter((name) => Object.hasOwn(properties, name));
  return { ...node, properties, required };
}

/** The requirement with some members as the old live schema has them: between the two. */
function partly(dice: Dice, required: Json, old: Json): Json {
  const [wanted, given] = [membersOf(required), membersOf(old)];
  const properties: Members = {};
  for (const [name, member] of Object.entries(wanted)) {
    const other = given[name];
    if (dice.chance(0.5)) properties[name] = member;
    else if (other !== undefined) properties[name] = other;
  }
  return withMembers(required, properties);
}

/** The requirement with every member changed or removed by itself. */
function damaged(dice: Dice, required: Json): Json {
  const properties: Members = {};
  for (const [name, member] of Object.entries(membersOf(required))) {
    const kind = dice.below(3);
    if (kind === 0) properties[name] = member;
    else if (kind === 1 && member['default'] === undefined) properties[name] = changed(dice, member);
  }
  return withMembers(required, properties);
}

/** The member with some of its own members removed. */
function thinned(dice: Dice, node: Json): Json {
  const kept = Object.entries(membersOf(node)).filter(() => dice.chance(0.5));
  return withMembers(node, Object.fromEntries(kept));
}

/** Keywords that look at all members at once: with them the loss of one member can be more than that. */
const overMembers = [
  'anyOf',
  'enum',
  'maxProperties',
  'not',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
];

/** The old live schema lost members; the new one has them again, less some of their own. */
function restored(dice: Dice, required: Json): { readonly old: Json; readonly live: Json } {
  const wanted = membersOf(required);
  const structs = Object.entries(wanted).filter(
    ([, node]) => node['properties'] !== undefined && !overMembers.some((key) => node[key] !== undefined),
  );
  const kept = Object.entries(wanted).filter(([name]) => !structs.some(([other]) => other === name));
  const back = structs.map(([name, node]): [string, Json] => [name, thinned(dice, node)]);
  return {
    old: withMembers(required, Object.fromEntries(kept)),
    live: withMembers(required, { ...wanted, ...Object.fromEntries(back) }),
  };
}

function isAdmitted(schema: Json): boolean {
  return admitSchema(schema, { path: 'spec.validation' }).length === 0;
}

interface Case {
  readonly required: Json;
  readonly old: Json;
  readonly live: Json;
  readonly isRepair: boolean;
}

/** Schemas of the spec of one requirement and of two live CRDs. */
function caseOf(dice: Dice): Case {
  const required = objectOf(dice, 1);
  for (const key of overMembers) delete required[key];
  const kind = dice.below(4);
  if (kind === 0) {
    const old = damaged(dice, required);
    return { required, old, live: partly(dice, required, old), isRepair: true };
  }
  if (kind === 1) return { required, ...restored(dice, required), isRepair: true };
  const old = changed(dice, required);
  return { required, old, live: kind === 2 ? changed(dice, old) : changed(dice, required), isRepair: false };
}

/** Updates from a seed on. */
export function ratchetRun(seed: number, count: number): RatchetRun {
  const run = { updates: 0, worse: 0, repairs: 0, refusedRepairs: [] as string[], admittedWorse: [] as string[] };
  for (let at = seed; run.updates < count; at++) {
    const dice = new Dice(at);
    const { isRepair, ...specs } = caseOf(dice);
    const [required, old, live] = [specs.required, specs.old, specs.live].map((spec) =>
      rootOf(new Dice(at), cloneJson(spec)),
    ) as [Json, Json, Json];
    if (![required, old, live].every(isAdmitted)) continue;
    const definitions = [required, old, live].map(definitionOf) as [object, object, object];
    if (check(definitions[0], definitions[1]).verdict !== 'Incompatible') continue;
    run.updates++;
    const fresh = freshErrors(...definitions);
    const worse = worseOff(at, required, old, live);
    const about = `seed ${at}: ${JSON.stringify(specs)}`;
    if (worse !== undefined) {
      run.worse++;
      if (fresh.length === 0) run.admittedWorse.push(`${about} is admitted, but worse for ${JSON.stringify(worse)}`);
    } else if (isRepair) {
      run.repairs++;
      if (fresh.length > 0)
        run.refusedRepairs.push(`${about} is refused: ${fresh.map(({ message }) => message).join('; ')}`);
    }
  }
  return run;
}
