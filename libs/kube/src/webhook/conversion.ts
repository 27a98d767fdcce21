import { cloneJson, parseApiVersion, stringifyJson } from '@capstan/meta';
import type { Clock, JsonObject, KubeObject } from '@capstan/meta';
import { isFaultOfProgram } from '../controller/reconcile.js';
import type { Endpoint } from '../http/endpoint-server.js';
import { sleep } from '../runtime/clock.js';
import { errorText } from '../runtime/logger.js';
import type { ReviewSurroundings } from './admission.js';
import { BadReview, checkKubeObject, readReviewBody } from './read-review.js';

/** How one version of a kind is turned into the hub version and back. Both get their own copy and give the result. */
export interface Spoke {
  readonly toHub: (object: KubeObject) => KubeObject;
  readonly fromHub: (object: KubeObject) => KubeObject;
}

/** The versions of one kind: each is converted by way of the hub. */
export interface ConvertedKind {
  readonly group: string;
  readonly kind: string;
  readonly hub: string;
  readonly spokes: Readonly<Record<string, Spoke>>;
}

/** A conversion that cannot be done. */
class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

const GROUP = 'apiextensions.k8s.io';

function spokeOf({ kind, spokes }: ConvertedKind, version: string): Spoke {
  const spoke = Object.hasOwn(spokes, version) ? spokes[version] : undefined;
  if (spoke === undefined) throw new ConversionError(`${kind} has no version ${version}`);
  return spoke;
}

/** The object in another version of its kind. */
export function convertObject(kinds: readonly ConvertedKind[], object: KubeObject, desired: string): KubeObject {
  const { group, version } = parseApiVersion(object.apiVersion);
  const wanted = parseApiVersion(desired);
  const kind = kinds.find((each) => each.group === group && each.kind === object.kind);
  if (kind === undefined) throw new ConversionError(`${object.kind} of ${group} is not converted here`);
  if (wanted.group !== group)
    throw new ConversionError(`${object.kind} of ${group} cannot become one of ${wanted.group}`);
  if (version === wanted.version) return object;
  let converted = cloneJson(object);
  if (version !== kind.hub)
    converted = { ...spokeOf(kind, version).toHub(converted), apiVersion: `${group}/${kind.hub}` };
  if (wanted.version !== kind.hub) converted = spokeOf(kind, wanted.version).fromHub(converted);
  return { ...converted, apiVersion: desired, kind: object.kind };
}

/** What conversions need besides the kinds. */
export interface ConversionOptions {
  /** Awaited before a review is answered: a cache that conversions look into, say. A rejection fails the review. */
  readonly whenReady?: (() => Promise<unknown>) | undefined;
}

/** A review waits this long; the API server that asks is waiting as well. */
const READY_LIMIT_MS = 10_000;

async function waitFor(whenReady: () => Promise<unknown>, clock: Clock): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(clock, READY_LIMIT_MS, waiting.signal);
  try {
    const first = await Promise.race([whenReady().then(() => 'ready'), late]);
    if (first === 'elapsed') throw new ConversionError(`the converter was not ready within ${READY_LIMIT_MS / 1000} s`);
  } finally {
    waiting.abort();
  }
}

/** Checks what is asked; the answer to what is no question is a failed review, for its sender is waiting for one. */
function objectsOf({ desiredAPIVersion, objects }: JsonObject): { desired: string; objects: readonly KubeObject[] } {
  if (typeof desiredAPIVersion !== 'string' || desiredAPIVersion === '')
    throw new BadReview('request.desiredAPIVersion must be a text');
  if (!Array.isArray(objects)) throw new BadReview('request.objects must be a list');
  const found = objects.map((object: unknown, index): KubeObject => {
    checkKubeObject(object, `request.objects[${index}]`);
    return object;
  });
  return { desired: desiredAPIVersion, objects: found };
}

/** Answers conversion reviews: all objects converted, or a failure with its reason. */
export function conversionEndpoint(
  kinds: readonly ConvertedKind[],
  { clock, logger, metrics }: ReviewSurroundings & { readonly clock: Clock },
  { whenReady }: ConversionOptions = {},
): Endpoint {
  const convertAll = async (uid: string, request: JsonObject): Promise<JsonObject> => {
    try {
      const { desired, objects } = objectsOf(request);
      if (whenReady !== undefined) await waitFor(whenReady, clock);
      const convertedObjects = objects.map((object) => convertObject(kinds, object, desired));
      return { uid, convertedObjects, result: { metadata: {}, status: 'Success' } };
    } catch (error) {
      if (isFaultOfProgram(error)) metrics.webhook.conversionPanics.add([]);
      logger.error('a conversion failed', { uid, error: errorText(error) });
      const message = isFaultOfProgram(error) ? `panic: ${errorText(error)} [recovered]` : errorText(error);
      return { uid, convertedObjects: [], result: { metadata: {}, status: 'Failure', message } };
    }
  };
  return async ({ body }) => {
    let review: ReturnType<typeof readReviewBody>;
    try {
      review = readReviewBody(body, GROUP, 'ConversionReview');
    } catch (error) {
      return { status: 400, body: `${errorText(error)}\n` };
    }
    const { apiVersion, request } = review;
    const { uid } = request;
    if (typeof uid !== 'string' || uid === '') return { status: 400, body: 'request.uid must be a text\n' };
    const answer = { kind: 'ConversionReview', apiVersion, response: await convertAll(uid, request) };
    return { status: 200, contentType: 'application/json', body: stringifyJson(answer) };
  };
}
