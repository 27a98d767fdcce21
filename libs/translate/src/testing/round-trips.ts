import { WholeBody } from '../body.js';
import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import { translate } from '../requests/translator.js';
import type { Body } from '../requests/types.js';
import { fieldsOf } from '../surfaces/fields.js';
import { admissionReviewShape, conversionReviewShape } from '../surfaces/reviews.js';
import type { MarkedDocument } from './documents.js';
import { Documents } from './documents.js';
import { cutAt, MAPPING, run } from './exchange.js';
import { render } from './marks.js';
import { SeededRandom } from './random.js';

const translator = translate(MAPPING);
const REVIEWS = new Map([
  ['admission', admissionReviewShape(fieldsOf(MAPPING))],
  ['conversion', conversionReviewShape(fieldsOf(MAPPING))],
]);
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const SHORT = 256;
const CUTTINGS = 32;

function bodiesOf({ method, target, contentType, direction }: MarkedDocument): () => Body {
  const review = REVIEWS.get(target);
  if (review !== undefined) return () => new JsonRewriter(review);
  const accept = target.endsWith('?table') ? TABLE : 'application/json';
  const request = translator.request({ method, target, headers: { 'content-type': contentType, accept } });
  if ('refuse' in request) throw new TranslationError('UNSUPPORTED', `${target} was refused`);
  return direction === 'request' ? request.body : () => request.response(200, { 'content-type': contentType }).body;
}

/** The cuts of one document: each in two of a short one, some into many of a longer one. */
function* cuttings(random: SeededRandom, length: number): Generator<number[]> {
  if (length <= SHORT) {
    for (let at = 0; at <= length; at += 1) yield [at];
    return;
  }
  for (let index = 0; index < CUTTINGS; index += 1)
    yield random.list(index === 0 ? 40 : 3, () => random.below(length + 1)).sort((one, other) => one - other);
}

/** Whether what comes out is what should, looked at as it comes. */
function gives(body: Body, chunks: readonly Uint8Array[], expected: Buffer): boolean {
  if (body === 'pass') return Buffer.concat(chunks).equals(expected);
  let at = 0;
  const isNext = (part: Uint8Array): boolean => {
    at += part.length;
    return at <= expected.length && expected.compare(part, 0, part.length, at - part.length, at) === 0;
  };
  return chunks.every((chunk) => body.push(chunk).every(isNext)) && body.end().every(isNext) && at === expected.length;
}

/** What went wrong with one document. */
export interface Failure {
  readonly seed: number;
  readonly document: string;
  readonly expected: string;
  readonly given: string;
  readonly cuts: readonly number[];
}

/** Takes one document there and back, cut in every way; gives what went wrong. */
export function roundTrip(seed: number): Failure | undefined {
  const random = new SeededRandom(seed);
  const document = new Documents(random).next();
  const makeBody = bodiesOf(document);
  const stored = Buffer.from(render(document.text, (group) => group));
  const shown = Buffer.from(render(document.shown ?? document.text, (group) => MAPPING.swap(group)));
  const check = (from: Buffer, to: Buffer, cuts: readonly number[]): Failure | undefined => {
    if (gives(makeBody(), cutAt(from, cuts), to)) return undefined;
    const given = run(makeBody(), cutAt(from, cuts)).toString();
    return { seed, document: from.toString(), expected: to.toString(), given, cuts };
  };
  const whole = check(stored, shown, []) ?? (document.shown === undefined ? check(shown, stored, []) : undefined);
  if (whole !== undefined) return whole;
  // A body that is put together before it is read knows nothing of cuts.
  if (makeBody() instanceof WholeBody) return check(stored, shown, [random.below(stored.length + 1)]);
  for (const cuts of cuttings(random, stored.length)) {
    const failure = check(stored, shown, cuts);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
