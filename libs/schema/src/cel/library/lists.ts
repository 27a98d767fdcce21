/** Functions on lists: Kubernetes' own, and the list extension. */
import { isList, listAt, listItems, listSize } from '../values/collections.js';
import type { CelList } from '../values/collections.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { equals } from '../values/equality.js';
import { add, compare, isComparable, noOverload } from '../values/order.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  paramType,
  stringType,
  timestampType,
  uintType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelDouble, CelDuration, CelError, CelUint, isError, typeNameOf } from '../values/values.js';
import type { CelValue } from '../values/values.js';

const t = paramType('T');
const listT = listType(t);
const mapKV = mapType(paramType('K'), paramType('V'));

const comparable: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];
const summable: readonly (readonly [string, CelType, CelValue])[] = [
  ['int', intType, 0],
  ['uint', uintType, new CelUint(0n)],
  ['double', doubleType, new CelDouble(0)],
  ['duration', durationType, new CelDuration(0n)],
];

function onList(run: (list: CelList, b: CelValue, c: CelValue) => CelValue): Implementation {
  return (list, b, c) => (isList(list) ? run(list, b, c) : noOverload);
}

/** The error of the first element that has no order. */
function incomparable(items: readonly CelValue[]): CelError | undefined {
  const at = items.findIndex((item) => !isComparable(item));
  if (at === -1) return undefined;
  const odd = items[at];
  return isError(odd) ? odd : noOverload;
}

const isSorted = onList((list) => {
  const items = listItems(list);
  const odd = incomparable(items);
  if (odd !== undefined) return odd;
  return items.every((item, i) => i === 0 || compare(items[i - 1], item) !== 1);
});

function sum(zero: CelValue): Implementation {
  return onList((list) => {
    let total = zero;
    for (const item of listItems(list)) {
      total = add(total, item);
      if (isError(total)) return total;
    }
    return total;
  });
}

function extreme(name: string, worse: 1 | -1): Implementation {
  return onList((list) => {
    const items = listItems(list);
    const odd = incomparable(items);
    if (odd !== undefined) return odd;
    if (items.length === 0) return new CelError(`${name} called on empty list`);
    let best = items[0];
    for (const item of items) if (compare(best, item) === worse) best = item;
    return best;
  });
}

function position(last: boolean): Implementation {
  return onList((list, item) => {
    const found = (other: CelValue): boolean => equals(other, item) === true;
    return last ? listItems(list).findLastIndex(found) : listItems(list).findIndex(found);
  });
}

/** `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */
export const kubernetesListFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'isSorted',
    overloads: comparable.map(([id, type]) =>
      method(`list_${id}_is_sorted_bool`, [listType(type)], boolType, isSorted),
    ),
  },
  {
    name: 'sum',
    overloads: summable.map(([id, type, zero]) => method(`list_${id}_sum_${id}`, [listType(type)], type, sum(zero))),
  },
  {
    name: 'max',
    overloads: comparable.map(([id, type]) =>
      method(`list_${id}_max_${id}`, [listType(type)], type, extreme('max', -1)),
    ),
  },
  {
    name: 'min',
    overloads: comparable.map(([id, type]) =>
      method(`list_${id}_min_${id}`, [listType(type)], type, extreme('min', 1)),
    ),
  },
  {
    name: 'indexOf',
    overloads: [method('list_a_index_of_int', [listT, t], intType, position(false))],
  },
  {
    name: 'lastIndexOf',
    overloads: [method('list_a_last_index_of_int', [listT, t], intType, position(true))],
  },
];

const slice = onList((list, from, to) => {
  const [start, end] = [Number(from), Number(to)];
  const call = `cannot slice(${String(from)}, ${String(to)})`;
  if (start < 0 || end < 0) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (listSize(list) < end) return new CelError(`${call}, list is length ${listSize(list)}`);
  return listItems(list).slice(start, end);
});

function flattened(list: CelList, depth: number): CelValue[] {
  return listItems(list).flatMap((item) => (depth > 0 && isList(item) ? flattened(item, depth - 1) : [item]));
}

const flatten = onList((list, depth) => {
  const levels = depth === undefined ? 1 : Number(depth);
  return levels < 0 ? new CelError('level must be non-negative') : flattened(list, levels);
});

const maxRange = 10_000_000;

function range(count: CelValue): CelValue {
  // Nothing within the cost limit is longer.
  if (Number(count) > maxRange) return new CelError('operation cancelled: actual cost limit exceeded');
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => i);
}

const distinct = onList((list) => {
  const found: CelValue[] = [];
  for (const item of listItems(list)) if (!found.some((other) => equals(item, other) === true)) found.push(item);
  return found;
});

function sortBy(list: CelValue, keys: CelValue): CelValue {
  if (!isList(list) || !isList(keys)) return noOverload;
  const size = listSize(list);
  if (size !== listSize(keys)) {
    const text = 'expected a list of the same size as the associated keys list';
    return new CelError(`@sortByAssociatedKeys() ${text}, but got ${size} and ${listSize(keys)} elements respectively`);
  }
  if (size === 0) return list;
  const order = listItems(keys);
  if (!isComparable(order[0])) return new CelError('list elements must be comparable');
  const kind = typeNameOf(order[0]);
  if (size > 1 && order.some((key) => typeNameOf(key) !== kind)) {
    return new CelError('list elements must have the same type');
  }
  const places = order.map((_, i) => i).sort((a, b) => Number(compare(order[a], order[b])));
  return places.map((place) => listAt(list, place));
}

/** `slice`, `flatten`, `sort`, `sortBy`, `lists.range`, `reverse`, `distinct`. */
export const listFunctions: readonly FunctionDeclaration[] = [
  { name: 'slice', overloads: [method('list_slice', [listT, intType, intType], listT, slice)] },
  {
    name: 'flatten',
    overloads: [
      method('list_flatten', [listType(listT)], listT, flatten),
      method('list_flatten_int', [listType(dynType), intType], listType(dynType), flatten),
    ],
    unguarded: true,
  },
  {
    name: 'sort',
    overloads: comparable.map(([, type]) => method(`list_${type.name}_sort`, [listType(type)], listType(type))),
    run: (list) => sortBy(list, list),
    accepts: isList,
  },
  {
    name: '@sortByAssociatedKeys',
    overloads: comparable.map(([, type]) =>
      method(`list_${type.name}_sortByAssociatedKeys`, [listT, listType(type)], listT),
    ),
    run: sortBy,
    accepts: isList,
  },
  { name: 'lists.range', overloads: [global('lists_range', [intType], listType(intType), range)] },
  {
    name: 'reverse',
    overloads: [
      method(
        'list_reverse',
        [listT],
        listT,
        onList((list) => [...listItems(list)].reverse()),
      ),
    ],
  },
  { name: 'distinct', overloads: [method('list_distinct', [listT], listT, distinct)] },
  {
    name: 'cel.@mapInsert',
    overloads: [
      global('@mapInsert_map_key_value', [mapKV, paramType('K'), paramType('V')], mapKV),
      global('@mapInsert_map_map', [mapKV, mapKV], mapKV),
    ],
  },
];
