/** Whether a value fits the declared type of an argument, as far as the server looks. */
import { isList, isMap, listAt, listSize, mapFind, mapKeys } from './collections.js';
import { dynType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { kindOf, typeNameOf } from './values.js';
import type { CelValue } from './values.js';

function matchesList(element: CelType, value: CelValue): boolean {
  return isList(value) && (listSize(value) === 0 || matchesType(element, listAt(value, 0)));
}

function matchesMap(key: CelType, item: CelType, value: CelValue): boolean {
  if (!isMap(value)) return false;
  const [first] = mapKeys(value);
  return first === undefined || (matchesType(key, first) && matchesType(item, mapFind(value, first)));
}

/** Looks at the first element of lists and maps only. */
export function matchesType(type: CelType, value: CelValue): boolean {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true;
    case 'list':
      return matchesList(first, value);
    case 'map':
      return matchesMap(first, second, value);
    case 'object':
    case 'opaque':
      return typeNameOf(value) === type.name;
    default:
      return kindOf(value) === type.kind;
  }
}
