/** The `scale` subresource of custom resources: replica counts at paths their definition names. */
import { WholeFloat, apiErrors, getOwn, goFormat, goTypeName, invalid, plainFloat, setOwn } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { ScaleMapping } from '../builtin/strategy.js';
import type { ScalePaths } from '../builtin/apiextensions/crd.js';

const MAX_INT32 = 2147483647;

type Found<T> = { readonly value: T | undefined } | { readonly error: string };

function split(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

function wrongType(names: readonly string[], value: unknown, wanted: string): { error: string } {
  const type = value === null ? '<nil>' : value instanceof WholeFloat ? 'float64' : goTypeName(value);
  return {
    error: `.${names.join('.')} accessor error: ${goFormat(plainFloat(value))} is of the type ${type}, expected ${wanted}`,
  };
}

function follow(object: KubeObject, names: readonly string[]): Found<unknown> {
  let value: unknown = object;
  for (let at = 0; at < names.length; at += 1) {
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof WholeFloat)
      return wrongType(names.slice(0, at + 1), value, 'map[string]interface{}');
    if (value === null) return { value: undefined };
    value = getOwn(value as JsonObject, names[at] ?? '');
    if (value === undefined) return { value: undefined };
  }
  return { value };
}

function exactAt(object: KubeObject, path: string): Found<number | bigint> {
  const names = split(path);
  const found = follow(object, names);
  if ('error' in found || found.value === undefined) return found as Found<number>;
  const { value } = found;
  if (typeof value === 'bigint') return { value };
  // A whole number past 2^53 that is no bigint did not fit 64 bits: a float to the real server.
  return Number.isSafeInteger(value) ? { value: value as number } : wrongType(names, value, 'int64');
}

function integerAt(object: KubeObject, path: string): Found<number> {
  const found = exactAt(object, path);
  return 'value' in found && typeof found.value === 'bigint'
    ? { value: Number(found.value) }
    : (found as Found<number>);
}

function textAt(object: KubeObject, path: string): Found<string> {
  const names = split(path);
  const found = follow(object, names);
  if ('error' in found || found.value === undefined) return found as Found<string>;
  return typeof found.value === 'string' ? { value: found.value } : wrongType(names, found.value, 'string');
}

function checkCount(object: KubeObject, path: string): FieldError[] {
  const found = exactAt(object, path);
  if ('error' in found) return [invalid(path, 0, found.error)];
  const count = found.value ?? 0;
  if (count < 0) return [invalid(path, count, 'should be a non-negative integer')];
  return count > MAX_INT32 ? [invalid(path, count, `should be less than or equal to ${MAX_INT32}`)] : [];
}

/** What is wrong with the wanted number of replicas. */
export function checkScaleSpec(object: KubeObject, paths: ScalePaths | undefined): FieldError[] {
  return paths === undefined ? [] : checkCount(object, paths.specReplicasPath);
}

/** What is wrong with the reported number of replicas and the selector. */
export function checkScaleStatus(object: KubeObject, paths: ScalePaths | undefined): FieldError[] {
  if (paths === undefined) return [];
  const errors = checkCount(object, paths.statusReplicasPath);
  if (paths.labelSelectorPath === undefined) return errors;
  const selector = textAt(object, paths.labelSelectorPath);
  return 'error' in selector ? [...errors, invalid(paths.labelSelectorPath, '', selector.error)] : errors;
}

function valueOr<T>(found: Found<T>, fallback: T): T {
  if ('error' in found) throw apiErrors.unclassified(found.error);
  return found.value ?? fallback;
}

/** Where a custom resource of the served version keeps its replicas. */
export function scaleMapping(paths: ScalePaths): ScaleMapping {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = paths;
  return {
    specReplicas: (object) => valueOr(integerAt(object, specReplicasPath), 0),
    statusReplicas: (object) => valueOr(integerAt(object, statusReplicasPath), 0),
    selector: (object) => (labelSelectorPath ? valueOr(textAt(object, labelSelectorPath), '') : ''),
    setReplicas: (object, replicas) => setAt(object, split(specReplicasPath), replicas),
    custom: {
      path: specReplicasPath,
      hasReplicas: (object) => {
        const found = integerAt(object, specReplicasPath);
        return 'error' in found || found.value !== undefined;
      },
    },
  };
}

function setAt(object: KubeObject, names: readonly string[], replicas: number): void {
  let parent = object as JsonObject;
  for (const name of names.slice(0, -1)) {
    let next = getOwn(parent, name);
    if (next === undefined || next === null) setOwn(parent, name, (next = {}));
    else if (typeof next !== 'object' || Array.isArray(next)) throw notAMap(names);
    parent = next as JsonObject;
  }
  setOwn(parent, names.at(-1) ?? '', replicas);
}

function notAMap(names: readonly string[]): Error {
  return apiErrors.unclassified(`value cannot be set because .${names.join('.')} is not a map[string]interface{}`);
}
