/** Whether a value fits the declared type of an argument, as far as the server looks. */
import { isList, isMap, listAt, listSize, mapFind, mapKeys } from './collections.js';
import type { CelType } from './types.js';
import { CelOptional, kindOf, typeNameOf } from './values.js';
import type { CelValue } from './values.js';

/** Looks at the first element of lists and maps only. */
export function matchesType(type: CelType, value: CelValue): boolean {
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  const [first, second] = type.params;
  if (type.kind === 'list') {
    return isList(value) && (listSize(value) === 0 || first === undefined || matchesType(first, listAt(value, 0)));
  }
  if (type.kind === 'map') {
    if (!isMap(value)) return false;
    const [key] = mapKeys(value);
    if (key === undefined || first === undefined || second === undefined) return true;
    return matchesType(first, key) && matchesType(second, mapFind(value, key));
  }
  if (type.kind === 'opaque' && type.name === 'optional_type') return value instanceof CelOptional;
  if (type.kind === 'object' || type.kind === 'opaque') return typeNameOf(value) === type.name;
  return kindOf(value) === type.kind;
}
