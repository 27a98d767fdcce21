import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import { translate } from '../requests/translator.js';
import type { Body } from '../requests/types.js';
import { fieldsOf } from '../surfaces/fields.js';
import { admissionReviewShape, conversionReviewShape } from '../surfaces/reviews.js';
import type { MarkedDocument } from './documents.js';
import { Documents, render } from './documents.js';
import { cutAt, MAPPING, run } from './exchange.js';
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
  const shown = Buffer.from(render(document.text, (group) => MAPPING.swap(group)));
  const check = (from: Buffer, to: Buffer, cuts: readonly number[]): Failure | undefined => {
    const given = run(makeBody(), cutAt(from, cuts));
    return given.equals(to)
      ? undefined
      : { seed, document: from.toString(), expected: to.toString(), given: given.toString(), cuts };
  };
  const whole = check(stored, shown, []) ?? check(shown, stored, []);
  if (whole !== undefined) return whole;
  for (const cuts of cuttings(random, stored.length)) {
    const failure = check(stored, shown, cuts);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
