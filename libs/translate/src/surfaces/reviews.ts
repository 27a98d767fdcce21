import { TranslationError } from '../errors.js';
import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { rewriteJsonPatch } from './json-patch.js';
import { embeddedObject } from './objects.js';
import { statusShape } from './status.js';

/** Longest patch that is read: an admission response is at most as large as a request. */
const PATCH_LIMIT = 4 * 1024 * 1024;

/** AdmissionReview, as servers send it and as webhooks answer. */
export function admissionReviewShape(fields: Fields): Shape {
  const { groupKind } = fields;
  const object = embeddedObject(fields);
  const patch: Shape = { text: (text) => swapPatch(fields, text), textLimit: PATCH_LIMIT };
  return {
    members: members({
      request: {
        members: members({
          kind: groupKind,
          resource: groupKind,
          requestKind: groupKind,
          requestResource: groupKind,
          object,
          oldObject: object,
          options: object,
        }),
      },
      response: { members: members({ patch, status: statusShape(fields, {}) }) },
    }),
  };
}

/** The patch is a JSON patch in base64. */
function swapPatch(fields: Fields, text: string): string {
  const patch = Buffer.from(text, 'base64');
  if (patch.toString('base64') !== text)
    throw new TranslationError('MALFORMED', 'the patch of an admission response is no base64');
  const rewritten = rewriteJsonPatch(patch, { object: embeddedObject(fields) });
  return Buffer.from(rewritten).toString('base64');
}

/** ConversionReview, v1 and v1beta1: what is asked for and what came of it. A request has an empty response with it. */
export function conversionReviewShape(fields: Fields): Shape {
  const { apiVersion } = fields;
  const objects: Shape = { items: embeddedObject(fields) };
  return {
    members: members({
      request: { members: members({ desiredAPIVersion: apiVersion, objects }) },
      response: { members: members({ convertedObjects: objects, result: statusShape(fields, {}) }) },
    }),
  };
}
