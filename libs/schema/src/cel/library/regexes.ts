/** `find` and `findAll`. */
import { method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { noOverload } from '../values/order.js';
import { find, findAll } from '../values/regex.js';
import { intType, listType, stringType } from '../types/types.js';

const all: Implementation = (text, pattern, limit) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noOverload;
  return findAll(text, pattern, limit === undefined ? -1 : Number(limit));
};

/** Searching with regular expressions. */
export const regexFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'find',
    overloads: [
      method('string_find_string', [stringType, stringType], stringType, (text, pattern) =>
        typeof text === 'string' && typeof pattern === 'string' ? find(text, pattern) : noOverload,
      ),
    ],
  },
  {
    name: 'findAll',
    overloads: [
      method('string_find_all_string', [stringType, stringType], listType(stringType), all),
      method('string_find_all_string_int', [stringType, stringType, intType], listType(stringType), all),
    ],
  },
];
