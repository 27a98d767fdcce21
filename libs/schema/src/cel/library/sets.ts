/** Lists taken as sets. */
import { isList, listItems } from '../values/collections.js';
import type { CelList } from '../values/collections.js';
import { global } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { listContains } from '../values/equality.js';
import { noOverload } from '../values/order.js';
import { boolType, listType, paramType } from '../types/types.js';
import type { CelValue } from '../values/values.js';

const listT = listType(paramType('T'));

function containsAll(list: CelList, part: CelList): CelValue {
  for (const item of listItems(part)) {
    const found = listContains(list, item);
    if (found !== true) return found;
  }
  return true;
}

function onLists(run: (a: CelList, b: CelList) => CelValue): Implementation {
  return (a, b) => (isList(a) && isList(b) ? run(a, b) : noOverload);
}

/** `sets.contains`, `sets.equivalent`, `sets.intersects`. */
export const setFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'sets.contains',
    overloads: [global('list_sets_contains_list', [listT, listT], boolType, onLists(containsAll))],
  },
  {
    name: 'sets.equivalent',
    overloads: [
      global(
        'list_sets_equivalent_list',
        [listT, listT],
        boolType,
        onLists((a, b) => {
          const contained = containsAll(a, b);
          return contained === true ? containsAll(b, a) : contained;
        }),
      ),
    ],
  },
  {
    name: 'sets.intersects',
    overloads: [
      global(
        'list_sets_intersects_list',
        [listT, listT],
        boolType,
        onLists((a, b) => listItems(a).some((item) => listContains(b, item) === true)),
      ),
    ],
  },
];
