/** Numbers as the server holds them: a whole JSON number within 64 bits is an integer, any other a float. */
import { RawValue } from '@capstan/meta';
import type { Findings } from './findings.js';
import { int64Max, int64Min } from './int64.js';
import type { SchemaNode } from '../schema/schema-node.js';

/** Whether a float counts as an integer: whole up to a tiny error, and exact in a float. */
export function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  // The server compares with the unsigned conversion, so a negative near miss is never close enough.
  if (value < 0 || whole === 0) return false;
  return Math.abs(value - whole) / (value + whole) < 1e-9;
}

/** A float as `%v` prints it. */
export function formatFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The value as a message shows it where it was compared as a float, be it whole or not. */
function asFloat(value: number | bigint): RawValue {
  return new RawValue(formatFloat(Number(value)));
}

type Range = (value: number | bigint) => boolean;

const anyNumber: Range = () => true;

function wholeWithin(low: bigint, high: bigint): Range {
  return (value) => {
    if (typeof value === 'number' && !Number.isInteger(value)) return false;
    const whole = BigInt(value);
    return whole >= low && whole <= high;
  };
}

const ranges: Readonly<Record<string, Range>> = {
  integer: wholeWithin(int64Min, int64Max),
  int64: wholeWithin(int64Min, int64Max),
  int32: wholeWithin(-(2n ** 31n), 2n ** 31n - 1n),
  float: (value) => Math.abs(Number(value)) <= 3.4028234663852886e38,
};

/** A constraint compared as integers where the value is one; then its fraction is cut off. */
interface Bound {
  readonly limit: number;
  readonly whole: number | bigint;
  /** Whether the bound itself is a number of the schema's type; if not that is reported with every value. */
  readonly fits: boolean;
}

/** Stands for a bound that is not there; never compared with. */
const unbounded: Bound = { limit: 0, whole: 0, fits: true };

/** The checks of one schema node on numbers. */
export class NumberChecks {
  readonly #inRange: Range;
  readonly #rangeText: string;
  readonly #multipleOf: Bound | undefined;
  readonly #minimum: Bound | undefined;
  readonly #maximum: Bound | undefined;
  readonly #exclusiveMinimum: boolean;
  readonly #exclusiveMaximum: boolean;

  /** `type` is empty where a value may have several; the format then bounds nothing. */
  constructor(node: SchemaNode, type: string, format: string) {
    const name = type === 'integer' || type === 'number' ? type : '';
    this.#inRange = ranges[name !== '' && format !== '' ? format : name] ?? anyNumber;
    this.#rangeText =
      format === '' ? `must be of type ${name} (default format)` : `must be of type ${name} with format ${format}`;
    this.#multipleOf = this.#bound(node.multipleOf);
    this.#minimum = this.#bound(node.minimum);
    this.#maximum = this.#bound(node.maximum);
    this.#exclusiveMinimum = node.exclusiveMinimum;
    this.#exclusiveMaximum = node.exclusiveMaximum;
  }

  #bound(limit: number | undefined): Bound | undefined {
    if (limit === undefined) return undefined;
    const whole = Math.trunc(limit);
    return { limit, whole: Number.isSafeInteger(whole) ? whole : clamp(whole), fits: this.#inRange(limit) };
  }

  #misfit(what: string, path: string, out: Findings): void {
    out.general(`${what} value ${this.#rangeText} in ${path}`);
  }

  check(value: number | bigint, integer: boolean, path: string, out: Findings): void {
    if (!this.#inRange(value)) this.#misfit('Checked', path, out);
    if (this.#multipleOf !== undefined) this.#checkMultiple(value, integer, path, out);
    if (this.#minimum !== undefined) this.#checkMinimum(value, integer, path, out);
    if (this.#maximum !== undefined) this.#checkMaximum(value, integer, path, out);
  }

  #checkMultiple(value: number | bigint, integer: boolean, path: string, out: Findings): void {
    const { limit, whole, fits } = this.#multipleOf ?? unbounded;
    if (!fits) this.#misfit('MultipleOf', path, out);
    const exact = integer && fits;
    const factor = exact ? Number(whole) : limit;
    const shown = exact ? String(whole) : formatFloat(factor);
    if (factor <= 0) {
      out.invalid(path, exact ? whole : factor, `factor MultipleOf declared for ${path} must be positive: ${shown}`);
      return;
    }
    const float = Number(value);
    const multiple = exact
      ? BigInt(value) % BigInt(whole) === 0n
      : isWhole(factor < 1 ? (1 / factor) * float : float / factor);
    if (!multiple) out.constraint(path, exact ? value : asFloat(value), `should be a multiple of ${shown}`);
  }

  #checkMinimum(value: number | bigint, integer: boolean, path: string, out: Findings): void {
    const { limit, whole, fits } = this.#minimum ?? unbounded;
    if (!fits) this.#misfit('Minimum boundary', path, out);
    const exact = integer && fits;
    const bound = exact ? whole : limit;
    if (this.#exclusiveMinimum ? value > bound : value >= bound) return;
    const words = this.#exclusiveMinimum ? 'should be greater than' : 'should be greater than or equal to';
    out.constraint(path, exact ? value : asFloat(value), `${words} ${exact ? String(bound) : formatFloat(limit)}`);
  }

  #checkMaximum(value: number | bigint, integer: boolean, path: string, out: Findings): void {
    const { limit, whole, fits } = this.#maximum ?? unbounded;
    if (!fits) this.#misfit('Maximum boundary', path, out);
    const exact = integer && fits;
    const bound = exact ? whole : limit;
    if (this.#exclusiveMaximum ? value < bound : value <= bound) return;
    const words = this.#exclusiveMaximum ? 'should be less than' : 'should be less than or equal to';
    out.constraint(path, exact ? value : asFloat(value), `${words} ${exact ? String(bound) : formatFloat(limit)}`);
  }
}

function clamp(whole: number): bigint {
  if (!Number.isFinite(whole)) return int64Min;
  const exact = BigInt(whole);
  // Go's conversion of a float beyond the range gives the smallest integer.
  return exact < int64Min || exact > int64Max ? int64Min : exact;
}
