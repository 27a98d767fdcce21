/** One definition per kind: its TypeScript type, its structural schema and its CustomResourceDefinition. */
export {
  anyObject,
  anything,
  array,
  described,
  embedded,
  gated,
  map,
  named,
  nullable,
  object,
  optional,
  rules,
  withDefault,
} from './composites.js';
export type { ArrayOptions, EmbeddedObject, ObjectOptions } from './composites.js';
export { crd } from './crd.js';
export type { CrdOptions, CrdVersion, CustomResourceDefinition } from './crd.js';
export { UnknownVersion } from './errors.js';
export { kind, resource, versionOf } from './kind.js';
export type {
  Column,
  ConversionWebhook,
  Kind,
  KindDefinition,
  KindOf,
  KindResource,
  KindVersion,
  Meanings,
  ScalePaths,
  VersionTypes,
} from './kind.js';
export { Place } from './meanings.js';
export type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.js';
export {
  boolean,
  duration,
  int32,
  int64,
  intOrString,
  integer,
  number,
  quantity,
  quantityPattern,
  string,
  time,
} from './scalars.js';
export type { IntOrStringOptions, NumberOptions, StringOptions } from './scalars.js';
export { factsIn } from './schema.js';
export type {
  CommonOptions,
  Flat,
  Infer,
  ObjectOf,
  OmittableSchema,
  Properties,
  Rule,
  Schema,
  SchemaFacts,
  SchemaType,
} from './schema.js';
export { gatesOf, structuralSchema } from './structural.js';
export type { JsonSchema, VariantOptions } from './structural.js';
export { condition, labelSelector, wellKnownMeanings } from './well-known.js';
export type { Condition, LabelSelector } from './well-known.js';
