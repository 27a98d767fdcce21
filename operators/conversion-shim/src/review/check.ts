import type { JsonObject } from '@capstan/meta';
import { ConversionFailure } from '../errors.js';
import type { ConversionErrorType } from '../metric-declarations.js';
import { identityOf } from './read.js';
import type { ObjectIdentity, Question } from './read.js';

const INVALID: ConversionErrorType = 'upstream-webhook-invalid';

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether an answer may be passed on: it is one to this very review, and holds every object that was asked about, in
 * order, in the version asked for, still itself. Anything else throws, for a server would store it.
 */
export function checkAnswer(answer: unknown, question: Question, reviewVersion: string): void {
  const converted = successOf(answer, question, reviewVersion);
  const { desired, objects } = question;
  if (converted.length !== objects.length)
    throw new ConversionFailure(
      `it answered with ${converted.length} objects where ${objects.length} were asked for`,
      INVALID,
    );
  for (const [index, object] of converted.entries()) {
    const wanted = objects[index] as ObjectIdentity;
    const found = identityOf(object, `response.convertedObjects[${index}]`);
    const field = differing(found, { ...wanted, apiVersion: desired });
    if (field !== undefined)
      throw new ConversionFailure(
        `response.convertedObjects[${index}] has ${field} ${quoted(found[field])} where ${quoted(field === 'apiVersion' ? desired : wanted[field])} was asked for`,
        INVALID,
      );
  }
}

/** The converted objects; a failure of the converter goes on in its words. */
function successOf(answer: unknown, { uid }: Question, reviewVersion: string): readonly unknown[] {
  if (!isRecord(answer) || answer['kind'] !== 'ConversionReview' || answer['apiVersion'] !== reviewVersion)
    throw new ConversionFailure(`it answered with something else than a ConversionReview of ${reviewVersion}`, INVALID);
  const { response } = answer;
  if (!isRecord(response)) throw new ConversionFailure('it answered with a review that has no response', INVALID);
  if (response['uid'] !== uid)
    throw new ConversionFailure(`it answered to ${quoted(response['uid'])} where ${quoted(uid)} was asked`, INVALID);
  refuseFailure(response['result']);
  const list = response['convertedObjects'] ?? [];
  if (!Array.isArray(list)) throw new ConversionFailure('response.convertedObjects is no list', INVALID);
  return list;
}

function refuseFailure(result: unknown): void {
  const { message, status } = isRecord(result) ? result : ({} as JsonObject);
  if (status === 'Success') return;
  const hasMessage = typeof message === 'string' && message !== '';
  throw new ConversionFailure(hasMessage ? message : `it answered with the status ${quoted(status)}`);
}

const FIELDS = ['apiVersion', 'kind', 'namespace', 'name', 'uid'] as const;

function differing(found: ObjectIdentity, wanted: ObjectIdentity): keyof ObjectIdentity | undefined {
  return FIELDS.find((field) => found[field] !== wanted[field]);
}

function quoted(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
