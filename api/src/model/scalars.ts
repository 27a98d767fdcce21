import type { CommonOptions, Schema } from './schema.js';
import { node } from './schema.js';

/** What a string may be bounded by. Its values are those of `enum` alone: a default is one of many. */
export interface StringOptions<E extends string = string> extends CommonOptions<NoInfer<E>> {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly E[];
  /** A value that only some variants know is a value of the type all the same. */
  readonly gated?: Readonly<Record<string, { readonly enum?: readonly E[]; readonly [keyword: string]: unknown }>>;
}

/** What a number may be bounded by. */
export interface NumberOptions<E extends number = number> extends CommonOptions<NoInfer<E>> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly E[];
}

/** A string; with `enum`, one of those. A default alone does not restrict the other values. */
export function string<const E extends string = string>(options?: StringOptions<E>): Schema<E> {
  return node({ type: 'string' }, options);
}

/** A whole number of any size. */
export function integer<const E extends number = number>(options?: NumberOptions<E>): Schema<E> {
  return node({ type: 'integer' }, options);
}

/** A whole number of 32 bits. */
export function int32<const E extends number = number>(options?: NumberOptions<E>): Schema<E> {
  return node({ type: 'integer' }, options, { format: 'int32' });
}

/** A whole number of 64 bits. */
export function int64<const E extends number = number>(options?: NumberOptions<E>): Schema<E> {
  return node({ type: 'integer' }, options, { format: 'int64' });
}

/** Any number. */
export function number(options?: NumberOptions): Schema<number> {
  return node({ type: 'number' }, options);
}

/** True or false. */
export function boolean(options?: CommonOptions<boolean> & { readonly enum?: readonly boolean[] }): Schema<boolean> {
  return node({ type: 'boolean' }, options);
}

/** A moment, as RFC 3339 writes it. */
export function time(options?: StringOptions): Schema<string> {
  return node({ type: 'string' }, options, { format: 'date-time' });
}

/** A length of time as Go writes it: `1h30m`, `300ms`. */
export function duration(options?: StringOptions): Schema<string> {
  return node({ type: 'string' }, options, { format: 'duration' });
}

const eitherOf = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

/** What an integer or string may be bounded by. */
export interface IntOrStringOptions extends CommonOptions<number | string> {
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A number or its text, for example a percentage. */
export function intOrString(options?: IntOrStringOptions): Schema<number | string> {
  return node({}, options, eitherOf);
}

/** How Kubernetes writes an amount. */
export const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** An amount with its unit: `500m`, `2Gi`. */
export function quantity(options?: IntOrStringOptions): Schema<number | string> {
  return node({}, options, { ...eitherOf, pattern: quantityPattern });
}
