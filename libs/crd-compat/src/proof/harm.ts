/** All the harm that a live CRD does to one request: what it refuses, and every place that comes out otherwise. */
import { type FieldError, type JsonObject, canonicalJson, cloneJson, deepEqual } from '@capstan/meta';
import type { Witness } from '../report.js';
import {
  type Difference,
  type Lens,
  type Side,
  type Write,
  differencesOf,
  existing,
  handled,
  compareResponses,
  send,
} from './server.js';

/** A write; or a read of what is stored, which nothing refuses. */
export interface Request {
  readonly verb: Write['verb'] | 'get';
  readonly object?: unknown;
}

/** A request, and what is stored before it. */
export interface Attempt {
  readonly before?: unknown;
  readonly request: Request;
}

/** What is wrong with an answer. An object that is refused may lose fields as well: both count. */
export interface Harm {
  readonly errors: readonly FieldError[];
  readonly differences: readonly Difference[];
}

function isWrite(request: Request): request is Write {
  return request.verb !== 'get';
}

/** The object that the required side answers with; undefined where it does not take the request as it is. */
function expectedOf(required: Side, { before, request }: Attempt): JsonObject | undefined {
  if (!isWrite(request)) return existing(required, before);
  const answer = send(required, request, before);
  return answer.kind === 'refused' || answer.pruned.length > 0 ? undefined : answer.object;
}

/** That rules were not checked for other errors is no error of its own, and of no rule. */
function isRemark({ detail }: FieldError): boolean {
  return detail.startsWith('some validation rules were not checked');
}

/** The harm of a request that the required side takes as it is; undefined for others. */
export function harmOf(required: Side, live: Side, attempt: Attempt, lens: Lens): Harm | undefined {
  const { before, request } = attempt;
  const expected = expectedOf(required, attempt);
  if (expected === undefined) return undefined;
  const answer = isWrite(request) ? handled(live, request, before) : { errors: [], object: existing(live, before) };
  const wanted = cloneJson(expected);
  const got = cloneJson(answer.object);
  lens(wanted);
  lens(got);
  required.schema.prune(got);
  return { errors: answer.errors.filter((error) => !isRemark(error)), differences: differencesOf(wanted, got) };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Whether a difference is in what was lost, or is the same one. */
function isIn(differences: readonly Difference[]): (difference: Difference) => boolean {
  return ({ got, path }) =>
    differences.some((other) =>
      got === undefined
        ? other.got === undefined && isWithin(path, other.path)
        : path === other.path && deepEqual(got, other.got),
    );
}

/** Whether one live CRD does no more harm than another: a refusal does not excuse a loss, nor a loss a refusal. */
export function isNoWorse(after: Harm, before: Harm): boolean {
  if (after.errors.length > 0 && before.errors.length === 0) return false;
  return after.differences.every(isIn(before.differences));
}

function textOf({ detail, field, type }: FieldError): string {
  return canonicalJson([type, field, detail]);
}

/** The errors here that are not there, or there are more of. */
function moreErrors(errors: readonly FieldError[], others: readonly FieldError[]): readonly FieldError[] {
  const left = others.map(textOf);
  return errors.filter((error) => {
    const at = left.indexOf(textOf(error));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The sides of a proof. */
export interface Sides {
  readonly required: Side;
  readonly live: Side;
  /** The live side without the change that is to be shown. */
  readonly undone: Side;
  /** The required side with that change and no other. */
  readonly isolated?: Side | undefined;
}

/** The harm that is there because of the change: what is not there once it is undone, or what it does by itself. */
function causedBy({ isolated, required, undone }: Sides, harm: Harm, attempt: Attempt, lens: Lens): Harm {
  const other = harmOf(required, undone, attempt, lens);
  const alone = isolated && harmOf(required, isolated, attempt, lens);
  const texts = new Set(alone?.errors.map(textOf));
  return {
    errors: [
      ...(other === undefined ? [] : moreErrors(harm.errors, other.errors)),
      ...harm.errors.filter((error) => texts.has(textOf(error))),
    ],
    differences: harm.differences.filter(
      (difference) =>
        (other !== undefined && !isIn(other.differences)(difference)) ||
        (alone !== undefined && isIn(alone.differences)(difference)),
    ),
  };
}

/** A difference as an outcome: that which was found first, unless it is of another change. */
function shown(
  own: Difference,
  first: Difference | undefined,
  outcome: Witness['outcome'] | undefined,
): Witness['outcome'] {
  if (outcome !== undefined && own === first) return outcome;
  const isPruned = outcome?.kind === 'pruned' && own.got === undefined;
  return isPruned ? { kind: 'pruned', paths: [own.path] } : { kind: 'changed', ...own };
}

/** What the live side makes of a request that the required side takes as it is, if that is because of the change. */
export function outcomeOf(sides: Sides, attempt: Attempt, lens: Lens): Witness['outcome'] | undefined {
  const { live, required } = sides;
  const { before, request } = attempt;
  const outcome = isWrite(request) ? compareResponses(required, live, { before, request }, lens) : undefined;
  if (isWrite(request) && outcome === undefined) return undefined;
  const harm = harmOf(required, live, attempt, lens);
  if (harm === undefined) return undefined;
  const caused = causedBy(sides, harm, attempt, lens);
  if (outcome?.kind === 'rejected') return caused.errors.length > 0 ? outcome : undefined;
  const [own] = caused.differences;
  return own && shown(own, harm.differences[0], outcome);
}
