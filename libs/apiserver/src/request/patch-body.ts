import {
  JsonPatchError,
  JsonSyntaxError,
  StrategicMergePatchError,
  apiErrors,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJsonPatch,
  getOwn,
  invalid,
  readJsonPatch,
  setOwn,
} from '@capstan/meta';
import type {
  ApiRequest,
  JsonObject,
  JsonPatchOperation,
  KubeObject,
  PatchField,
  PatchSchema,
  RequestBody,
} from '@capstan/meta';
import { describeValue } from '../codec/index.js';
import { mediaTypeOf, parseJsonBody, tooDeep } from './body.js';
import { enteredLater } from './entered-later.js';
import { goNumbers, isFloatSpelling, plainNumbers, repeatsKeys, spelledOut, writtenOut } from './spelled-numbers.js';
import { touchedByMerge, touchedByPaths, type Touched } from './go-json-text.js';

const MAX_JSON_PATCH_OPERATIONS = 10_000;

/** A patch, read once and ready to be applied, perhaps more than once. */
export interface CompiledPatch {
  /** Duplicate and unknown fields of the patch itself. */
  readonly problems: readonly string[];
  /** A strategic patch is laid over the typed object: it cannot make another kind of it, and messages show the patch. */
  readonly strategic?: JsonObject;
  /** A strategic patch as messages show it, and what comes of it, with numbers as they were written. */
  readonly strategicShown?: (object: KubeObject) => unknown;
  readonly strategicSpelled?: (object: KubeObject) => unknown;
  /** What of an object it looks into; messages show the keys of that in another order. */
  readonly touched: (object: KubeObject) => Touched;
  /** Gives the patched object; never changes its argument. */
  apply(object: KubeObject): unknown;
  /** The same with numbers as they were written, where that holds more. A strategic patch is no text by then. */
  readonly applySpelled?: (object: KubeObject) => unknown;
  /** Whether values it brings repeat a field: that is reported of the patched object, too. */
  readonly bringsRepeats?: boolean;
  /** What is wrong with the first number of it that no float64 holds, where that was let pass. */
  readonly beyondFloat?: string;
}

const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
type Noted = ReturnType<NonNullable<ReturnType<typeof parseJsonBody>['withNotes']>>;
const BAD_PATCH = 'Invalid JSON Patch';

/** How a patch is to be read. */
export interface PatchReading {
  /** Of the kind that is patched, where it has one. */
  readonly schema: PatchSchema | undefined;
  /** Fields are not validated: nobody reads the patch before it is laid over the object. */
  readonly isUnchecked: boolean;
}

/** Reads the patch of a request; malformed JSON is a 400. */
export function compileRequestPatch(request: ApiRequest, reading: PatchReading): CompiledPatch {
  const type = mediaTypeOf(request.headers['content-type']);
  requirePatchType(request, reading.schema !== undefined);
  try {
    return compilePatch(type, request.body, reading);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw apiErrors.badRequest(unreadable(type, reading, error.message), { cause: error });
  }
}

function unreadable(type: string, { isUnchecked }: PatchReading, reason: string): string {
  if (type === MERGE && isUnchecked) return BAD_PATCH;
  return type === STRATEGIC || isUnchecked ? reason : `error decoding patch: ${reason}`;
}

function compilePatch(
  mediaType: string,
  body: RequestBody | undefined,
  { schema, isUnchecked }: PatchReading,
): CompiledPatch {
  if (mediaType === JSON_PATCH) return jsonPatch(body, isUnchecked);
  if (mediaType === STRATEGIC && schema !== undefined) return strategicPatch(body, schema);
  return mergePatch(body, isUnchecked);
}

/** Refuses types of patches that nobody serves here. */
export function requirePatchType(request: ApiRequest, isStrategic: boolean): void {
  const type = mediaTypeOf(request.headers['content-type']);
  if (type === JSON_PATCH || type === MERGE || (type === STRATEGIC && isStrategic)) return;
  throw isStrategic
    ? apiErrors.unsupportedMediaTypeRoute()
    : apiErrors.unsupportedMediaType([JSON_PATCH, MERGE, 'application/apply-patch+yaml']);
}

function jsonPatch(body: RequestBody | undefined, isUnchecked: boolean): CompiledPatch {
  // What is not read as a value may be any number.
  const { value, duplicates, withNotes, bytes, beyondFloat } = readPatch(body);
  if (Array.isArray(value) && value.length > MAX_JSON_PATCH_OPERATIONS) {
    throw apiErrors.tooManyPatchOperations(MAX_JSON_PATCH_OPERATIONS, value.length);
  }
  const noted = withNotes?.();
  if (noted !== undefined && beyondFloat !== undefined && !isUnchecked)
    translated(() => decodeJsonPatch(spelledOut(noted.value, noted.notes, isNumber), requireFloats));
  const { operations, unknownFields } = translated(() => decoded(value, isUnchecked));
  const problems = [
    ...duplicates.map((text) => `json patch ${text}`),
    ...unknownFields.map((field) => `json patch unknown field ${JSON.stringify(field)}`),
  ];
  const ways = touchedByPaths(operations.flatMap(({ path, from }) => [pathTokens(path), pathTokens(from)]));
  const touched = (): Touched => ways;
  const apply = (object: KubeObject): unknown => translated(() => applyJsonPatch(object, operations));
  if (noted === undefined) return { problems, touched, apply };
  const spelled = spelledOut(noted.value, noted.notes) as readonly JsonPatchOperation[];
  const values = decoded(noted.value, isUnchecked).operations.map((operation) => operation.value);
  const isEntered = enteredLater(operations);
  const written = values.map((each, index) =>
    isEntered[index] === true ? undefined : writtenOut(each, noted.notes, bytes),
  );
  const mixed = operations.map((operation, index) => {
    // What is compared is compared by value.
    if (operation.op === 'test' || operation.value === undefined) return operation;
    return { ...operation, value: written[index] ?? spelled[index]?.value };
  });
  const applySpelled = (object: KubeObject): unknown => translated(() => applyJsonPatch(object, mixed));
  const bringsRepeats = values.some((each, index) => written[index] !== undefined && repeatsKeys(each, noted.notes));
  return { problems, touched, apply, applySpelled, bringsRepeats, ...letPass(beyondFloat) };
}

/** Patches are laid over objects by recursion. */
function readPatch(body: RequestBody | undefined): ReturnType<typeof parseJsonBody> {
  const parsed = parseJsonBody(body, true);
  if (parsed.isTooDeep) throw tooDeep(parsed.bytes);
  return parsed;
}

function decoded(value: unknown, isUnchecked: boolean): ReturnType<typeof decodeJsonPatch> {
  return isUnchecked ? { operations: readJsonPatch(value), unknownFields: [] } : decodeJsonPatch(value);
}

function letPass(beyondFloat: JsonSyntaxError | undefined): Pick<CompiledPatch, 'beyondFloat'> {
  return beyondFloat === undefined ? {} : { beyondFloat: beyondFloat.message };
}

const isNumber = (written: string): boolean => !written.startsWith('"');

/** Refuses the first number that no float64 holds. */
function requireFloats(spelled: unknown): void {
  if (typeof spelled === 'object' && spelled !== null) for (const item of Object.values(spelled)) requireFloats(item);
  const written = typeof spelled === 'symbol' ? (spelled.description ?? '') : '';
  if (!/^-?\d/.test(written) || Number.isFinite(Number(written))) return;
  const into = 'Go struct field jsonPatchOp.value of type float64';
  throw apiErrors.badRequest(`error decoding patch: json: cannot unmarshal number ${written} into ${into}`);
}

function mergePatch(body: RequestBody | undefined, isUnchecked: boolean): CompiledPatch {
  const { value, duplicates, withNotes, beyondFloat } = readPatch(body);
  if (isUnchecked && Array.isArray(value)) return listInstead(value, withNotes?.());
  if (isUnchecked && !isMap(value)) throw apiErrors.badRequest(BAD_PATCH);
  requireObject(value, 'error decoding patch: ');
  if (beyondFloat !== undefined && !isUnchecked) throw beyondFloat;
  const apply = (object: KubeObject): unknown => translated(() => applyMergePatch(object, value));
  const compiled = { problems: duplicates, touched: (object: KubeObject) => touchedByMerge(value, object), apply };
  const noted = withNotes?.();
  if (noted === undefined) return compiled;
  const spelled = spelledOut(noted.value, noted.notes);
  const applySpelled = (object: KubeObject): unknown => translated(() => applyMergePatch(object, spelled));
  return { ...compiled, applySpelled, ...letPass(beyondFloat) };
}

/** A list replaces whatever it is laid over; a null inside it deletes nothing. */
function listInstead(list: readonly unknown[], noted: Noted | undefined): CompiledPatch {
  const pruned = (items: readonly unknown[]): unknown => items.map((item) => withoutNulls(item));
  const spelled = noted && (spelledOut(noted.value, noted.notes) as readonly unknown[]);
  const apply = (): unknown => pruned(list);
  const base: CompiledPatch = { problems: [], touched: () => 'as written', apply };
  return spelled === undefined ? base : { ...base, applySpelled: () => pruned(spelled) };
}

/** The tokens of a JSON pointer. */
function pathTokens(pointer: unknown): string[] {
  if (typeof pointer !== 'string') return [];
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function strategicPatch(body: RequestBody | undefined, schema: PatchSchema): CompiledPatch {
  const { value, duplicates, withNotes, beyondFloat } = readPatch(body);
  requireObject(value, '');
  if (beyondFloat !== undefined) throw beyondFloat;
  const strategic = (value ?? {}) as JsonObject;
  const laidOver = (object: KubeObject, patch: JsonObject): unknown =>
    translated(() => applyStrategicMergePatch(object, patch, schema));
  const compiled = {
    problems: duplicates,
    touched: (): Touched => 'sorted',
    strategic,
    apply: (object: KubeObject) => laidOver(object, strategic),
    strategicShown: (object: KubeObject) => usedUp(strategic, object, schema),
  } as const;
  const noted = withNotes?.();
  if (noted === undefined) return compiled;
  const spelled = spelledOut(noted.value, noted.notes, isFloatSpelling) as JsonObject;
  const shown = goNumbers(spelled) as JsonObject;
  return {
    ...compiled,
    apply: (object) => {
      try {
        return laidOver(object, strategic);
      } catch (error) {
        // Run again with the numbers as they were written, for the error to show those.
        laidOver(object, plainNumbers(spelled) as JsonObject);
        throw error;
      }
    },
    strategicShown: (object) => usedUp(shown, object, schema),
    strategicSpelled: (object) => laidOver(object, spelled),
  };
}

/** What is left of a strategic patch when it has been laid over an object: the real server takes things out of it. */
function usedUp(patch: unknown, object: unknown, schema: PatchSchema | undefined): unknown {
  if (!isMap(patch)) return patch;
  const { $patch: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  const left: JsonObject = {};
  for (const [key, value] of Object.entries(patch))
    setOwn(left, key, memberUsedUp(value, isMap(object) ? getOwn(object, key) : undefined, schema?.field(key)));
  return left;
}

/** Only what is merged is looked into; nulls count only where there is something to remove. */
function memberUsedUp(value: unknown, old: unknown, field: PatchField | undefined): unknown {
  if (isMap(value) && isMap(old)) return field?.strategy === 'replace' ? value : usedUp(value, old, field?.schema);
  if (!Array.isArray(value) || !Array.isArray(old)) return withoutNulls(value);
  if (field?.strategy !== 'merge') return value;
  return value.map((item: unknown) => itemUsedUp(item, old, field));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const left: JsonObject = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) setOwn(left, key, withoutNulls(item));
  return left;
}

function itemUsedUp(item: unknown, old: readonly unknown[], { mergeKey = '', schema }: PatchField): unknown {
  const name = isMap(item) ? getOwn(item, mergeKey) : undefined;
  const known = old.find((each) => isMap(each) && getOwn(each, mergeKey) === name);
  const isPlain = name !== undefined && isMap(item) && !('$patch' in item);
  return isPlain && known !== undefined ? usedUp(item, known, schema) : item;
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireObject(value: unknown, prefix: string): void {
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return;
  throw apiErrors.badRequest(
    `${prefix}json: cannot unmarshal ${describeValue(value)} into Go value of type map[string]interface {}`,
  );
}

/** The patch engines' errors as the server answers them. */
function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonPatchError) {
      if (error.stage === 'decode' || error.stage === 'depth')
        throw apiErrors.badRequest(error.message, { cause: error });
      throw error.stage === 'copy-limit' ? apiErrors.requestEntityTooLarge(error.message) : apiErrors.patchRejected();
    }
    if (error instanceof StrategicMergePatchError) {
      if (error.kind === 'bad-request') throw apiErrors.badRequest(error.message, { cause: error });
      if (error.kind === 'internal') throw apiErrors.unclassified(error.message);
      throw apiErrors.invalid({ group: '', kind: '' }, '', [invalid('patch', '', error.message)]);
    }
    throw error;
  }
}
