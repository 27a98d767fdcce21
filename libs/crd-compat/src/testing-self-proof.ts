/** The checker against itself: a verdict on random schemas, held to what really becomes of objects. */
import { cloneJson } from '@capstan/meta';
import { type SchemaNode, StructuralSchema, admitSchema } from '@capstan/schema';
import { type Definition, readDefinition } from './definition.js';
import { compareAnswers } from './proof/definition-server.js';
import { type Request, harmOf } from './proof/harm.js';
import { Dice } from './proof/random.js';
import { Sampler } from './proof/samples.js';
import { type Side, compareResponses } from './proof/server.js';
import type { Witness } from './report.js';
import { type Json, changed, objectOf, rootOf } from './testing-random-schemas.js';
import { check, definitionOf } from './testing.js';

/** What came of a run. */
export interface SelfProof {
  readonly pairs: number;
  readonly compatible: number;
  readonly errors: number;
  readonly unproved: number;
  /** What must never be: the seed of a pair and what is wrong with its verdict. */
  readonly lies: readonly string[];
}

function isAdmitted(schema: Json): boolean {
  return admitSchema(schema, { path: 'spec.validation' }).length === 0;
}

/** Sets some members to null: where null is not permitted, clients rely on it that it is dropped. */
function withNulls(dice: Dice, node: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = { ...(value as Json) };
  for (const [name, member] of node.properties ?? []) {
    if (!member.nullable && member.default === undefined && dice.chance(0.15)) object[name] = null;
    else if (Object.hasOwn(object, name)) object[name] = withNulls(dice, member, object[name]);
  }
  return object;
}

/** That a null is kept which was dropped is a warning, and no lie. */
function isKeptNull(outcome: ReturnType<typeof compareResponses>): boolean {
  return outcome?.kind === 'changed' && outcome.expected === undefined && outcome.got === null;
}

const minor = 36;
const objects = 12;
const noLens = (): void => undefined;

/** An object of the requirement that the live side does not take as it is. */
function counterexample(required: Side, live: Side, seed: number): string | undefined {
  const sampler = new Sampler(seed, required.schema.minor);
  const identity = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'b' } };
  let before: unknown;
  for (let at = 0; at < objects; at++) {
    const sample = sampler.any(required.schema.root);
    const object = {
      ...((at % 3 === 2 ? withNulls(sampler.dice, required.schema.root, sample) : sample) as object),
      ...identity,
    };
    // A null that is applied and kept takes the place of a value: a warning as well.
    const verbs = at % 3 === 2 ? (['update'] as const) : (['update', 'apply'] as const);
    for (const attempt of [
      { request: { verb: 'create', object } as const },
      ...(before === undefined ? [] : verbs.map((verb) => ({ before, request: { verb, object } }))),
    ]) {
      const outcome = compareResponses(required, live, attempt, noLens);
      if (outcome !== undefined && !isKeptNull(outcome))
        return `${JSON.stringify(attempt)} is ${JSON.stringify(outcome)}`;
    }
    before = cloneJson(object);
  }
  return undefined;
}

/** What is wrong with a witness when it is sent to both CRDs. */
function wrongOf(
  proof: Witness,
  sides: readonly [Side, Side],
  definitions: readonly [Definition, Definition],
): string | undefined {
  const attempt = { before: proof.before, request: proof.request as Request };
  const harm = harmOf(...sides, attempt, noLens);
  if (harm === undefined) return 'has a witness that the requirement does not take';
  const answered = compareAnswers(...definitions, proof, noLens);
  const { outcome } = proof;
  const isRejected = answered?.kind === 'rejected';
  if (answered === undefined || isRejected !== (outcome.kind === 'rejected'))
    return 'has a witness that shows something else';
  if (outcome.kind === 'rejected') return undefined;
  // Where several places differ it is one of them.
  const paths = outcome.kind === 'pruned' ? outcome.paths : [outcome.path];
  const isThere = (path: string): boolean => harm.differences.some((each) => path.startsWith(each.path));
  return paths.every(isThere) ? undefined : 'has a witness that differs elsewhere';
}

/** Checks one pair; adds to the counts. */
function prove(
  seed: number,
  counts: { compatible: number; errors: number; unproved: number; lies: string[] },
): boolean {
  const dice = new Dice(seed);
  const wanted = rootOf(dice, objectOf(dice, seed % 4 === 0 ? 2 : 1));
  const { spec } = wanted['properties'] as { readonly spec: Json };
  const given = rootOf(dice, changed(dice, spec));
  if (!isAdmitted(wanted) || !isAdmitted(given)) return false;
  const { findings, verdict } = check(definitionOf(wanted), definitionOf(given));
  const definitions = [
    readDefinition(definitionOf(wanted), minor),
    readDefinition(definitionOf(given), minor),
  ] as const;
  const required: Side = { schema: new StructuralSchema(wanted), hasStatus: false };
  const live: Side = { schema: new StructuralSchema(given), hasStatus: false };
  const about = `seed ${seed}: ${JSON.stringify(wanted)} → ${JSON.stringify(given)}`;
  if (verdict !== 'Incompatible') {
    counts.compatible++;
    const found = counterexample(required, live, seed);
    if (found !== undefined) counts.lies.push(`${about} is called ${verdict}, but ${found}`);
  }
  for (const { proof, rule, severity } of findings) {
    if (severity !== 'error') continue;
    counts.errors++;
    if (proof === 'cannot be proved') counts.unproved++;
    else {
      const wrong = proof === undefined ? 'has no proof' : wrongOf(proof, [required, live], definitions);
      if (wrong !== undefined) counts.lies.push(`${about}: ${rule} ${wrong}: ${JSON.stringify(proof)}`);
    }
  }
  return true;
}

/** Proves so many pairs, from a seed on. */
export function selfProof(seed: number, pairs: number): SelfProof {
  const counts = { compatible: 0, errors: 0, unproved: 0, lies: [] as string[] };
  let proved = 0;
  for (let at = 0; proved < pairs; at++) if (prove(seed + at, counts)) proved++;
  return { pairs: proved, ...counts };
}
