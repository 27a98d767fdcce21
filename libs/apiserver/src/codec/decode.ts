import { structByName } from '@capstan/api/kubernetes';
import type { StructDef } from '@capstan/api/kubernetes';
import type { JsonNotes } from '@capstan/meta';

import { compileStruct } from './compile.js';
import { TypedDecodeError, describeValue, mismatchMessage } from './errors.js';
import { explain } from './explain.js';
import type { Explanation } from './explain.js';
import type { LeafTexts } from './leaf-texts.js';
import { settle } from './settle.js';
import { BrokenInvariant } from '../errors.js';

/** What decoding needs from outside. */
export interface DecodeContext {
  readonly texts: LeafTexts;
  /** What the text held beyond the value; the value is changed by it. */
  readonly notes?: JsonNotes;
}

/** A decoded object. */
export interface Decoded {
  /** As Go would print it; containers are new and may be changed, opaque JSON (RawExtension, FieldsV1) is shared. */
  readonly value: Record<string, unknown>;
  /** Paths in the order of the body: `spec.foo`, `spec.containers[0].bar`. */
  readonly unknownFields: readonly string[];
}

/** A decoded body. */
export interface DecodedBody extends Decoded {
  /** Whether the body has more than the value: lists and maps without elements, or fields that are not known. */
  readonly hasExtra: boolean;
}

const NO_FIELDS: readonly string[] = [];
const TOO_DEEP = 'exceeded max depth';

/** Decodes a parsed JSON value into a built-in struct and back, as Go would; throws {@link TypedDecodeError}. */
export function decodeTyped(struct: StructDef, value: unknown, context: DecodeContext): DecodedBody {
  const late = context.notes === undefined ? undefined : settle(struct, value, context.notes);
  const decoded = decode(struct, value, context.texts, false);
  if (late !== undefined) throw late;
  return decoded;
}

/**
 * Decodes the metadata of a custom resource, which the server reads as ObjectMeta apart from the rest: errors name
 * fields from ObjectMeta on (`ObjectMeta.labels`), unknown fields from the root on (`metadata.foo`).
 */
export function decodeMeta(metadata: unknown, context: DecodeContext): Decoded {
  const { value, unknownFields } = decode(objectMeta(), metadata, context.texts, true);
  return { value, unknownFields: unknownFields.map((path) => `metadata.${path}`) };
}

/** Finds the words for a body; see {@link explain}. */
type Explain = () => Explanation;

function decode(struct: StructDef, value: unknown, texts: LeafTexts, sorted: boolean): DecodedBody {
  const compiled = compileStruct(struct);
  if (value === null || value === undefined) {
    return { value: compiled.zero() as Decoded['value'], unknownFields: NO_FIELDS, hasExtra: false };
  }
  const run = { texts, unknown: false, hasEmpties: false };
  const slowWalk: Explain = () => explain(struct, value, texts, sorted);
  let decoded: unknown;
  try {
    decoded = compiled.decode(value, run);
  } catch (error) {
    throw worded(error, slowWalk);
  }
  return {
    value: decoded as Decoded['value'],
    unknownFields: run.unknown ? slowWalk().unknownFields : NO_FIELDS,
    hasExtra: run.unknown || run.hasEmpties,
  };
}

function worded(cause: unknown, slowWalk: Explain): unknown {
  // Schemas may nest deeper than the stack reaches.
  if (cause instanceof RangeError) return new TypedDecodeError(TOO_DEEP, { cause });
  const { error, stopped } = slowWalk();
  return error === undefined ? cause : new TypedDecodeError(error, { decodesItself: stopped });
}

let meta: StructDef | undefined;
function objectMeta(): StructDef {
  meta ??= structByName('meta/v1.ObjectMeta');
  if (meta === undefined) throw new BrokenInvariant('the type tables have no ObjectMeta');
  return meta;
}

/** The kind and version that a body names; an absent or null word reads as ''. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The anonymous struct the server reads apiVersion and kind with, as Go prints it. */
const FIND_KIND =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Reads apiVersion and kind of any body, as the server does first of all; throws {@link TypedDecodeError}. */
export function readBodyKind(value: unknown, keys: 'as sent' | 'sorted' | 'exact' = 'as sent'): BodyKind {
  if (value === null || value === undefined) return { apiVersion: '', kind: '' };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unreadable(mismatchMessage({ value: describeValue(value), goType: FIND_KIND, struct: '', field: '' }));
  }
  const found = { apiVersion: '', kind: '' };
  for (const [key, word] of keys === 'as sent' ? Object.entries(value) : usualLast(value, keys)) {
    const field = foldedField(key);
    if (field === undefined || word === null || word === undefined) continue;
    if (typeof word !== 'string')
      throw unreadable(mismatchMessage({ value: describeValue(word), goType: 'string', struct: '', field }));
    found[field] = word;
  }
  return found;
}

/** Sorted, every other spelling comes before the usual one. */
function usualLast(value: object, keys: 'sorted' | 'exact'): [string, unknown][] {
  const entries = Object.entries(value);
  const isUsual = ([key]: [string, unknown]): boolean => key === 'apiVersion' || key === 'kind';
  const usual = entries.filter(isUsual);
  return keys === 'exact' ? usual : [...entries.filter((entry) => !isUsual(entry)), ...usual];
}

/** Go takes fields in any case; of several the last counts. */
function foldedField(key: string): 'apiVersion' | 'kind' | undefined {
  if (key === 'apiVersion' || key === 'kind') return key;
  if (key.length === 4 && /^kind$/iu.test(key)) return 'kind';
  return key.length === 10 && /^apiversion$/iu.test(key) ? 'apiVersion' : undefined;
}

function unreadable(message: string): TypedDecodeError {
  return new TypedDecodeError(`couldn't get version/kind; json parse error: ${message}`);
}
