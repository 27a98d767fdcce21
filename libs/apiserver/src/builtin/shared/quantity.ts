/** Quantities as exact numbers of nano-units. Only already normalised quantities come here, so anything unreadable is 0. */

const NANO = 1_000_000_000n;
const DECIMAL: Readonly<Record<string, bigint>> = { n: 1n, u: 1_000n, m: 1_000_000n, '': NANO };
const POWERS: Readonly<Record<string, number>> = { k: 1, M: 2, G: 3, T: 4, P: 5, E: 6, Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };
const SHAPE = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$/;

function scaleOf(suffix: string): bigint {
  const small = DECIMAL[suffix];
  if (small !== undefined) return small;
  const power = POWERS[suffix];
  if (power !== undefined) return NANO * (suffix.endsWith('i') ? 1024n : 1000n) ** BigInt(power);
  const exponent = Number(suffix.slice(1));
  return exponent >= -9 ? 10n ** BigInt(exponent + 9) : 0n;
}

/** A quantity in nano-units. */
export function nanosOf(quantity: unknown): bigint {
  if (typeof quantity === 'number') return BigInt(Math.round(quantity * 1e9));
  if (typeof quantity === 'bigint') return quantity * NANO;
  const match = typeof quantity === 'string' ? SHAPE.exec(quantity) : null;
  if (match === null) return 0n;
  const fraction = match[3] ?? '';
  const digits = BigInt(`${match[2] ?? ''}${fraction}` || '0');
  const nanos = (digits * scaleOf(match[4] ?? '')) / 10n ** BigInt(fraction.length);
  return match[1] === '-' ? -nanos : nanos;
}

/** -1, 0 or 1. */
export function compareQuantities(a: unknown, b: unknown): number {
  const left = nanosOf(a);
  const right = nanosOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether the quantity is a whole number, looking no closer than milli-units as the server does. */
export function isWhole(quantity: unknown): boolean {
  return (nanosOf(quantity) / 1_000_000n) % 1000n === 0n;
}

/** The server keeps resources in milli-units and rounds finer ones up. */
export function roundUpToMilli(quantity: unknown): unknown {
  if (typeof quantity !== 'string' || !/[nu]$/.test(quantity)) return quantity;
  const nanos = nanosOf(quantity);
  const milli = nanos > 0n ? (nanos + 999_999n) / 1_000_000n : nanos / 1_000_000n;
  return milli % 1000n === 0n ? String(milli / 1000n) : `${milli}m`;
}
