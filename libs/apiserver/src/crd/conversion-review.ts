/** ConversionReviews: what is asked of a conversion webhook, and what its answer must look like. */
import { goQuote } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';

/** The versions of the review the server speaks. */
export type ReviewVersion = 'v1' | 'v1beta1';

const GROUP = 'apiextensions.k8s.io';
const KIND = 'ConversionReview';
/** What else the real server's reader of reviews would recognise, and not know what to do with. */
const KNOWN_KINDS = new Set([KIND, 'CustomResourceDefinition', 'CustomResourceDefinitionList']);

/** The first of the wanted versions that the server speaks. */
export function reviewVersionOf(wanted: readonly string[]): ReviewVersion | undefined {
  return wanted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

/** The review to be sent. It carries an empty response, as that of the real server does. */
export function conversionReview(version: ReviewVersion, request: ConversionRequest): JsonObject {
  const { uid, desiredAPIVersion, objects } = request;
  return {
    kind: KIND,
    apiVersion: `${GROUP}/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  } as unknown as JsonObject;
}

/** What an answered review holds: objects yet to be checked, or what is wrong with it. */
export type ReadReview = { readonly objects: readonly unknown[] } | { readonly fault: string };

/** Reads an answer. Reviews of the older version are not asked whom they answer: they never had to say. */
export function readReview(value: JsonObject, version: ReviewVersion, uid: string): ReadReview {
  const fault = kindFault(value, version);
  if (fault !== undefined) return { fault };
  const response = asObject(value['response']);
  if (response === undefined) return { fault: 'no response provided' };
  const given = text(response['uid']);
  if (version === 'v1' && given !== uid)
    return { fault: `expected response.uid=${goQuote(uid)}, got ${goQuote(given)}` };
  const result = asObject(response['result']) ?? {};
  const status = text(result['status']);
  if (status !== 'Success') {
    const message = text(result['message']);
    return { fault: message === '' ? `response.result.status was '${status}', not 'Success'` : message };
  }
  const objects = response['convertedObjects'];
  return { objects: Array.isArray(objects) ? objects : [] };
}

function kindFault(value: JsonObject, version: ReviewVersion): string | undefined {
  const wanted = `${GROUP}/${version}`;
  const kind = text(value['kind']);
  const apiVersion = text(value['apiVersion']);
  if (kind === KIND && apiVersion === wanted) return undefined;
  if (kind === '' || apiVersion === '') {
    if (version === 'v1beta1') return undefined;
    const shown = apiVersion === '' ? '/' : apiVersion;
    return `expected webhook response of ${wanted}, Kind=${KIND}, got ${shown}, Kind=${kind}`;
  }
  const [group, given] = apiVersion.split('/');
  if (group === GROUP && (given === 'v1' || given === 'v1beta1') && KNOWN_KINDS.has(kind))
    return `converting (${given}.${kind}) to (${version}.${KIND}): unknown conversion`;
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
