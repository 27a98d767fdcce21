/** What an apply is refused for, in the server's words. */
import { asMap } from './apply-type.js';
import { apiErrors, formatGvk, looseGvk } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyScope } from './scope.js';
import { ApplyTypeError } from './type-error.js';
import { requireFit } from './validate.js';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `apps/v1, Kind=Deployment`, as Go prints it. */
function kindText(apiVersion: string, kind: string): string {
  return formatGvk(looseGvk(apiVersion, kind));
}

/** `ns/name; apps/v1, Kind=Deployment`. */
function objectText(scope: ApplyScope, object: JsonObject): string {
  const metadata = object['metadata'] as JsonObject | undefined;
  return `${text(metadata?.['namespace'])}/${text(metadata?.['name'])}; ${kindText(scope.apiVersion, scope.kind)}`;
}

/** The configuration must be of the kind and version it is sent to. */
export function requireKind(scope: ApplyScope, config: JsonObject): void {
  const { apiVersion, kind } = config;
  if (apiVersion === scope.apiVersion && kind === scope.kind) return;
  // A version that cannot be read takes the kind with it.
  const isReadable = text(apiVersion).split('/').length <= 2;
  throw apiErrors.badRequest(
    `invalid object type: ${isReadable ? kindText(text(apiVersion), text(kind)) : kindText('', '')}`,
  );
}

/** An applied configuration has no managedFields, and fits the type without repeating list items. */
export function requireApplicable(scope: ApplyScope, config: JsonObject): void {
  const metadata = config['metadata'] as JsonObject | undefined;
  const managers = metadata?.['managedFields'];
  // What has something else among its entries is not even read.
  if (Array.isArray(managers) && managers.every((entry) => asMap(entry) !== undefined))
    throw apiErrors.badRequest('metadata.managedFields must be nil');
  const misfit = misfitOf(scope, config, false);
  if (misfit === undefined) return;
  throw apiErrors.unclassified(`failed to create typed patch object (${objectText(scope, config)}): ${misfit}`);
}

/** What is stored must fit too: the schema may have become stricter since. */
export function requireLiveFit(scope: ApplyScope, live: JsonObject): void {
  const misfit = misfitOf(scope, live, true);
  if (misfit === undefined) return;
  throw apiErrors.unclassified(`failed to create typed live object (${objectText(scope, live)}): ${misfit}`);
}

/** As {@link requireLiveFit}, when the object has no managers yet. */
export function requireFirstFit(scope: ApplyScope, live: JsonObject): void {
  const misfit = misfitOf(scope, live, true);
  if (misfit === undefined) return;
  const what = `failed to convert new object (${objectText(scope, live)}) to smd typed`;
  throw apiErrors.unclassified(`failed to create manager for existing fields: ${what}: ${misfit}`);
}

function misfitOf(scope: ApplyScope, value: JsonObject, allowDuplicates: boolean): string | undefined {
  const type = scope.typeOf(scope.apiVersion);
  try {
    if (type !== undefined) requireFit(value, type, { allowDuplicates });
    return undefined;
  } catch (error) {
    if (error instanceof ApplyTypeError) return error.message;
    throw error;
  }
}
