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
const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[-+eEinumkKMGTP].*)?)$/s;
/** Begins with no digit, so that there is one way to divide a text and no time goes into looking for others. */
const suffixForm = /^(?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;
const nano = -9;
const maxInt64 = 2n ** 63n - 1n;
const int64Digits = 18;

function readSuffix(text: string): Suffix {
  const known = suffixes.get(text);
  if (known !== undefined) return known;
  const [all, sign = '', digits = ''] = /^[eE]([-+]?)0*([0-9]*)$/.exec(text) ?? [];
  // More digits than int64 has are refused unread: a bigint of them takes more time than they are.
  if (all === undefined || all.length - sign.length < 2 || digits.length > 19) throw new QuantityError('suffix');
  const exponent = BigInt(`${sign === '-' ? '-' : ''}${digits || '0'}`);
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

/** Beyond the 64-bit path: rounded up to nano, binary values capped and small ones shown as decimal. */
function limitAmount(product: bigint, scale: number, format: QuantityFormat): Quantity {
  const rounded = roundUpToNano(product, scale);
  if (format !== 'BinarySI') return { ...rounded, format };
  const unit = 10n ** BigInt(-rounded.exponent);
  if (rounded.mantissa > maxInt64 * unit) return { mantissa: maxInt64, exponent: 0, format };
  return { ...rounded, format: rounded.mantissa > 0n && rounded.mantissa < unit ? 'DecimalSI' : format };
}

function splitText(text: string): { negative: boolean; digits: string; fraction: string; suffixText: string } {
  const [, sign, digits = '', fraction = '', suffixText = ''] = parts.exec(text) ?? [];
  if (sign === undefined || !suffixForm.test(suffixText)) throw new QuantityError('format');
  return { negative: sign === '-', digits, fraction, suffixText };
}

/** Parses any text but the empty one and `0`. */
export function parseParts(text: string): Quantity {
  const { negative, digits, fraction, suffixText } = splitText(text);
  const whole = digits.replace(/^0+/, '') || '0';
  const suffix = readSuffix(suffixText);
  const value = BigInt(whole + fraction);
  const scale = suffix.base === 10 ? suffix.exponent - fraction.length : -fraction.length;
  const product = suffix.base === 2 ? value << BigInt(suffix.exponent) : value;
  if (isShort(suffix, whole, fraction)) {
    const mantissa = negative ? -product : product;
    const { format } = suffix;
    const isKept = keepsText(suffix, whole, fraction, scale);
    return isKept ? { mantissa, exponent: scale, format, text } : { mantissa, exponent: scale, format };
  }
  // Without a digit only the 64-bit path reads zero.
  if (digits === '' && fraction === '') throw new QuantityError('numeric');
  const limited = limitAmount(product, scale, suffix.format);
  return negative ? { ...limited, mantissa: -limited.mantissa } : limited;
}
