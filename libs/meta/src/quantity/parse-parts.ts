import type { Quantity, QuantityFormat } from './quantity.js';

const messages = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  numeric: 'unable to parse numeric part of quantity',
  suffix: "unable to parse quantity's suffix",
} as const;

/** Text that is not a quantity, in the server's words. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';

  constructor(reason: keyof typeof messages) {
    super(messages[reason]);
  }
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const suffixes = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((text, at): [string, Suffix] => [
    text,
    { base: 10, exponent: at * 3 - 9, format: 'DecimalSI' },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((text, at): [string, Suffix] => [
    text,
    { base: 2, exponent: at * 10 + 10, format: 'BinarySI' },
  ]),
]);

/** Looser than the expression in the message: a lone sign or point counts as zero, as it does for the server. */
const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const nano = -9;
const maxInt64 = 2n ** 63n - 1n;
const int64Digits = 18;

function readSuffix(text: string): Suffix {
  const known = suffixes.get(text);
  if (known !== undefined) return known;
  const digits = /^[eE]([-+]?[0-9]+)$/.exec(text)?.[1];
  if (digits === undefined) throw new QuantityError('suffix');
  const exponent = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  if (BigInt.asIntN(64, exponent) !== exponent) throw new QuantityError('suffix');
  // The server narrows the exponent to 32 bits without a check.
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** Whether the server keeps the text as written: an approximation of "already canonical" on its 64-bit path. */
function keepsText(suffix: Suffix, whole: string, fraction: string, scale: number): boolean {
  const shifted = whole + fraction;
  if (suffix.base === 2) return (BigInt(shifted) & 7n) !== 0n;
  return scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** True when the value fits the server's 64-bit representation, which neither rounds nor caps. */
function isShort(suffix: Suffix, whole: string, fraction: string): boolean {
  if (suffix.base === 2) {
    return fraction === '' && 15 - whole.length - Math.trunc((suffix.exponent * 3) / 10) - 1 >= 0;
  }
  return whole.length + fraction.length <= int64Digits && suffix.exponent - fraction.length >= nano;
}

function roundUpToNano(mantissa: bigint, exponent: number): { mantissa: bigint; exponent: number } {
  if (exponent >= nano || mantissa === 0n) return { mantissa, exponent };
  const drop = nano - exponent;
  if (drop > mantissa.toString().length) return { mantissa: 1n, exponent: nano };
  const divisor = 10n ** BigInt(drop);
  return { mantissa: (mantissa + divisor - 1n) / divisor, exponent: nano };
}

/** Parses any text but the empty one and `0`. */
export function parseParts(text: string): Quantity {
  const match = parts.exec(text);
  if (match === null) throw new QuantityError('format');
  const negative = match[1] === '-';
  const whole = (match[2] ?? '').replace(/^0+/, '') || '0';
  const fraction = match[3] ?? '';
  const suffix = readSuffix(match[4] ?? '');
  const digits = BigInt(whole + fraction);
  const decimalExponent = suffix.base === 10 ? suffix.exponent - fraction.length : -fraction.length;
  const product = suffix.base === 2 ? digits << BigInt(suffix.exponent) : digits;
  if (isShort(suffix, whole, fraction)) {
    const signed = { mantissa: negative ? -product : product, exponent: decimalExponent, format: suffix.format };
    return keepsText(suffix, whole, fraction, decimalExponent) ? { ...signed, text } : signed;
  }
  // Without a digit only the 64-bit path reads zero.
  if (match[2] === '' && fraction === '') throw new QuantityError('numeric');
  let { mantissa, exponent } = roundUpToNano(product, decimalExponent);
  let format = suffix.format;
  if (format === 'BinarySI') {
    const unit = 10n ** BigInt(-exponent);
    if (mantissa > maxInt64 * unit) {
      mantissa = maxInt64;
      exponent = 0;
    } else if (mantissa > 0n && mantissa < unit) {
      format = 'DecimalSI';
    }
  }
  return { mantissa: negative ? -mantissa : mantissa, exponent, format };
}
