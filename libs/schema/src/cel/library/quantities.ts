/** Resource quantities. */
import { addQuantity, compareQuantity, parseQuantity, QuantityError, subQuantity } from '@capstan/meta';
import type { Quantity } from '@capstan/meta';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { noOverload } from '../values/order.js';
import { boolType, doubleType, intType, stringType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelDouble, CelError, CelOpaque, fitsInt, normalInt } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { quantityType } from './kinds.js';

/** value × 10^scale in 64 bits: the server's fast form, which alone knows about being an integer. */
interface Amount {
  readonly value: bigint;
  readonly scale: number;
}

class CelQuantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;
  readonly amount: Amount | undefined;
  constructor(quantity: Quantity, amount: Amount | undefined) {
    super();
    this.quantity = quantity;
    this.amount = amount;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && compareQuantity(this.quantity, other.quantity) === 0;
  }
}

const shape = /^([+-]?)0*(\d*)(?:\.(\d*))?(.*)$/s;
const decimalScales: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryScales = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Parts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

function partsOf(text: string): Parts {
  const [, sign, whole = '', fraction = '', suffix = ''] = shape.exec(text) ?? [];
  return { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction, suffix };
}

/** Powers of two: only whole numbers, and only few digits. */
function binaryAmount({ whole, fraction }: Parts, power: number): Amount | undefined {
  const precision = 15 - whole.length - Math.trunc((power * 3) / 10) - 1;
  return fraction !== '' || precision < 0 ? undefined : { value: BigInt(whole) << BigInt(power), scale: 0 };
}

function decimalAmount({ whole, fraction, suffix }: Parts): Amount | undefined {
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const scale = (exponent === undefined ? (decimalScales[suffix] ?? 0) : Number(exponent)) - fraction.length;
  const digits = whole + fraction;
  return digits.length > 18 || scale < -9 ? undefined : { value: BigInt(digits), scale };
}

/** The fast form of a text, when it is short enough for the server to take it. */
function amountOf(text: string): Amount | undefined {
  const parts = partsOf(text);
  const binary = binaryScales.indexOf(parts.suffix);
  const amount = binary === -1 ? decimalAmount(parts) : binaryAmount(parts, (binary + 1) * 10);
  if (amount === undefined || !fitsInt(amount.value)) return undefined;
  return parts.negative ? { value: -amount.value, scale: amount.scale } : amount;
}

function toQuantity(value: CelValue): CelValue {
  if (typeof value !== 'string') return noOverload;
  try {
    return new CelQuantity(parseQuantity(value), amountOf(value));
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message);
    throw error;
  }
}

/** The integer it is, or undefined; a written fraction makes it none even when that is zero. */
function integerOf({ amount }: CelQuantity): bigint | undefined {
  if (amount === undefined || amount.scale < 0) return undefined;
  const value = amount.scale > 18 && amount.value !== 0n ? undefined : amount.value * 10n ** BigInt(amount.scale);
  return value !== undefined && fitsInt(value) ? value : undefined;
}

function addAmounts(a: Amount | undefined, b: Amount | undefined): Amount | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (b.value === 0n) return a;
  if (a.value === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const left = a.value * 10n ** BigInt(a.scale - scale);
  const right = b.value * 10n ** BigInt(b.scale - scale);
  return [left, right, left + right].every(fitsInt) ? { value: left + right, scale } : undefined;
}

function operand(value: CelValue): CelQuantity | undefined {
  if (value instanceof CelQuantity) return value;
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const whole = BigInt(value);
  return new CelQuantity({ mantissa: whole, exponent: 0, format: 'DecimalExponent' }, { value: whole, scale: 0 });
}

function combine(negative: boolean): Implementation {
  return (a, b) => {
    const right = operand(b);
    if (!(a instanceof CelQuantity) || right === undefined) return noOverload;
    const other = right.amount && {
      value: negative ? -right.amount.value : right.amount.value,
      scale: right.amount.scale,
    };
    const sum = negative ? subQuantity(a.quantity, right.quantity) : addQuantity(a.quantity, right.quantity);
    return new CelQuantity(sum, addAmounts(a.amount, other));
  };
}

function approximate(quantity: CelQuantity): number {
  const { amount } = quantity;
  if (amount !== undefined) return Number(amount.value) * 10 ** amount.scale;
  return Number(quantity.quantity.mantissa) * 10 ** quantity.quantity.exponent;
}

function unary(run: (quantity: CelQuantity) => CelValue): Implementation {
  return (quantity) => (quantity instanceof CelQuantity ? run(quantity) : noOverload);
}

function compared(run: (order: number) => CelValue): Implementation {
  return (a, b) =>
    a instanceof CelQuantity && b instanceof CelQuantity ? run(compareQuantity(a.quantity, b.quantity)) : noOverload;
}

function both(name: string, id: string, type: CelType, run: Implementation): FunctionDeclaration {
  return { name, overloads: [method(id, [quantityType, quantityType], type, run)] };
}

function change(name: string, run: Implementation): FunctionDeclaration {
  return {
    name,
    overloads: [
      method(`quantity_${name}`, [quantityType, quantityType], quantityType, run),
      method(`quantity_${name}_int`, [quantityType, intType], quantityType, run),
    ],
  };
}

/** Functions on quantities. */
export const quantityFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'quantity',
    overloads: [global('string_to_quantity', [stringType], quantityType, toQuantity)],
  },
  {
    name: 'isQuantity',
    overloads: [
      global('is_quantity_string', [stringType], boolType, (text) => toQuantity(text) instanceof CelQuantity),
    ],
  },
  {
    name: 'sign',
    overloads: [
      global(
        'quantity_sign',
        [quantityType],
        intType,
        unary(({ quantity: { mantissa } }) => (mantissa < 0n ? -1 : mantissa > 0n ? 1 : 0)),
      ),
    ],
  },
  both(
    'isGreaterThan',
    'quantity_is_greater_than',
    boolType,
    compared((order) => order > 0),
  ),
  both(
    'isLessThan',
    'quantity_is_less_than',
    boolType,
    compared((order) => order < 0),
  ),
  both(
    'compareTo',
    'quantity_compare_to',
    intType,
    compared((order) => order),
  ),
  {
    name: 'asApproximateFloat',
    overloads: [
      method(
        'quantity_get_float',
        [quantityType],
        doubleType,
        unary((quantity) => new CelDouble(approximate(quantity))),
      ),
    ],
  },
  {
    name: 'asInteger',
    overloads: [
      method(
        'quantity_get_int',
        [quantityType],
        intType,
        unary((quantity) => {
          const value = integerOf(quantity);
          return value === undefined ? new CelError('cannot convert value to integer') : normalInt(value);
        }),
      ),
    ],
  },
  {
    name: 'isInteger',
    overloads: [
      method(
        'quantity_is_integer',
        [quantityType],
        boolType,
        unary((quantity) => integerOf(quantity) !== undefined),
      ),
    ],
  },
  change('add', combine(false)),
  change('sub', combine(true)),
];
