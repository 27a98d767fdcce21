/** All the harm that a live definition does to one request: what it refuses, and every place that comes out otherwise. */
import { type FieldError, type JsonObject, canonicalJson, cloneJson, deepEqual } from '@capstan/meta';
import { type Difference, type Lens, type Side, type Write, differencesOf, existing, handled, send } from './server.js';

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
  return { errors: answer.errors, differences: differencesOf(wanted, got) };
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

/** Whether one live definition does no more harm than another: a refusal does not excuse a loss, nor a loss a refusal. */
export function isNoWorse(after: Harm, before: Harm): boolean {
  if (after.errors.length > 0 && before.errors.length === 0) return false;
  return after.differences.every(isIn(before.differences));
}

function textOf({ detail, field, type }: FieldError): string {
  return canonicalJson([type, field, detail]);
}

/** Whether there are errors here that are not there, or more of the same. */
function hasMoreErrors(errors: readonly FieldError[], others: readonly FieldError[]): boolean {
  const left = others.map(textOf);
  return errors.map(textOf).some((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Whether there is harm here that is not there. */
export function hasMore(harm: Harm, other: Harm): boolean {
  return hasMoreErrors(harm.errors, other.errors) || !harm.differences.every(isIn(other.differences));
}
