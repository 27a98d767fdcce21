/** One condition on the labels of an object, checked once and compiled to a function. */
import { pushAll } from '../lists.js';
import {
  fieldErrorsMessage,
  indexField,
  invalid,
  joinField,
  keyField,
  notSupported,
  type FieldError,
} from '../validation/field-error.js';
import { compareBytes } from '../json/compare-bytes.js';
import { checkLabelValue, checkQualifiedName } from '../validation/names.js';

/** The labels of an object; absent is empty. */
export type Labels = Readonly<Record<string, string>> | undefined;

/** How key and values relate, spelt as the selector language spells it. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** The operators between a key and values, in the order messages list them. */
export const binaryOperators: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];
const allOperators: readonly LabelOperator[] = [...binaryOperators, 'exists', '!'];

/** A selector that cannot be understood. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  /** The complaints about keys and values, where the message is made of such. */
  readonly fieldErrors: readonly FieldError[];

  constructor(message: string, fieldErrors: readonly FieldError[] = []) {
    super(message);
    this.fieldErrors = fieldErrors;
  }
}

/** One checked condition. Build it with {@link labelRequirement}. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  matches(this: void, labels: Labels): boolean;
}

const integer = /^[+-]?[0-9]+$/;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** A decimal integer of 64 bits; exact, so bigint. */
function parseInt64(text: string): bigint | undefined {
  if (!integer.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value < minInt64 || value > maxInt64 ? undefined : value;
}

/** The problem with a key: one field error however many complaints. */
export function checkRequirementKey(key: string, path: string): FieldError | undefined {
  const complaints = checkQualifiedName(key);
  return complaints.length === 0 ? undefined : invalid(path, key, complaints.join('; '));
}

function checkValueCount(operator: string, values: readonly string[], path: string): FieldError[] {
  const valuesPath = joinField(path, 'values');
  // Go sees an empty list as nil here and prints null.
  const shown = values.length === 0 ? null : values;
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return [];
      return [invalid(valuesPath, shown, "for 'in', 'notin' operators, values set can't be empty")];
    case '=':
    case '==':
    case '!=':
      if (values.length === 1) return [];
      return [invalid(valuesPath, shown, 'exact-match compatibility requires one single value')];
    case 'exists':
    case '!':
      if (values.length === 0) return [];
      return [invalid(valuesPath, shown, 'values set must be empty for exists and does not exist')];
    case 'gt':
    case 'lt':
      return checkIntegers(values, shown, valuesPath);
    default:
      return [notSupported(joinField(path, 'operator'), operator, allOperators)];
  }
}

function checkIntegers(values: readonly string[], shown: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (values.length !== 1) {
    errors.push(invalid(path, shown, "for 'Gt', 'Lt' operators, exactly one value is required"));
  }
  values.forEach((value, index) => {
    if (parseInt64(value) !== undefined) return;
    errors.push(invalid(indexField(path, index), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
  });
  return errors;
}

function checkRequirement(key: string, operator: string, values: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keyError = checkRequirementKey(key, joinField(path, 'key'));
  if (keyError !== undefined) errors.push(keyError);
  pushAll(errors, checkValueCount(operator, values, path));
  const valuesPath = joinField(path, 'values');
  values.forEach((value, index) => {
    const complaints = checkLabelValue(value);
    if (complaints.length === 0) return;
    errors.push(invalid(keyField(indexField(valuesPath, index), key), value, complaints.join('; ')));
  });
  return errors;
}

/** From this many values on a Set is faster than a scan. */
const setFrom = 8;

/**
 * Values are always strings, so an inherited member of the labels object (`constructor`) is distinguished from a label by
 * its type: no own-property check is needed.
 */
function compile(key: string, operator: LabelOperator, values: readonly string[]): (labels: Labels) => boolean {
  const first = values[0] ?? '';
  switch (operator) {
    case 'exists':
      return (labels) => labels !== undefined && typeof labels[key] === 'string';
    case '!':
      return (labels) => labels === undefined || typeof labels[key] !== 'string';
    case 'gt':
    case 'lt':
      return compileComparison(key, operator, first);
    case '=':
    case '==':
      return (labels) => labels !== undefined && labels[key] === first;
    case '!=':
      return (labels) => labels === undefined || labels[key] !== first;
    case 'in':
    case 'notin':
      return compileSet(key, operator === 'in', values);
  }
}

function compileSet(key: string, wanted: boolean, values: readonly string[]): (labels: Labels) => boolean {
  if (values.length >= setFrom) {
    const set = new Set<unknown>(values);
    return (labels) => (labels !== undefined && set.has(labels[key])) === wanted;
  }
  const list: readonly unknown[] = values;
  return (labels) => (labels !== undefined && list.includes(labels[key])) === wanted;
}

function compileComparison(key: string, operator: 'gt' | 'lt', text: string): (labels: Labels) => boolean {
  const bound = parseInt64(text);
  return (labels) => {
    const label: unknown = labels?.[key];
    const value = typeof label === 'string' ? parseInt64(label) : undefined;
    if (value === undefined || bound === undefined) return false;
    return operator === 'gt' ? value > bound : value < bound;
  };
}

function isOperator(operator: string): operator is LabelOperator {
  return (allOperators as readonly string[]).includes(operator);
}

/** A condition without its checks, for labels that were validated before. */
export function trustedRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  return { key, operator, values, matches: compile(key, operator, values) };
}

/** A checked condition; throws {@link SelectorError}. `path` is where messages say it stands. */
export function labelRequirement(
  key: string,
  operator: string,
  values: readonly string[],
  path = '',
): LabelRequirement {
  const errors = checkRequirement(key, operator, values, path);
  if (errors.length > 0 || !isOperator(operator)) throw new SelectorError(fieldErrorsMessage(errors), errors);
  return trustedRequirement(key, operator, values);
}

const infix: Readonly<Record<LabelOperator, string>> = {
  '=': '=',
  '==': '==',
  '!=': '!=',
  in: ' in ',
  notin: ' notin ',
  gt: '>',
  lt: '<',
  exists: '',
  '!': '',
};

/** The condition in the selector language, its values sorted. */
export function formatRequirement(requirement: LabelRequirement): string {
  const { key, operator, values } = requirement;
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const list = values.length > 1 ? [...values].sort(compareBytes).join(',') : (values[0] ?? '');
  return operator === 'in' || operator === 'notin'
    ? `${key}${infix[operator]}(${list})`
    : `${key}${infix[operator]}${list}`;
}
