/** Optional values. */
import { isList, isMap, listAt, listItems, listSize, mapSize } from '../values/collections.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { boolType, dynType, intType, listType, mapType, optionalType, paramType, stringType } from '../types/types.js';
import { sizeOf } from './standard.js';
import {
  CelBoxed,
  CelDouble,
  CelDuration,
  CelError,
  CelOptional,
  CelTimestamp,
  CelUint,
  optionalNone,
  optionalOf,
  typeNameOf,
} from '../values/values.js';
import type { CelValue } from '../values/values.js';

const k = paramType('K');
const v = paramType('V');
const optionalV = optionalType(v);
const listV = listType(v);
const mapKV = mapType(k, v);
const listOptionalV = listType(optionalV);

/** Whether the value is the empty one of its type. */
function isZero(value: CelValue): boolean {
  if (value instanceof CelBoxed) return isZeroBox(value);
  if (isList(value)) return listSize(value) === 0;
  if (isMap(value)) return mapSize(value) === 0;
  return value === null || value === false || value === 0 || value === '';
}

function isZeroBox(value: CelBoxed): boolean {
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTimestamp) return value.seconds === -62_135_596_800 && value.nanos === 0;
  return sizeOf(value) === 0;
}

const unwrap: Implementation = (list) => {
  const found: CelValue[] = [];
  for (const item of isList(list) ? listItems(list) : []) {
    if (!(item instanceof CelOptional)) return new CelError(`value ${typeNameOf(item)} is not optional`);
    if (item.present) found.push(item.value);
  }
  return found;
};

function atEnd(index: (size: number) => number): Implementation {
  return (list) => {
    if (!isList(list) || listSize(list) === 0) return optionalNone;
    return optionalOf(listAt(list, index(listSize(list))));
  };
}

/** Functions on optional values; `or` and `orValue` are compiled apart. */
export const optionalFunctions: readonly FunctionDeclaration[] = [
  { name: 'optional.of', overloads: [global('optional_of', [v], optionalV, optionalOf)] },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      global('optional_ofNonZeroValue', [v], optionalV, (value) => (isZero(value) ? optionalNone : optionalOf(value))),
    ],
  },
  {
    name: 'optional.none',
    overloads: [global('optional_none', [], optionalV, () => optionalNone)],
  },
  {
    name: 'value',
    overloads: [
      method('optional_value', [optionalV], v, (optional) =>
        optional instanceof CelOptional && optional.present
          ? optional.value
          : new CelError('optional.none() dereference'),
      ),
    ],
  },
  {
    name: 'hasValue',
    overloads: [
      method(
        'optional_hasValue',
        [optionalV],
        boolType,
        (optional) => optional instanceof CelOptional && optional.present,
      ),
    ],
  },
  { name: 'or', overloads: [method('optional_or_optional', [optionalV, optionalV], optionalV)] },
  { name: 'orValue', overloads: [method('optional_orValue_value', [optionalV, v], v)] },
  { name: '_?._', overloads: [global('select_optional_field', [dynType, stringType], optionalV)] },
  {
    name: '_[?_]',
    overloads: [
      global('list_optindex_optional_int', [listV, intType], optionalV),
      global('optional_list_optindex_optional_int', [optionalType(listV), intType], optionalV),
      global('map_optindex_optional_value', [mapKV, k], optionalV),
      global('optional_map_optindex_optional_value', [optionalType(mapKV), k], optionalV),
    ],
  },
  {
    name: '_[_]',
    overloads: [
      global('optional_list_index_int', [optionalType(listV), intType], optionalV),
      global('optional_map_index_value', [optionalType(mapKV), k], optionalV),
    ],
  },
  {
    name: 'last',
    overloads: [
      method(
        'list_last',
        [listV],
        optionalV,
        atEnd((size) => size - 1),
      ),
    ],
  },
  {
    name: 'first',
    overloads: [
      method(
        'list_first',
        [listV],
        optionalV,
        atEnd(() => 0),
      ),
    ],
  },
  {
    name: 'optional.unwrap',
    overloads: [global('optional_unwrap', [listOptionalV], listV, unwrap)],
  },
  { name: 'unwrapOpt', overloads: [method('optional_unwrapOpt', [listOptionalV], listV, unwrap)] },
];
