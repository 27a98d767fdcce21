import type { ObjectMeta } from './object-meta.js';
import type { CommonOptions, ObjectOf, OmittableSchema, Properties, Rule, Schema } from './schema.js';
import { node } from './schema.js';

/** What an object may be bounded by. */
export interface ObjectOptions extends CommonOptions<object> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly mapType?: 'atomic' | 'granular';
  readonly preserveUnknown?: true;
  readonly embedded?: true;
}

/** What a list may be bounded by. */
export interface ArrayOptions extends CommonOptions<readonly unknown[]> {
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** An object with these properties, each of them required unless it is `optional`. */
export function object<const P extends Properties>(properties: P, options?: ObjectOptions): Schema<ObjectOf<P>> {
  return node({ type: 'object', properties: Object.freeze(properties) }, options);
}

/** A list. */
export function array<T>(items: Schema<T>, options?: ArrayOptions): Schema<T[]> {
  return node({ type: 'array', items }, options);
}

/** An object with keys of the writer's choice. */
export function map<T>(values: Schema<T>, options?: ObjectOptions): Schema<Record<string, T>> {
  return node({ type: 'object', values }, options);
}

/** Any value at all, kept as it is. */
export function anything(options?: CommonOptions): Schema<unknown> {
  return node({}, options, { 'x-kubernetes-preserve-unknown-fields': true });
}

/** An object of unknown properties, kept as it is. */
export function anyObject(options?: ObjectOptions): Schema<Record<string, unknown>> {
  return node({ type: 'object' }, options, { 'x-kubernetes-preserve-unknown-fields': true });
}

/** A whole Kubernetes object inside another. */
export interface EmbeddedObject {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/** A whole Kubernetes object of any kind. */
export function embedded(options?: ObjectOptions): Schema<EmbeddedObject> {
  return node({ type: 'object' }, options, {
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  });
}

/** A property that may be missing. */
export function optional<T>(schema: Schema<T>): OmittableSchema<T> {
  return Object.freeze({ ...schema, optional: true, omittable: true });
}

/** A property that exists only in variants with a feature gate. */
export function gated<T>(gate: string, schema: Schema<T>): OmittableSchema<T> {
  return Object.freeze({ ...schema, gate, omittable: true });
}

/** The same, or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return Object.freeze({ ...schema, facts: Object.freeze({ ...schema.facts, nullable: true }) });
}

/** The same, filled in by the server where it is missing. */
export function withDefault<T>(schema: Schema<T>, value: T): Schema<T> {
  return Object.freeze({ ...schema, facts: Object.freeze({ ...schema.facts, default: value }) });
}

/** The same, with what it means. */
export function described<T>(schema: Schema<T>, doc: string): Schema<T> {
  return Object.freeze({ ...schema, doc });
}

/** The same, with CEL rules. */
export function rules<T>(schema: Schema<T>, list: readonly Rule[]): Schema<T> {
  return Object.freeze({ ...schema, facts: Object.freeze({ ...schema.facts, 'x-kubernetes-validations': list }) });
}

/** The same, under the name that documents and meanings know it by. */
export function named<T>(name: string, schema: Schema<T>): Schema<T> {
  return Object.freeze({ ...schema, name });
}
