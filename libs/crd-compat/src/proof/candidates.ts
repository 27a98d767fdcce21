/** Values without parts that are worth trying. */
import type { SchemaNode } from '@capstan/schema';
import { Dice } from './random.js';
import { constantsOf, patternsOf, textsMatching, textsOf } from './texts.js';

/** Texts of a node do not depend on the order of calls. */
const textSeed = 0x7e57;

const anything: readonly unknown[] = ['text', 7, true, {}, [], 1.5, { key: 'value' }];

function numbersOf(node: SchemaNode): number[] {
  const { maximum, minimum, multipleOf } = node;
  const numbers = [1, 0, 2, 3, 7, 10, 100, -1, 1.5, 1000, 65_535, 1e6, 2 ** 31, -(2 ** 31) - 1, 2 ** 40];
  for (const bound of [minimum, maximum]) {
    if (bound !== undefined) numbers.unshift(bound, Math.ceil(bound), Math.floor(bound), bound + 1, bound - 1);
  }
  if (minimum !== undefined && maximum !== undefined) numbers.push((minimum + maximum) / 2);
  if (multipleOf === undefined) return numbers;
  const base = Math.ceil((minimum ?? 0) / multipleOf) * multipleOf;
  return [base, base + multipleOf, base + 2 * multipleOf, ...numbers];
}

/** Scalar values that a node may accept; the caller checks them. */
export function candidatesOf(node: SchemaNode): unknown[] {
  if (node.enum !== undefined) return [...node.enum];
  const hints = node.rules.flatMap(({ rule }) => constantsOf(rule));
  const patterns = node.rules.flatMap(({ rule }) => patternsOf(rule));
  const matching = patterns.flatMap((pattern) => textsMatching(pattern, new Dice(textSeed), 32));
  return [...matching, ...plainCandidates(node), ...hints];
}

function plainCandidates(node: SchemaNode): unknown[] {
  if (node.intOrString)
    return [...numbersOf(node).filter(Number.isSafeInteger), ...textsOf(node, new Dice(textSeed), 8)];
  switch (node.type) {
    case 'boolean':
      return [true, false];
    case 'integer':
      return numbersOf(node).filter(Number.isSafeInteger);
    case 'number':
      return numbersOf(node);
    case 'string':
      return textCandidates(node);
    case '':
      return [...anything];
    default:
      return [];
  }
}

/** Texts; and a list, which passes where there is a format. */
function textCandidates(node: SchemaNode): unknown[] {
  const texts: unknown[] = [...textsOf(node, new Dice(textSeed), 24)];
  if (node.format !== '') texts.splice(2, 0, []);
  return texts;
}
