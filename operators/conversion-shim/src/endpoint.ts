import type { Endpoint, EndpointReply, EndpointRequest, Logger } from '@capstan/kube';
import { errorText, sleep } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { parseApiVersion, stringifyJson } from '@capstan/meta';
import { TranslationError } from '@capstan/translate';
import type { GroupMapping } from '@capstan/translate';
import type { Definitions } from './definitions.js';
import type { Delegate } from './delegates/delegate.js';
import type { OwnConverter } from './delegates/own.js';
import type { DelegateCaller } from './delegates/remote.js';
import { nobody, routeOf } from './delegates/route.js';
import type { Route } from './delegates/route.js';
import { BadReview, ConversionFailure, Unavailable } from './errors.js';
import type { Gate } from './gate.js';
import type { ConversionErrorType } from './metric-declarations.js';
import type { ShimMetrics } from './metrics.js';
import { answered, failure, nothing, refused } from './review/answer.js';
import { checkAnswer } from './review/check.js';
import { UNKNOWN_SUBJECT } from './review/labels.js';
import type { ReviewLabels, Subject } from './review/labels.js';
import { readQuestion, readReview } from './review/read.js';
import type { Question, Review } from './review/read.js';
import type { SwapReview } from './review/translation.js';

/** What reviews are answered with. */
export interface ConversionParts {
  readonly mapping: GroupMapping;
  readonly swap: SwapReview;
  readonly definitions: Pick<Definitions, 'annotationsOf' | 'has' | 'hasSynced' | 'whenSynced'>;
  readonly delegates: ReadonlyMap<string, Delegate>;
  readonly own: OwnConverter;
  readonly caller: Pick<DelegateCaller, 'ask'>;
  readonly gate: Gate;
  readonly metrics: ShimMetrics;
  readonly labels: ReviewLabels;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a review waits for the CRDs. */
  readonly startMs: number;
}

const RETRY_AFTER_SECONDS = 1;
/** How long a CRD is waited for that a server knows and the shim does not: two seconds. */
const NEWS_TRIES = 8;
const NEWS_PAUSE_MS = 250;
/** Nobody reads it: the caller has left. */
const LEFT: EndpointReply = { status: 503, body: '' };

/** Answers ConversionReviews of private kinds: translated, converted by the route's converter, checked, translated back. */
export function conversionEndpoint(parts: ConversionParts): Endpoint {
  const { clock, gate, logger } = parts;
  return async (request) => {
    const began = clock.monotonic();
    const reply = await gate.pass(request.signal, () => answer(request, began, parts));
    if (reply === 'left') return LEFT;
    if (reply !== 'full') return reply;
    const message = `${gate.inside} reviews are being converted and ${gate.waiting} wait: ask again`;
    count(parts, { began, subject: UNKNOWN_SUBJECT, error: 'overloaded' });
    logger.error('Conversion request failed', { error: message });
    return refused(503, message, RETRY_AFTER_SECONDS);
  };
}

interface Counted {
  readonly began: number;
  readonly subject: Subject;
  readonly error: ConversionErrorType | undefined;
}

function count({ clock, labels, metrics }: ConversionParts, { began, error, subject }: Counted): void {
  metrics.answered({ ...labels.of(subject), seconds: (clock.monotonic() - began) / 1000, error });
}

async function answer(request: EndpointRequest, began: number, parts: ConversionParts): Promise<EndpointReply> {
  const { logger, mapping } = parts;
  let review: Review | undefined;
  try {
    if (request.method !== 'POST') throw new BadReview(`reviews are sent with POST, not ${request.method}`);
    review = readReview(request.body);
    const question = readQuestion(review, mapping);
    if (question.objects.length > 0) return await convert(request, { review, question, began }, parts);
    const toVersion = parseApiVersion(question.desired).version;
    count(parts, { began, subject: { ...UNKNOWN_SUBJECT, toVersion }, error: undefined });
    return nothing(review);
  } catch (error) {
    if (!(error instanceof BadReview || error instanceof ConversionFailure)) throw error;
    count(parts, { began, subject: UNKNOWN_SUBJECT, error: 'invalid-review' });
    logger.warn('Invalid conversion review request', { error: error.message, uid: review?.uid });
    return review === undefined ? refused(400, error.message) : failure(review, error.message);
  }
}

interface Asked {
  readonly review: Review;
  readonly question: Question;
  /** When it came in. */
  readonly began: number;
}

/** Never throws: whatever goes wrong from here on is an answer. */
async function convert(request: EndpointRequest, asked: Asked, parts: ConversionParts): Promise<EndpointReply> {
  const { desired, group, kind, objects } = asked.question;
  const { converter, reply } = await outcomeOf(request, asked, parts);
  const subject = {
    fromVersions: objects.map(({ apiVersion }) => parseApiVersion(apiVersion).version),
    toVersion: parseApiVersion(desired).version,
    kind: parts.definitions.has(group, kind) ? kind : undefined,
  };
  const error = reply instanceof Error ? errorType(reply) : undefined;
  count(parts, { began: asked.began, subject, error });
  return reply instanceof Error ? failureReply(reply, { ...asked, converter }, parts) : reply;
}

function errorType(error: Error): ConversionErrorType {
  if (error instanceof Unavailable) return 'upstream-webhook-unavailable';
  if (error instanceof TranslationError) return 'translation-failed';
  return error instanceof ConversionFailure ? error.type : 'conversion-failed';
}

interface Outcome {
  /** Who converted, or was to. */
  readonly converter: string;
  readonly reply: EndpointReply | Error;
}

async function outcomeOf(request: EndpointRequest, asked: Asked, parts: ConversionParts): Promise<Outcome> {
  let converter = 'the shim';
  try {
    await whenKnown(parts);
    const route = await routed(asked.question, parts);
    if (route.type === 'delegate') converter = route.delegate.name;
    const standard = parts.swap(request.body);
    const body =
      route.type === 'own'
        ? convertHere(standard, asked, parts)
        : await askDelegate(route.delegate, { standard, signal: request.signal }, asked, parts);
    return { converter, reply: answered(body) };
  } catch (error) {
    return { converter, reply: error instanceof Error ? error : new ConversionFailure(String(error)) };
  }
}

/** A server asks about a CRD as soon as it is there itself: the news of it may still be on the way. */
async function routed(question: Question, parts: ConversionParts): Promise<Route> {
  const { clock, definitions, mapping } = parts;
  const posts = { ...parts, annotationsOf: definitions.annotationsOf };
  for (let waited = 0; ; waited += 1) {
    const route = routeOf(question, posts);
    if (route !== undefined) return route;
    if (waited === NEWS_TRIES) throw nobody('it has no CRD here', mapping.swap(question.group));
    await sleep(clock, NEWS_PAUSE_MS);
  }
}

/** What was made here is checked before it is printed: it need not be read again. */
function convertHere(standard: Buffer, { question, review }: Asked, { mapping, own, swap }: ConversionParts): Buffer {
  const answer = own(standard);
  checkAnswer(answer, { ...question, desired: mapping.swapApiVersion(question.desired) }, review.apiVersion);
  return swap(Buffer.from(stringifyJson(answer)));
}

interface Sent {
  readonly standard: Buffer;
  readonly signal: AbortSignal;
}

async function askDelegate(
  delegate: Delegate,
  { signal, standard }: Sent,
  { question, review }: Asked,
  { caller, swap }: ConversionParts,
): Promise<Buffer> {
  const body = swap(await caller.ask(delegate, standard, signal));
  checkAnswer(parsed(body), question, review.apiVersion);
  return body;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ConversionFailure('it answered with something that is no JSON', 'upstream-webhook-invalid');
  }
}

/** Routes and references are looked up at CRDs: nothing can be answered before those are known. */
async function whenKnown({ clock, definitions, startMs }: ConversionParts): Promise<void> {
  if (definitions.hasSynced) return;
  const waiting = new AbortController();
  try {
    const late = sleep(clock, startMs, waiting.signal);
    const first = await Promise.race([definitions.whenSynced().then(() => 'known'), late]);
    if (first === 'elapsed') throw new Unavailable('the CRDs of the cluster are not known yet');
  } finally {
    waiting.abort();
  }
}

function failureReply(error: Error, at: Asked & { readonly converter: string }, parts: ConversionParts): EndpointReply {
  const { converter, question, review } = at;
  const { desired, kind, objects } = question;
  const from = [...new Set(objects.map(({ apiVersion }) => apiVersion))].join(', ');
  const message = `${kind} of ${from} could not be converted to ${desired} by ${converter}: ${errorText(error)}`;
  const fields = {
    kind,
    from,
    to: desired,
    objects: objects.length,
    delegate: converter,
    uid: review.uid,
    error: errorText(error),
  };
  const isAway = errorType(error) === 'upstream-webhook-unavailable';
  const isFault = !(isAway || error instanceof ConversionFailure);
  const { logger } = parts;
  if (isAway) logger.error('Upstream webhook unavailable', fields);
  else logger.error('Conversion request failed', { ...fields, ...(isFault ? { stack: error.stack } : {}) });
  return error instanceof Unavailable ? refused(503, message, RETRY_AFTER_SECONDS) : failure(review, message);
}
