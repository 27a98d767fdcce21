/** Kubernetes resource quantities, exact: a mantissa times a power of ten, and the family of suffixes it was written in. */
import { formatAmount } from './format-amount.js';
import { parseParts, QuantityError } from './parse-parts.js';
import { Recent } from '../recent.js';

/** Which suffixes a quantity is written with: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

/** The value is `mantissa` × 10^`exponent`. */
export interface Quantity {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The text it was read from, where the server repeats that text instead of a canonical form. */
  readonly text?: string;
}

const RECENT_TEXTS = 512;
/** What is longer was hardly written by anybody, and is not worth the room. */
const LONGEST_REMEMBERED = 32;
/** The same few amounts come again and again: nodes of a size, containers of a kind. */
const parsed = new Recent<string, Quantity>(RECENT_TEXTS);
const canonicalTexts = new Recent<string, string>(RECENT_TEXTS);
const ZERO: Quantity = { mantissa: 0n, exponent: 0, format: 'DecimalSI', text: '0' };

/** Parses as the server does: rounded up to nano, binary suffixes capped at int64. Throws {@link QuantityError}. */
export function parseQuantity(text: string): Quantity {
  if (text === '') throw new QuantityError('format');
  if (text === '0') return ZERO;
  return remembered(parsed, text, parseParts);
}

function remembered<T>(recent: Recent<string, T>, text: string, make: (text: string) => T): T {
  let found = recent.get(text);
  if (found !== undefined) return found;
  found = make(text);
  if (text.length <= LONGEST_REMEMBERED) recent.set(text, found);
  return found;
}

/** Reads a quantity from a JSON value: a string (blanks around it allowed), a number, or null for zero. */
export function quantityFromJson(value: unknown): Quantity {
  if (value === null || value === undefined) return { mantissa: 0n, exponent: 0, format: 'DecimalSI' };
  if (typeof value === 'string') return parseQuantity(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint') return parseQuantity(String(value));
  return parseQuantity(JSON.stringify(value));
}

/** The text the server stores and shows. */
export function formatQuantity(quantity: Quantity): string {
  return quantity.text ?? formatAmount(quantity);
}

/** Parse and format in one: `0.5` gives `500m`. */
export function canonicalQuantity(text: string): string {
  return remembered(canonicalTexts, text, (written) => formatQuantity(parseQuantity(written)));
}

/** Number of decimal digits before the last, i.e. the power of ten the value reaches. */
function magnitude(quantity: Quantity): number {
  const digits = quantity.mantissa < 0n ? quantity.mantissa.toString().length - 1 : quantity.mantissa.toString().length;
  return digits + quantity.exponent;
}

/** Powers of ten, further than any amount of anything. What is as much smaller adds nothing, and would have a digit per power. */
const FARTHEST = 4096;

interface Aligned {
  readonly left: bigint;
  readonly right: bigint;
  readonly exponent: number;
}

/** Both mantissas on the smaller exponent; the caller knows that the two are not far apart. */
function align(a: Quantity, b: Quantity): Aligned {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    left: a.mantissa * 10n ** BigInt(a.exponent - exponent),
    right: b.mantissa * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
}

/** What is added: of two that are too far apart the larger alone. */
function summands(a: Quantity, b: Quantity): Aligned {
  const leftOnly = { left: a.mantissa, right: 0n, exponent: a.exponent };
  const rightOnly = { left: 0n, right: b.mantissa, exponent: b.exponent };
  if (a.mantissa === 0n) return rightOnly;
  if (b.mantissa === 0n) return leftOnly;
  const apart = magnitude(a) - magnitude(b);
  if (Math.abs(apart) > FARTHEST) return apart > 0 ? leftOnly : rightOnly;
  return align(a, b);
}

function sign(value: bigint): -1 | 0 | 1 {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const signA = sign(a.mantissa);
  const signB = sign(b.mantissa);
  if (signA !== signB) return signA < signB ? -1 : 1;
  if (signA === 0) return 0;
  const reachA = magnitude(a);
  const reachB = magnitude(b);
  if (reachA !== reachB) return reachA < reachB === signA > 0 ? -1 : 1;
  const { left, right } = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum, in the format of a unless a is zero. */
export function addQuantity(a: Quantity, b: Quantity): Quantity {
  const { left, right, exponent } = summands(a, b);
  return { mantissa: left + right, exponent, format: a.mantissa === 0n ? b.format : a.format };
}

/** The difference, in the format of a unless a is zero. */
export function subQuantity(a: Quantity, b: Quantity): Quantity {
  return addQuantity(a, { ...b, mantissa: -b.mantissa });
}

/**
 * The value in units of 10^`scale`, rounded away from zero: scale 0 gives units, -3 thousandths. Clients may write any
 * amount, so beyond what anything has it is only as large as that.
 */
export function scaledQuantity(quantity: Quantity, scale: number): bigint {
  const { mantissa, exponent } = quantity;
  if (mantissa === 0n) return 0n;
  const shift = exponent - scale;
  if (shift >= 0) return mantissa * 10n ** BigInt(Math.min(shift, FARTHEST));
  if (magnitude(quantity) < scale) return mantissa < 0n ? -1n : 1n;
  const divisor = 10n ** BigInt(-shift);
  const whole = mantissa / divisor;
  return mantissa % divisor === 0n ? whole : whole + (mantissa < 0n ? -1n : 1n);
}
