/** What a validation run has found so far, in the order the server reports it. */
import {
  type FieldError,
  goQuote,
  invalid,
  joinField,
  notSupported,
  required,
  goJson,
  tooLong,
  tooMany,
  typeInvalid,
} from '@capstan/meta';
import { isInt64 } from './int64.js';

/** A whole number beyond 64 bits is a float to the server, and shown as one. */
function shown(value: unknown): unknown {
  return typeof value === 'bigint' && !isInt64(value) ? Number(value) : value;
}

/** Paths inside the checked value are `a.b[0].c`; the root is the empty string. */
export class Findings {
  readonly errors: FieldError[] = [];
  /**
   * How many checks were passed. Of several failed alternatives (anyOf, oneOf) the server reports the one that came
   * furthest, so every check must be counted exactly as it counts.
   */
  matches = 0;
  /** Whether something was wrong that was not reported because it was so before. */
  hasOldFaults = false;
  readonly #prefix: string;
  readonly #longLimits: boolean;

  /** `prefix` is where the checked value itself stands; `minor` the Kubernetes release whose wording is used. */
  constructor(prefix: string, minor: number) {
    this.#prefix = prefix;
    this.#longLimits = minor >= 32;
  }

  /** An empty run for an alternative, reporting like this one. */
  fork(): Findings {
    return new Findings(this.#prefix, this.#longLimits ? 32 : 0);
  }

  /** Takes back what was found since, which an update left as it was. */
  forgive(errors: number): void {
    this.errors.length = errors;
    this.hasOldFaults = true;
  }

  absorb(other: Findings): void {
    for (const error of other.errors) this.errors.push(error);
    this.matches += other.matches;
  }

  /** The errors, equal ones once. */
  distinct(): FieldError[] {
    if (this.errors.length < 2) return this.errors;
    const seen = new Set<string>();
    return this.errors.filter(({ type, field, detail }) => {
      const key = `${type} ${field} ${detail}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  #field(path: string): string {
    const inside = path.startsWith('.') ? path.slice(1) : path;
    return inside === '' ? this.#prefix : joinField(this.#prefix, inside);
  }

  /** `found` is the JSON type that was met, which the server shows in place of the value. */
  wrongType(path: string, expected: string, found: string): void {
    const detail = `${path} in body must be of type ${expected}: ${goQuote(found)}`;
    this.errors.push(typeInvalid(this.#field(path), found, detail));
  }

  required(path: string): void {
    this.errors.push(required(this.#field(path)));
  }

  tooLong(path: string, limit: number): void {
    const error = tooLong(this.#field(path), '', limit);
    this.errors.push(this.#longLimits ? error : { ...error, detail: `may not be longer than ${limit}` });
  }

  tooMany(path: string, actual: number, limit: number): void {
    this.errors.push(tooMany(this.#field(path), actual, limit));
  }

  notInEnum(path: string, value: unknown, allowed: readonly unknown[]): void {
    const texts = allowed.map((item) => (typeof item === 'string' ? item : goJson(item)));
    this.errors.push(notSupported(this.#field(path), shown(value), texts));
  }

  /** A failed constraint: `complaint` completes `<path> in body …`. */
  constraint(path: string, value: unknown, complaint: string): void {
    this.errors.push(invalid(this.#field(path), shown(value), `${path} in body ${complaint}`));
  }

  /** A constraint whose text is not built around the path. */
  invalid(path: string, value: unknown, detail: string): void {
    this.errors.push(invalid(this.#field(path), value, detail));
  }

  /** What the server cannot tie to a field it reports at the root. */
  general(detail: string): void {
    this.errors.push(invalid(this.#prefix, '', detail));
  }
}
