import type { JsonObject } from '@capstan/meta';
import { parseApiVersion } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { BadReview, ConversionFailure } from '../errors.js';

/** What identifies an object: a converted one must have all of it. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A ConversionReview, as far as it is looked at. */
export interface Review {
  readonly apiVersion: string;
  readonly uid: string;
  readonly request: JsonObject;
}

/** What a review asks for. */
export interface Question {
  readonly uid: string;
  readonly desired: string;
  readonly group: string;
  /** All of one kind, as servers send them. */
  readonly kind: string;
  readonly objects: readonly ObjectIdentity[];
}

/** Version 1.0 of both, as servers know them. */
const GROUP = 'apiextensions.k8s.io';
const VERSIONS: ReadonlySet<string> = new Set([`${GROUP}/v1`, `${GROUP}/v1beta1`]);

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a review; what is none, or has nobody to be answered to, is refused. */
export function readReview(body: Uint8Array): Review {
  let review: unknown;
  try {
    review = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch (error) {
    throw new BadReview(`the review is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(review)) throw new BadReview('the review is no object');
  const { apiVersion, kind, request } = review;
  if (kind !== 'ConversionReview' || typeof apiVersion !== 'string' || !VERSIONS.has(apiVersion))
    throw new BadReview(
      `expected ConversionReview of ${GROUP}/v1 or v1beta1, found ${String(kind)} of ${String(apiVersion)}`,
    );
  if (!isRecord(request)) throw new BadReview('the review has no request');
  const { uid } = request;
  if (typeof uid !== 'string' || uid === '') throw new BadReview('the request has no uid');
  return { apiVersion, uid, request };
}

/** Reads what is asked; what cannot be converted fails before anybody is bothered with it. */
export function readQuestion({ request, uid }: Review, mapping: GroupMapping): Question {
  const { desiredAPIVersion: desired, objects } = request;
  if (typeof desired !== 'string' || desired === '')
    throw new ConversionFailure('request.desiredAPIVersion must be a string');
  if (!Array.isArray(objects)) throw new ConversionFailure('request.objects must be a list');
  const { group } = parseApiVersion(desired);
  if (mapping.side(group) !== 'private')
    throw new ConversionFailure(`${desired} is not of a private group: the shim converts private kinds alone`);
  const identities = objects.map((object: unknown, index) => identityOf(object, `request.objects[${index}]`));
  const kind = identities[0]?.kind ?? '';
  for (const [index, identity] of identities.entries()) checkOne(identity, { group, kind, index });
  return { uid, desired, group, kind, objects: identities };
}

function checkOne(
  { apiVersion, kind: found }: ObjectIdentity,
  { group, index, kind }: { readonly group: string; readonly kind: string; readonly index: number },
): void {
  const of = parseApiVersion(apiVersion).group;
  if (of !== group)
    throw new ConversionFailure(`request.objects[${index}] is of ${apiVersion} and cannot become one of ${group}`);
  if (found !== kind)
    throw new ConversionFailure(`request.objects[${index}] is a ${found}, and the first a ${kind}: one kind at a time`);
}

/** The identity of an object; `where` names it when there is none. */
export function identityOf(object: unknown, where: string): ObjectIdentity {
  if (!isRecord(object)) throw new ConversionFailure(`${where} is no object`);
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new ConversionFailure(`${where} has no apiVersion`);
  if (typeof kind !== 'string' || kind === '') throw new ConversionFailure(`${where} has no kind`);
  if (!isRecord(metadata)) throw new ConversionFailure(`${where} has no metadata`);
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, namespace: text(namespace), name: text(name), uid: text(uid) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
