import { systemRandom } from '@capstan/kube';
import type { Random } from '@capstan/meta';
import { compile, dynType, kubernetesEnv } from '@capstan/schema';
import type { Backend } from '../../src/conformance/servers.js';
import { CRDS, definition, dismiss, givenDefinition, objectsPath, specVersion } from '../../src/conformance/crds.js';
import { POLICIES, binding, constraints, enforced, policy, withdrawn } from '../../src/conformance/policies.js';
import { chance, pick } from '../spoil.js';
import { ask, sessionOf, type CelFinding, type Sides } from './ask.js';
import { DATA, PROPERTIES } from './data.table.js';
import { randomExpression } from './expressions.js';

export interface CelRoundOptions {
  readonly real: Backend;
  readonly ours: Backend;
  readonly seed: number;
  /** How many expressions there are of either sort. */
  readonly typed: number;
  readonly dynamic: number;
  readonly onFinding?: (finding: CelFinding) => void;
}

export interface CelRoundReport {
  readonly asked: number;
  readonly findings: readonly CelFinding[];
}

interface Drawn {
  readonly at: number;
  readonly expression: string;
  readonly random: Random;
  /** How often it stands in the loop that measures its cost; undefined where the cost is not measured. */
  readonly repeats?: number | undefined;
}

type Report = (drawn: Drawn, asked: Awaited<ReturnType<typeof ask>>) => void;

const PANIC = 'a real server that panics ends the connection';
/** How many are asked at once. */
const AT_ONCE = 4;
/** How many expressions one policy has. */
const PER_POLICY = 60;
/** Of a hundred expressions so many have their cost measured. */
const MEASURED = 5;
/** What a turn of the measuring loop should cost: few turns are fast, and many are more exact. */
const COST_PER_TURN = 500;
const COST_LIMIT = 1_000_000;

/** Never holds, and reports the value in its message. */
function revealing(expression: string): { readonly rule: string; readonly messageExpression: string } {
  return { rule: `[${expression}].size() == 0`, messageExpression: `'%s'.format([[${expression}]])` };
}

/** Rules are tried on defaults when a CRD comes; inside a list of many the estimate counts as often. */
function typedBody({ expression, random }: Drawn): unknown {
  const rules = { 'x-kubernetes-validations': [revealing(expression)] };
  const spec = { type: 'object', properties: PROPERTIES, ...rules };
  const many = { type: 'array', maxItems: pick(random, [1, 100, 10_000, 1_000_000]), items: spec };
  return definition('things', { versions: [specVersion({ one: { ...spec, default: DATA }, many })] });
}

async function askTyped(sides: Sides, drawn: readonly Drawn[], report: Report): Promise<void> {
  const waiting = [...drawn];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      report(next, await ask(sides, `${CRDS}?dryRun=All`, typedBody(next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const DYNAMIC_ROOT = 'object.spec';
const TARGET = `${objectsPath('things')}?dryRun=All`;

/** Each is about the objects that name its place alone; negative places measure the cost. */
function validations(drawn: Drawn): { expression: string; messageExpression?: string }[] {
  const { at, expression, repeats } = drawn;
  const { rule, messageExpression } = revealing(expression);
  const validation = { expression: `object.spec.place != ${at} || ${rule}`, messageExpression };
  return repeats === undefined ? [validation] : [validation, { expression: loop(at, expression, repeats) }];
}

/** Runs as often as a field of the object asks. */
function loop(at: number, expression: string, repeats: number): string {
  const list = `[${Array(repeats).fill(expression).join(', ')}]`;
  return `object.spec.place != -${at} || lists.range(object.spec.turns).all(turn, ${list}.size() == ${repeats})`;
}

function thing(place: number, turns = 0): Record<string, unknown> {
  return {
    apiVersion: '{ns}.example.com/v1',
    kind: 'Thing',
    metadata: { name: 'thing' },
    spec: { ...DATA, place, turns },
  };
}

/** What so many turns cost by our own account; undefined for what does not compile. */
function costOf(at: number, source: string, turns: number): number | undefined {
  const { program } = compile(source, kubernetesEnv.extend({ variables: { object: dynType } }));
  const budget = { remaining: COST_LIMIT };
  program?.evaluate({ object: thing(-at, turns) }, budget);
  return program && COST_LIMIT - budget.remaining;
}

/** What one turn costs, and the constant cost around all of them. */
function costs(at: number, source: string): { readonly base: number; readonly turn: number } | undefined {
  const [one, two] = [costOf(at, source, 1), costOf(at, source, 2)];
  return one === undefined || two === undefined ? undefined : { base: 2 * one - two, turn: two - one };
}

/** How often an expression has to stand in a turn; undefined for one that is not measured. */
function repeatsOf(random: Random, at: number, expression: string): number | undefined {
  if (!chance(random, MEASURED)) return undefined;
  const { turn = 0 } = costs(at, loop(at, expression, 1)) ?? {};
  const repeats = Math.ceil(COST_PER_TURN / turn);
  const { turn: whole = 0 } = turn <= 0 || turn > COST_PER_TURN ? {} : (costs(at, loop(at, expression, repeats)) ?? {});
  // An error ends a turn where it is; a real server takes minutes for tens of thousands of turns.
  return whole < COST_PER_TURN / 2 ? undefined : repeats;
}

/** How many turns we say the limit allows. */
function turnsAllowed({ at, expression, repeats = 1 }: Drawn): number {
  const { base, turn } = costs(at, loop(at, expression, repeats)) ?? { base: 0, turn: COST_LIMIT };
  return Math.floor((COST_LIMIT - base) / turn);
}

async function askPlaces(sides: Sides, drawn: Drawn, report: Report): Promise<void> {
  report(drawn, await ask(sides, TARGET, thing(drawn.at)));
  if (drawn.repeats === undefined) return;
  const turns = turnsAllowed(drawn);
  for (const times of [turns, turns + 1]) report(drawn, await ask(sides, TARGET, thing(-drawn.at, times)));
}

function thingsPolicy(name: string, drawn: readonly Drawn[]): Record<string, unknown> {
  const rule = { apiGroups: ['{ns}.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] };
  return policy(name, { matchConstraints: constraints([rule]), validations: drawn.flatMap(validations) });
}

async function askPolicy(sides: Sides, drawn: readonly Drawn[], report: Report): Promise<void> {
  const taken: Drawn[] = [];
  for (const each of drawn) {
    const asked = await ask(sides, `${POLICIES}?dryRun=All`, thingsPolicy('tried', [each]));
    report(each, asked);
    if (asked.isTaken) taken.push(each);
  }
  const name = `places-${drawn[0]?.at}`;
  for (const side of [sides.real, sides.ours])
    await enforced(sessionOf(side), name, thingsPolicy(name, taken), binding(name, name));
  for (const each of taken) await askPlaces(sides, each, report);
  for (const side of [sides.real, sides.ours]) await withdrawn(sessionOf(side));
}

async function askDynamic(sides: Sides, drawn: readonly Drawn[], report: Report): Promise<void> {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  for (const side of [sides.real, sides.ours]) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: side.ns } };
    await sessionOf(side).quiet('POST', '/api/v1/namespaces', { body });
    await givenDefinition(sessionOf(side), 'things', { versions });
  }
  try {
    for (let at = 0; at < drawn.length; at += PER_POLICY)
      await askPolicy(sides, drawn.slice(at, at + PER_POLICY), report);
  } finally {
    await withdrawn(sessionOf(sides.real));
    await dismiss(sessionOf(sides.real), 'things');
    await sessionOf(sides.real).quiet('DELETE', '/api/v1/namespaces/{ns}');
  }
}

function draw(seed: number, count: number, root: string): Drawn[] {
  const random = systemRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const own = random.split(`${root} ${index + 1}`);
    return { at: index + 1, expression: randomExpression(own, root), random: own };
  });
}

/** Gives two servers the same random expressions, and reports where their results differ. */
export async function runCelRound(options: CelRoundOptions): Promise<CelRoundReport> {
  const ns = `cel-${options.seed}-${Date.now().toString(36)}`;
  const sides: Sides = {
    real: { backend: options.real, connected: await options.real.connect(), ns },
    ours: { backend: options.ours, connected: await options.ours.connect(), ns },
  };
  const findings: CelFinding[] = [];
  const report: Report = ({ at, expression }, { lines, hasPanicked }) => {
    if (lines.length === 0) return;
    const finding = { at, expression, lines, known: hasPanicked ? PANIC : undefined };
    findings.push(finding);
    options.onFinding?.(finding);
  };
  await askTyped(sides, draw(options.seed, options.typed, 'self'), report);
  if (options.dynamic > 0) {
    const drawn = draw(options.seed, options.dynamic, DYNAMIC_ROOT);
    const measured = drawn.map((each) => ({ ...each, repeats: repeatsOf(each.random, each.at, each.expression) }));
    await askDynamic(sides, measured, report);
  }
  return { asked: options.typed + options.dynamic, findings };
}

/** A finding for a person. */
export function describeCelFinding({ at, expression, lines, known }: CelFinding): string {
  const head = `#${at} ${expression}${known === undefined ? '' : ` (known: ${known})`}`;
  return `${[head, ...lines.slice(1)].join('\n')}\n\n`;
}
