/** Answers ConversionReviews: what a conversion webhook does, as a pure function. */
import { formatApiVersion, parseApiVersion } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { isRecord } from '../engine/path.js';
import type { Issue, Side } from '../engine/rule.js';
import { otherSide } from '../engine/rule.js';
import type { TwoWayMap } from '../engine/two-way-map.js';

/** A kind in two versions, with the map between them. */
export interface KindConversion<C> {
  readonly group: string;
  readonly kind: string;
  readonly versions: Readonly<Record<Side, string>>;
  readonly map: TwoWayMap<C>;
}

/** What an answer needs besides the review. */
export interface ReviewOptions<C> {
  readonly kinds: readonly KindConversion<C>[];
  readonly context: C;
  /** Reviews have no place for warnings; this function receives them, for the log. */
  readonly onWarning?: (object: JsonObject, warning: Issue) => void;
}

/** Why objects cannot be converted; the message goes to the API server. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

function describe(object: JsonObject): string {
  const { metadata } = object;
  const { namespace, name } = (isRecord(metadata) ? metadata : {}) as { namespace?: unknown; name?: unknown };
  const parts = [namespace, name].filter((part) => typeof part === 'string' && part !== '');
  return `${String(object['kind'])} ${parts.join('/')}`.trimEnd();
}

function findKind<C>(object: JsonObject, desired: string, options: ReviewOptions<C>): [KindConversion<C>, Side] {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new ReviewError('an object without apiVersion and kind cannot be converted');
  }
  const from = parseApiVersion(apiVersion);
  const to = parseApiVersion(desired);
  for (const each of options.kinds) {
    if (each.group !== from.group || each.group !== to.group || each.kind !== kind) continue;
    for (const side of ['left', 'right'] as const) {
      const isAsked = each.versions[side] === from.version && each.versions[otherSide(side)] === to.version;
      if (isAsked) return [each, side];
    }
  }
  const target = formatApiVersion(to);
  throw new ReviewError(`there is no conversion of ${describe(object)} from ${apiVersion} to ${target}`);
}

/** One object from a side to the other; what cannot be converted throws with every reason. */
export function convertKind<C>(
  { group, map, versions }: KindConversion<C>,
  side: Side,
  object: JsonObject,
  { context, onWarning }: Omit<ReviewOptions<C>, 'kinds'>,
): JsonObject {
  const { value, errors, warnings } = map.convert(side, object, context);
  if (errors.length > 0) {
    const texts = errors.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`));
    const desired = formatApiVersion({ group, version: versions[otherSide(side)] });
    throw new ReviewError(`cannot convert ${describe(object)} to ${desired}: ${texts.join('; ')}`);
  }
  for (const warning of warnings) onWarning?.(object, warning);
  return value;
}

function convertObject<C>(object: unknown, desired: string, options: ReviewOptions<C>): JsonObject {
  if (!isRecord(object)) throw new ReviewError('what is to be converted must be an object');
  if (object['apiVersion'] === desired) return object;
  const [kind, side] = findKind(object, desired, options);
  return convertKind(kind, side, object, options);
}

function convertAll<C>(request: JsonObject, options: ReviewOptions<C>): JsonObject {
  const { desiredAPIVersion, objects } = request;
  try {
    if (typeof desiredAPIVersion !== 'string') throw new ReviewError('request.desiredAPIVersion must be a string');
    if (!Array.isArray(objects)) throw new ReviewError('request.objects must be a list');
    const convertedObjects = objects.map((object) => convertObject(object, desiredAPIVersion, options));
    return { convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    return { convertedObjects: [], result: { status: 'Failure', message: (error as Error).message } };
  }
}

/**
 * The answer to a ConversionReview: either all objects in the version asked for, or a failure with what is wrong
 * with the first one that cannot be converted. `undefined` when this is no review with a request.
 */
export function answerConversionReview<C>(review: unknown, options: ReviewOptions<C>): JsonObject | undefined {
  if (!isRecord(review) || review['kind'] !== 'ConversionReview' || !isRecord(review['request'])) return undefined;
  const { apiVersion, kind, request } = review;
  const response = { uid: (request as JsonObject)['uid'], ...convertAll(request as JsonObject, options) };
  return { apiVersion, kind, response };
}
