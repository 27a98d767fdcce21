import { ApiError, JsonSyntaxError, apiErrors, parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describeValue } from '../codec/index.js';
import type { WebhookAnswer } from './call.js';

/** What a client makes of an answer: a JSON object, or why there is none. */
export type ReadAnswer =
  | { readonly value: JsonObject }
  /** `code` is what counts the failure. */
  | { readonly fault: string; readonly code: number };

/** The code under which a webhook that could not be asked is counted. */
export const UNAVAILABLE = 503;
const MAX_TEXT_BYTES = 2048;
const KIND_STRUCT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Reads an answer as the real server's client does, with its words. */
export function readAnswer(answer: WebhookAnswer): ReadAnswer {
  if ('error' in answer) return { fault: answer.error, code: UNAVAILABLE };
  const { status, body } = answer;
  if (status < 200 || status > 206) return refusal(answer);
  if (body.length === 0) {
    const fault = `0-length response with status code: ${status} and content type: ${answer.contentType || 'application/json'}`;
    return { fault, code: UNAVAILABLE };
  }
  const value = parsed(body);
  if (typeof value === 'string')
    return { fault: `couldn't get version/kind; json parse error: ${value}`, code: UNAVAILABLE };
  return { value };
}

/** The object of a body; a string is the reason why there is none. */
function parsed(body: Uint8Array): JsonObject | string {
  let value: unknown;
  try {
    ({ value } = parseJson(body));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // What does not begin like an object is taken for YAML, where almost everything is a text.
    const isObject = /^\s*\{/.test(new TextDecoder().decode(body.subarray(0, MAX_TEXT_BYTES)));
    return isObject ? error.message : `json: cannot unmarshal string into Go value of type ${KIND_STRUCT}`;
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  return `json: cannot unmarshal ${describeValue(value)} into Go value of type ${KIND_STRUCT}`;
}

/** A bare code in the words the API has for it; a Status in the body goes before. */
function refusal({ status, contentType, body }: Exclude<WebhookAnswer, { error: string }>): ReadAnswer {
  const isText = contentType === '' || contentType.startsWith('text/');
  const text = new TextDecoder().decode(body.subarray(0, MAX_TEXT_BYTES));
  const serverMessage = isText ? text.trim() : 'unknown';
  const generic = apiErrors.genericServerResponse(status, { verb: 'POST', serverMessage, unexpected: true });
  const reply = parsed(body);
  const known =
    typeof reply !== 'string' &&
    reply['kind'] === 'Status' &&
    reply['apiVersion'] === 'v1' &&
    reply['status'] !== 'Success'
      ? new ApiError(reply as unknown as ApiError['status'])
      : generic;
  return { fault: known.status.message ?? '', code: known.status.code ?? status };
}
