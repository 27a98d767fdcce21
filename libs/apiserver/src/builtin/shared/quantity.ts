/** Quantities as exact numbers. Only normalised quantities come here, so they parse. */
import { canonicalQuantity, compareQuantity, quantityFromJson, scaledQuantity } from '@capstan/meta';

/** A quantity in nano-units, its smallest unit. */
export function nanosOf(quantity: unknown): bigint {
  return quantity === undefined ? 0n : scaledQuantity(quantityFromJson(quantity), -9);
}

/** -1, 0 or 1; absent counts as 0. */
export function compareQuantities(a: unknown, b: unknown): number {
  return a === b ? 0 : compareQuantity(quantityFromJson(a), quantityFromJson(b));
}

/** Whether the quantity is less than nothing. */
export function isNegative(quantity: unknown): boolean {
  return quantityFromJson(quantity).mantissa < 0n;
}

/** Whether the quantity is a whole number, looking no closer than milli-units as the server does. */
export function isWhole(quantity: unknown): boolean {
  const amount = quantityFromJson(quantity);
  return amount.exponent >= 0 || scaledQuantity(amount, -3) % 1000n === 0n;
}

/** The server keeps resources in milli-units and rounds finer ones up; only what is written with something below milli can be finer. */
export function roundUpToMilli(quantity: unknown): unknown {
  if (typeof quantity !== 'string' || !/[nu]$|e-[4-9]$|e-\d\d/i.test(quantity)) return quantity;
  const milli = scaledQuantity(quantityFromJson(quantity), -3);
  if (!/[nu]$/.test(quantity)) return canonicalQuantity(`${milli}e-3`);
  return milli % 1000n === 0n ? String(milli / 1000n) : `${milli}m`;
}
