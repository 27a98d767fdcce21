import { parseJson } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { errorText } from '../runtime/logger.js';
import type { AdmissionRequest, ReviewKind } from './admission-types.js';

/*
 * Webhooks ask for no credentials: anybody who reaches the port sends what they like. Everything that handlers rely on is
 * checked here, so that a body that is no review is refused by name and is not a fault of the program.
 */

/** A review that cannot be read. */
export class BadReview extends Error {
  override readonly name = 'BadReview';
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of a review that say what it is. */
interface ReviewBody {
  readonly apiVersion: string;
  readonly request: JsonObject;
}

/** Reads a review of one kind; its request is an object, whatever is in it. */
export function readReviewBody(body: Uint8Array, group: string, kind: string): ReviewBody {
  if (body.length === 0) throw new BadReview('request body is empty');
  let review: unknown;
  try {
    review = parseJson(body, { duplicates: false }).value;
  } catch (error) {
    throw new BadReview(errorText(error));
  }
  if (!isRecord(review)) throw new BadReview(`expected ${kind} of ${group}/v1 or v1beta1, found no object`);
  const { apiVersion, kind: found, request } = review;
  if (found !== kind || typeof apiVersion !== 'string' || !isVersion(apiVersion, group))
    throw new BadReview(`expected ${kind} of ${group}/v1 or v1beta1, found ${shown(found)} of ${shown(apiVersion)}`);
  if (!isRecord(request)) throw new BadReview('the review has no request');
  return { apiVersion, request };
}

function isVersion(apiVersion: string, group: string): boolean {
  return apiVersion === `${group}/v1` || apiVersion === `${group}/v1beta1`;
}

const MAX_SHOWN = 100;

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_SHOWN) : value === undefined ? '' : 'something that is no text';
}

/** The request of an admission review. What is left out has the zero value, as in Go; what has another type is refused. */
export function admissionRequest(request: JsonObject): AdmissionRequest {
  const { kind, object, oldObject, operation, requestKind, resource, uid, userInfo } = request;
  if (typeof uid !== 'string' || uid === '') throw new BadReview('request.uid must be a text');
  if (operation !== 'CREATE' && operation !== 'UPDATE' && operation !== 'DELETE' && operation !== 'CONNECT')
    throw new BadReview('request.operation must be CREATE, UPDATE, DELETE or CONNECT');
  for (const field of ['name', 'namespace', 'subResource'])
    if (!['string', 'undefined'].includes(typeof request[field]))
      throw new BadReview(`request.${field} must be a text`);
  checkObject(object, 'request.object', operation, ['CREATE', 'UPDATE']);
  checkObject(oldObject, 'request.oldObject', operation, ['UPDATE', 'DELETE']);
  return {
    ...(request as unknown as AdmissionRequest),
    kind: kindOf(kind, 'request.kind'),
    ...(requestKind === undefined ? {} : { requestKind: kindOf(requestKind, 'request.requestKind') }),
    resource: { group: '', version: '', resource: '', ...texts(resource, 'request.resource') },
    userInfo: recordOf(userInfo, 'request.userInfo') as unknown as AdmissionRequest['userInfo'],
  };
}

function kindOf(value: unknown, where: string): ReviewKind {
  return { group: '', version: '', kind: '', ...texts(value, where) };
}

function texts(value: unknown, where: string): Record<string, string> {
  const record = recordOf(value, where);
  for (const [key, each] of Object.entries(record))
    if (typeof each !== 'string') throw new BadReview(`${where}.${key} must be a text`);
  return record as Record<string, string>;
}

function recordOf(value: unknown, where: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new BadReview(`${where} must be an object`);
  return value;
}

/** Options of connections have no metadata; all else that is admitted has. */
function checkObject(value: unknown, where: string, operation: string, neededBy: readonly string[]): void {
  if (value === undefined || value === null) {
    if (neededBy.includes(operation)) throw new BadReview(`${where} must be set for ${operation}`);
    return;
  }
  checkKubeObject(value, where, operation !== 'CONNECT');
}

/** Refuses what is no object of Kubernetes. */
export function checkKubeObject(value: unknown, where: string, needsMetadata = true): asserts value is KubeObject {
  if (!isRecord(value)) throw new BadReview(`${where} must be an object`);
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new BadReview(`${where}.apiVersion must be a text`);
  if (typeof kind !== 'string' || kind === '') throw new BadReview(`${where}.kind must be a text`);
  if (needsMetadata && !isRecord(metadata)) throw new BadReview(`${where}.metadata must be an object`);
}
