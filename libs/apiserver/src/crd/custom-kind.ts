import { apiErrors, invalid, stringifyJson, pushAll } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import type { BodyKind } from '../codec/index.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { ParsedBody } from '../request/body.js';

/** The refusal of an object, by then with its name. */
type Refusal = (object: KubeObject) => Error;

/** Objects that were read from bodies of another kind, with their refusals. */
const STRANGERS = new WeakMap<KubeObject, Refusal>();

/** Keeps the refusal of an object whose body is of another kind: validation throws it. */
export function rememberStranger(object: KubeObject, refusal: Refusal): void {
  STRANGERS.set(object, refusal);
}

/** Keeps it for a copy, too. */
export function keepStranger(object: KubeObject, copy: KubeObject): void {
  const refusal = STRANGERS.get(object);
  if (refusal !== undefined) STRANGERS.set(copy, refusal);
}

/** Refuses an object whose body is of another kind. */
export function refuseStranger(object: KubeObject): void {
  const refusal = STRANGERS.get(object);
  if (refusal !== undefined) throw refusal(object);
}

/** The error for a body of another kind, once it has been read. */
export function wrongCustomKind(served: ServedResource, found: BodyKind, name: string, value: unknown): Error {
  const { definition, apiVersion, custom } = served;
  const errors: FieldError[] = [];
  if (found.kind !== definition.kind) errors.push(invalid('kind', found.kind, `must be ${definition.kind}`));
  if (found.apiVersion !== apiVersion) errors.push(invalid('apiVersion', found.apiVersion, `must be ${apiVersion}`));
  pushAll(errors, custom?.strangerErrors(value, errors) ?? []);
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

/** The body of a create or update must say what it is; whether it is that is asked later. */
export function requireCustomKind(served: ServedResource, found: BodyKind, body: ParsedBody): void {
  if (found.kind === '') throw missingKind(served, body);
  if (found.apiVersion !== served.apiVersion) throw apiErrors.apiVersionMismatch(found.apiVersion, served.apiVersion);
}
