import { apiErrors, invalid, stringifyJson } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import { TypedDecodeError, decodeMeta } from '../codec/index.js';
import type { BodyKind } from '../codec/index.js';
import { LEAF_TEXTS } from '../request/leaf-texts.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { ParsedBody } from '../request/body.js';

/** Any kind can be read where there are no types; that it is another one is found by validation. */
export function wrongCustomKind(served: ServedResource, found: BodyKind, name: string, value: unknown): Error {
  const { definition, apiVersion, custom } = served;
  const errors: FieldError[] = [];
  if (found.kind !== definition.kind) errors.push(invalid('kind', found.kind, `must be ${definition.kind}`));
  if (found.apiVersion !== apiVersion) errors.push(invalid('apiVersion', found.apiVersion, `must be ${apiVersion}`));
  errors.push(...(custom?.strangerErrors(value, errors) ?? []));
  const slash = found.apiVersion.lastIndexOf('/');
  return apiErrors.invalid(
    { group: slash < 0 ? '' : found.apiVersion.slice(0, slash), kind: found.kind },
    name,
    errors,
  );
}

function missingKind(served: ServedResource, body: ParsedBody): Error {
  const text = body.bytes.length > 0 ? new TextDecoder().decode(body.bytes) : stringifyJson(body.value);
  const bytes = body.bytes.length > 0 ? body.bytes : new TextEncoder().encode(text);
  return apiErrors.unrecognizedObject(served.definition.kind, `Object 'Kind' is missing in '${text}'`, bytes);
}

/** Metadata is read before anybody minds the kind. */
function requireReadable({ definition }: ServedResource, found: BodyKind, metadata: unknown): void {
  try {
    decodeMeta(metadata, { texts: LEAF_TEXTS });
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.cannotBeHandledAs(found.kind, definition.version, definition.kind, error.message);
  }
}

/** The body of a create or update must say what it is. */
export function requireCustomKind(served: ServedResource, found: BodyKind, body: ParsedBody): void {
  if (found.kind === '') throw missingKind(served, body);
  if (found.apiVersion !== served.apiVersion) throw apiErrors.apiVersionMismatch(found.apiVersion, served.apiVersion);
  if (found.kind === served.definition.kind) return;
  const { metadata } = body.value as { metadata?: { name?: unknown } };
  requireReadable(served, found, metadata);
  const name = metadata?.name;
  throw wrongCustomKind(served, found, typeof name === 'string' ? name : '', body.value);
}
