/** The scale subresource: a number of replicas kept in a field of the object, and what is seen of it. */
import { type FieldError, getOwn, invalid, type JsonObject, setOwn } from '@capstan/meta';
import type { ScalePaths } from '../definition.js';

const mostReplicas = 2 ** 31 - 1;

/** The names that lead to a field: `.spec.replicas`. */
export function namesOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is at a path: nothing, a value, or something on the way there that has no members. */
function follow(object: JsonObject, path: string): { readonly value: unknown } | { readonly blocked: unknown } {
  let at: unknown = object;
  for (const name of namesOf(path)) {
    if (!isObject(at)) return at === undefined ? { value: undefined } : { blocked: at };
    at = Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return { value: at };
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function replicasError(object: JsonObject, path: string): FieldError | undefined {
  const found = follow(object, path);
  if ('blocked' in found) return invalid(path, 0, 'accessor error: it leads through something that has no fields');
  const { value } = found;
  if (value === undefined) return undefined;
  if (!isInteger(value)) return invalid(path, 0, 'accessor error: it is no whole number');
  const replicas = value as number;
  if (replicas < 0) return invalid(path, replicas, 'should be a non-negative integer');
  if (replicas <= mostReplicas) return undefined;
  return invalid(path, replicas, `should be less than or equal to ${mostReplicas}`);
}

function selectorError(object: JsonObject, path: string): FieldError | undefined {
  if (path === '') return undefined;
  const found = follow(object, path);
  const fits = 'value' in found && (found.value === undefined || typeof found.value === 'string');
  return fits ? undefined : invalid(path, '', 'accessor error: it is no text');
}

/** What the scale subresource has against an object, or against its status alone. */
export function scaleErrors(scale: ScalePaths, object: JsonObject, statusAlone: boolean): readonly FieldError[] {
  return [
    ...(statusAlone ? [] : [replicasError(object, scale.specReplicasPath)]),
    replicasError(object, scale.statusReplicasPath),
    selectorError(object, scale.labelSelectorPath),
  ].filter((error) => error !== undefined);
}

/** The Scale of an object; undefined where the object does not say how many replicas it wants. */
export function scaleOf(scale: ScalePaths, object: JsonObject): JsonObject | undefined {
  const read = (path: string): unknown => {
    const found = path === '' ? { value: undefined } : follow(object, path);
    return 'value' in found ? found.value : undefined;
  };
  const replicas = read(scale.specReplicasPath);
  if (replicas === undefined) return undefined;
  const selector = read(scale.labelSelectorPath);
  return {
    ...scaleRequest(object, replicas),
    status: { replicas: read(scale.statusReplicasPath) ?? 0, ...(selector !== undefined && { selector }) },
  };
}

/** The Scale that asks for so many replicas of an object. */
export function scaleRequest({ metadata }: JsonObject, replicas: unknown): JsonObject {
  const { name, namespace } = metadata as JsonObject;
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { replicas },
  };
}

/** Writes the replicas where they are kept; what is missing on the way is made. */
export function writeReplicas({ specReplicasPath }: ScalePaths, object: JsonObject, replicas: unknown): void {
  const names = namesOf(specReplicasPath);
  let at = object;
  for (const name of names.slice(0, -1)) {
    if (!isObject(getOwn(at, name))) setOwn(at, name, {});
    at = at[name] as JsonObject;
  }
  setOwn(at, names.at(-1) ?? '', replicas);
}
