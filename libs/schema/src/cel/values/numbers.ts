/** Arithmetic and order of ints, uints and doubles, exact over 64 bits. */
import { CelDouble, CelError, CelUint, fitsInt, normalInt } from './values.js';
import type { CelValue } from './values.js';

/** Any numeric value. */
export type CelNumber = number | bigint | CelUint | CelDouble;

const intOverflow = new CelError('integer overflow');
const uintOverflow = new CelError('unsigned integer overflow');
const maxUint = 2n ** 64n - 1n;

/** Whether it is an int, uint or double. */
export function isNumber(value: CelValue): value is CelNumber {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof CelUint || value instanceof CelDouble
  );
}

function isInt(value: CelValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Doubles meet ints as doubles, the way the server compares them. */
function asDouble(value: CelNumber): number {
  if (value instanceof CelDouble) return value.value;
  return Number(value instanceof CelUint ? value.value : value);
}

/** Order of two numbers, neither NaN. */
export function compareNumbers(a: CelNumber, b: CelNumber): -1 | 0 | 1 {
  if (a instanceof CelDouble || b instanceof CelDouble) {
    const left = asDouble(a);
    const right = asDouble(b);
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  return left < right ? -1 : left > right ? 1 : 0;
}

function checkedInt(value: bigint): CelValue {
  return fitsInt(value) ? normalInt(value) : intOverflow;
}

function checkedUint(value: bigint): CelValue {
  return value < 0n || value > maxUint ? uintOverflow : new CelUint(value);
}

/** The four operations and the remainder. */
export type Operator = '+' | '-' | '*' | '/' | '%';

function safe(operator: Operator, a: number, b: number): number {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  return operator === '*' ? a * b : Number.NaN;
}

function integers(operator: Operator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function byZero(operator: Operator): CelError {
  return new CelError(operator === '/' ? 'division by zero' : 'modulus by zero');
}

/** The result of two safe integers if it is one too; quotients and remainders always are. */
function safeArithmetic(operator: Operator, a: number, b: number): number | undefined {
  // Adding zero turns -0 into 0.
  if (operator === '/') return Math.trunc(a / b) + 0;
  if (operator === '%') return (a % b) + 0;
  const result = safe(operator, a, b);
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function intArithmetic(operator: Operator, a: number | bigint, b: number | bigint): CelValue {
  if ((operator === '/' || operator === '%') && (b === 0 || b === 0n)) return byZero(operator);
  const quick = typeof a === 'number' && typeof b === 'number' ? safeArithmetic(operator, a, b) : undefined;
  if (quick !== undefined) return quick;
  // The one remainder that overflows in two's complement.
  if (operator === '%' && b === -1 && a === -(2n ** 63n)) return intOverflow;
  return checkedInt(integers(operator, BigInt(a), BigInt(b)));
}

function doubleArithmetic(operator: Operator, a: number, b: number): CelDouble | undefined {
  if (operator === '%') return undefined;
  return new CelDouble(operator === '/' ? a / b : safe(operator, a, b));
}

/** The result, or undefined when these two do not go together. */
export function arithmetic(operator: Operator, a: CelValue, b: CelValue): CelValue {
  if (isInt(a)) return isInt(b) ? intArithmetic(operator, a, b) : undefined;
  if (a instanceof CelDouble) return b instanceof CelDouble ? doubleArithmetic(operator, a.value, b.value) : undefined;
  if (!(a instanceof CelUint) || !(b instanceof CelUint)) return undefined;
  if ((operator === '/' || operator === '%') && b.value === 0n) return byZero(operator);
  return checkedUint(integers(operator, a.value, b.value));
}

/** The opposite of an int or a double. */
export function negate(value: number | bigint | CelDouble): CelValue {
  if (value instanceof CelDouble) return new CelDouble(-value.value);
  return typeof value === 'number' ? 0 - value : checkedInt(-value);
}

/** An int from a bigint, or the overflow. */
export function intOf(value: bigint): CelValue {
  return checkedInt(value);
}

/** A uint from a bigint, or the overflow. */
export function uintOf(value: bigint): CelValue {
  return checkedUint(value);
}
