/** What an API server does with a write to a custom resource. */
import { canonicalJson, cloneJson, deepEqual, type FieldError, getOwn, type JsonObject, setOwn } from '@capstan/meta';
import type { SchemaNode, StructuralSchema } from '@capstan/schema';
import { itemsOf, restOf } from '../drafts/any.js';
import type { ScalePaths } from '../definition.js';
import type { Witness } from '../report.js';
import { readEmbedded } from './embedded.js';
import { scaleErrors } from './scale.js';

/** A write to an object or to its status. */
export interface Write {
  readonly verb: 'apply' | 'create' | 'status' | 'update';
  readonly object: unknown;
}

/** One version of a CRD, as far as writes go. */
export interface Side {
  readonly schema: StructuralSchema;
  readonly hasStatus: boolean;
  /** What its scale subresource shows must be numbers of replicas and a selector. */
  readonly scale?: ScalePaths | undefined;
  /** The schema of the version that objects are stored in, where it is another and no webhook converts. */
  readonly storage?: StructuralSchema;
}

/** What became of a write. */
export type Answer =
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'taken'; readonly object: JsonObject; readonly pruned: readonly string[] };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergeLists(node: SchemaNode, before: readonly unknown[], applied: readonly unknown[]): unknown[] {
  if (node.listType === 'set') {
    return [...before, ...applied.filter((item) => !before.some((other) => deepEqual(other, item)))];
  }
  if (node.listType !== 'map') return [...applied];
  const keyOf = (item: unknown): string =>
    canonicalJson(node.listMapKeys.map((key) => (isObject(item) ? getOwn(item, key) : undefined) ?? null));
  const merged = new Map(before.map((item) => [keyOf(item), item]));
  for (const item of applied) {
    const key = keyOf(item);
    merged.set(key, merged.has(key) ? mergeApplied(itemsOf(node), merged.get(key), item) : item);
  }
  return [...merged.values()];
}

/** What is there after one manager applied `before` and another one `applied`, by force. */
function mergeApplied(node: SchemaNode, before: unknown, applied: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(applied)) return mergeLists(node, before, applied);
  if (!isObject(before) || !isObject(applied) || node.mapType === 'atomic') return applied;
  const merged: JsonObject = { ...before };
  for (const [name, value] of Object.entries(applied)) {
    const member = node.properties?.get(name) ?? restOf(node);
    setOwn(merged, name, member === undefined ? value : mergeApplied(member, getOwn(before, name), value));
  }
  return merged;
}

function withStatus(object: JsonObject, status: unknown): JsonObject {
  const { status: _old, ...rest } = object;
  return status === undefined ? rest : { ...rest, status };
}

/** The object as it is stored and read again. */
function stored({ schema, storage }: Side, object: JsonObject): JsonObject {
  if (storage === undefined) return object;
  const kept = cloneJson(object);
  storage.prune(kept);
  storage.dropInvalidNulls(kept);
  storage.applyDefaults(kept);
  schema.prune(kept);
  return kept;
}

/** The object that is there before a request, as this CRD would show it. */
export function existing({ schema }: Side, before: unknown): JsonObject {
  const object = cloneJson(before) as JsonObject;
  schema.prepare(object);
  return object;
}

interface Decoded {
  readonly old: JsonObject | undefined;
  readonly object: JsonObject;
  readonly pruned: readonly string[];
  /** What of it cannot even be read. */
  readonly unreadable: readonly FieldError[];
}

/** A write as far as it goes before it is checked. */
function decode(side: Side, request: Write, before: unknown): Decoded {
  const { schema, hasStatus } = side;
  const old = before === undefined ? undefined : existing(side, before);
  const sent = cloneJson(request.object) as JsonObject;
  const unreadable = readEmbedded(schema.root, sent);
  const pruned = schema.prune(sent);
  schema.dropInvalidNulls(sent);
  let object = request.verb === 'apply' ? (mergeApplied(schema.root, old, sent) as JsonObject) : sent;
  if (request.verb === 'status') object = withStatus(old ?? {}, object['status']);
  else if (hasStatus) object = withStatus(object, old?.['status']);
  schema.applyDefaults(object);
  return { old, object, pruned, unreadable };
}

function check({ scale, schema }: Side, { verb }: Write, { object, old, unreadable }: Decoded): readonly FieldError[] {
  if (unreadable.length > 0) return unreadable;
  const { errors } =
    verb === 'status'
      ? schema.validateStatus(object, { old })
      : schema.validate(object, old === undefined ? {} : { old });
  return scale === undefined ? errors : [...errors, ...scaleErrors(scale, object, verb === 'status')];
}

/** Sends a write. */
export function send(side: Side, request: Write, before?: unknown): Answer {
  const decoded = decode(side, request, before);
  const errors = check(side, request, decoded);
  if (errors.length > 0) return { kind: 'refused', errors };
  return { kind: 'taken', object: stored(side, decoded.object), pruned: decoded.pruned };
}

/** What a side makes of a write, whether it takes it or not. */
export function handled(
  side: Side,
  request: Write,
  before?: unknown,
): { readonly errors: readonly FieldError[]; readonly object: JsonObject } {
  const decoded = decode(side, request, before);
  return { errors: check(side, request, decoded), object: stored(side, decoded.object) };
}

/** A place where two values differ. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** The parts of two values that can be compared part by part, with their paths. */
function partsOf(a: unknown, b: unknown, path: string): readonly (readonly [string, unknown, unknown])[] {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return names.map((name) => [path === '' ? name : `${path}.${name}`, getOwn(a, name), getOwn(b, name)]);
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return [];
  return a.map((item, index) => [`${path}[${index}]`, item, (b as readonly unknown[])[index]]);
}

/** The first place where two values differ. */
function firstDifference(a: unknown, b: unknown, path = ''): Difference | undefined {
  if (deepEqual(a, b)) return undefined;
  for (const [at, mine, theirs] of partsOf(a, b, path)) {
    const inner = firstDifference(mine, theirs, at);
    if (inner !== undefined) return inner;
  }
  return { path, expected: a, got: b };
}

/** Every place where two values differ, as deep as they can be compared. */
export function differencesOf(a: unknown, b: unknown, path = ''): readonly Difference[] {
  if (deepEqual(a, b)) return [];
  const inner = partsOf(a, b, path).flatMap(([at, mine, theirs]) => differencesOf(mine, theirs, at));
  return inner.length > 0 ? inner : [{ path, expected: a, got: b }];
}

/** A refusal as one line. */
export function refusal(errors: readonly FieldError[]): string {
  return errors
    .map(({ field, type, detail }) => `${field === '' ? '<root>' : field}: ${detail === '' ? type : detail}`)
    .join('; ');
}

/** A view on objects that leaves out what does not count. */
export type Lens = (object: JsonObject) => void;

/** What differs in an object for a client of the required schema. */
function changeOf(
  required: Side,
  wanted: JsonObject,
  given: { readonly object: JsonObject; readonly pruned: readonly string[] },
  lens: Lens,
): Witness['outcome'] | undefined {
  const expected = cloneJson(wanted);
  const got = cloneJson(given.object);
  lens(expected);
  lens(got);
  required.schema.prune(got);
  return outcomeOf(expected, got, given.pruned);
}

/** How an answer differs from the one that was expected, when some fields were pruned on the way. */
export function outcomeOf(
  expected: JsonObject,
  got: JsonObject,
  pruned: readonly string[],
): Witness['outcome'] | undefined {
  const difference = firstDifference(expected, got);
  if (difference === undefined) return undefined;
  const paths = pruned.filter((path) => difference.path === path || path.startsWith(`${difference.path}.`));
  if (difference.got === undefined && paths.length > 0) return { kind: 'pruned', paths };
  return { kind: 'changed', ...difference };
}

/** How the live side answers a write that the required side accepts unchanged; undefined where it is no witness. */
export function compareResponses(
  required: Side,
  live: Side,
  { before, request }: { readonly before?: unknown; readonly request: Write },
  lens: Lens,
): Witness['outcome'] | undefined {
  const wanted = send(required, request, before);
  if (wanted.kind === 'refused' || wanted.pruned.length > 0) return undefined;
  const decoded = decode(live, request, before);
  // Rules are asked last: to compile them takes longer than all the rest.
  const plain = decoded.unreadable.length > 0 ? [] : live.schema.validateSchema(decoded.object, decoded.old);
  if (plain.length > 0) return { kind: 'rejected', code: 422, message: refusal(plain) };
  const errors = check(live, request, decoded);
  if (errors.length > 0) return { kind: 'rejected', code: 422, message: refusal(errors) };
  const { pruned } = decoded;
  return changeOf(required, wanted.object, { object: stored(live, decoded.object), pruned }, lens);
}
