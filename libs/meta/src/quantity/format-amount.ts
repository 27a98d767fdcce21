import { trimEndOf } from '../trim.js';
import type { Quantity } from './quantity.js';

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** The whole value when it is an integer of at least 1024 either way; such values alone are written in binary. */
function binaryInteger(mantissa: bigint, exponent: number): bigint | undefined {
  // A mantissa without factors of ten is an integer exactly when the exponent is not negative.
  if (exponent < 0 || exponent > 4096) return undefined;
  const value = mantissa * 10n ** BigInt(exponent);
  return value >= 1024n || value <= -1024n ? value : undefined;
}

function formatBinary(value: bigint): string {
  let amount = value;
  let power = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${binarySuffixes[power] ?? ''}`;
}

/** The canonical text: largest suffix that leaves an integer. Beyond the last suffix the server writes none. */
export function formatAmount(quantity: Quantity): string {
  let { mantissa, exponent } = quantity;
  if (mantissa === 0n) return '0';
  // Zero by zero a long mantissa would be divided as often as it has digits.
  const digits = mantissa.toString();
  const significant = trimEndOf(digits, '0');
  if (significant.length < digits.length) {
    exponent += digits.length - significant.length;
    mantissa = BigInt(significant);
  }
  if (quantity.format === 'BinarySI') {
    const value = binaryInteger(mantissa, exponent);
    if (value !== undefined) return formatBinary(value);
  }
  while (exponent % 3 !== 0) {
    mantissa *= 10n;
    exponent--;
  }
  if (quantity.format === 'DecimalExponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  return `${mantissa}${decimalSuffixes[exponent / 3 + 3] ?? ''}`;
}
