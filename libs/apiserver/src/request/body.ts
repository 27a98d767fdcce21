import {
  JsonSyntaxError,
  apiErrors,
  duplicateFieldMessage,
  isTooDeep,
  maxContentDepth,
  maxObjectDepth,
  maxTextDepth,
  parseJson,
  readJsonNotes,
} from '@capstan/meta';
import type { ApiRequest, JsonTextNotes, ParsedJson, RequestBody } from '@capstan/meta';
import {
  PROTOBUF_TYPE,
  ProtobufError,
  decodeProtobuf,
  protobufStruct,
  readEnvelope,
  type Envelope,
} from '../protobuf/index.js';
import { supportedMediaTypes } from '../negotiation/negotiate.js';
import type { YamlReader } from '../yaml/types.js';

/** Larger bodies are refused before they are read to the end. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** A body as a JSON value, with what strict decoding would complain of. */
export interface ParsedBody {
  readonly value: unknown;
  /** `duplicate field "spec.x"`. */
  readonly duplicates: readonly string[];
  /** The same without words: `spec.x`. */
  readonly duplicatePaths?: readonly string[];
  /** `line 4: key "a" already set in map`, of a YAML text. */
  readonly yamlDuplicates?: readonly string[];
  /** It can be read, but is too deep to be stored or merged; what of it is read into types may not be. */
  readonly isTooDeep?: true;
  /** For messages that quote the body. */
  readonly bytes: Uint8Array;
  /** Of a JSON text that holds more than its value: parsed once more, with the rest. */
  readonly withNotes?: () => { readonly value: unknown; readonly notes: JsonTextNotes };
  /** The first number no float64 holds: a fault only where it is read as one. */
  readonly beyondFloat?: JsonSyntaxError;
}

const NO_BYTES = new Uint8Array(0);
const NO_TEXTS: readonly string[] = [];

/** Headers that are just that, as those of most requests are. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]);

/** The media type of a content-type header, without parameters. */
export function mediaTypeOf(header = ''): string {
  return PLAIN_TYPES.has(header) ? header : (header.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/** The strict error about keys that come twice in YAML. */
export function yamlDuplicatesError(texts: readonly string[]): string {
  return `yaml: unmarshal errors:\n  ${texts.join('\n  ')}`;
}

/** The bytes of a request body; empty when there is none or it was handed over as a value. */
export function bodyBytes(body: RequestBody | undefined): Uint8Array {
  return body?.type === 'bytes' ? body.bytes : NO_BYTES;
}

/** Whether there is anything to decode. */
export function hasBody(request: ApiRequest): boolean {
  const { body } = request;
  return body?.type === 'value' ? body.value !== undefined : bodyBytes(body).length > 0;
}

/** A JSON text; throws JsonSyntaxError. Typed bodies may hold numbers beyond float64 in places nobody reads. */
export function parseJsonBody(body: RequestBody | undefined, keepBeyondFloat = false): ParsedBody {
  if (body?.type === 'value') return { value: body.value, duplicates: NO_TEXTS, bytes: NO_BYTES };
  const bytes = bodyBytes(body);
  if (bytes.length > MAX_BODY_BYTES) throw apiErrors.bodyTooLarge(MAX_BODY_BYTES);
  return readJson(bytes, keepBeyondFloat);
}

/** The error for a text that is too deep to be read, and for one that is too deep for what comes after that. */
export function tooDeep(bytes: Uint8Array): JsonSyntaxError {
  return new JsonSyntaxError("invalid character '{' exceeded max depth", bytes.length, 1, 1);
}

function isBeyondStore({ depth, value }: ParsedJson): boolean {
  return depth > maxContentDepth && isTooDeep(value);
}

/** Reads JSON of an object whose fields nobody knows. */
export function readStorable(bytes: Uint8Array): ParsedJson {
  const parsed = parseJson(bytes, { maxDepth: maxObjectDepth });
  if (isBeyondStore(parsed)) throw tooDeep(bytes);
  return parsed;
}

function readJson(bytes: Uint8Array, keepBeyondFloat: boolean): ParsedBody {
  const parsed = parseJson(bytes, { keepBeyondFloat, maxDepth: maxTextDepth });
  const { value, duplicates, hasExtra, beyondFloat } = parsed;
  const depth = isBeyondStore(parsed) ? { isTooDeep: true as const } : {};
  if (!hasExtra) return { value, duplicates: NO_TEXTS, bytes, ...depth };
  return {
    value,
    ...depth,
    duplicates: duplicates.map(({ path }) => duplicateFieldMessage(path)),
    duplicatePaths: duplicates.map(({ path }) => path),
    bytes,
    withNotes: () => readJsonNotes(bytes),
    ...(beyondFloat === undefined ? {} : { beyondFloat }),
  };
}

/**
 * The body of a create, update or delete, in whatever encoding it came. Protobuf is understood where the version of
 * the expected kind is given; bodies that name no version are of that one.
 */
export function parseObjectBody(
  request: ApiRequest,
  expectedKind: string,
  readYaml: YamlReader | undefined,
  protobufVersion?: string,
): ParsedBody {
  const type = mediaTypeOf(request.headers['content-type']);
  if (type === PROTOBUF_TYPE && protobufVersion !== undefined && request.body?.type !== 'value') {
    return parseProtobufBody(bodyBytes(request.body), expectedKind, protobufVersion);
  }
  if (type === 'application/yaml') return parseYamlBody(request, expectedKind, readYaml);
  if (type !== 'application/json' && type !== '' && type !== '*/*')
    throw apiErrors.unsupportedMediaType(supportedMediaTypes);
  try {
    return parseJsonBody(request.body, true);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const reason = `couldn't get version/kind; json parse error: ${error.message}`;
    // Options have no expected kind: the error does not name what they should have been.
    if (expectedKind === 'DeleteOptions') throw apiErrors.badRequest(reason, { cause: error });
    throw apiErrors.unrecognizedObject(expectedKind, reason, bodyBytes(request.body));
  }
}

function openEnvelope(bytes: Uint8Array, expectedKind: string): Envelope {
  try {
    return readEnvelope(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    if (expectedKind === 'DeleteOptions') throw apiErrors.badRequest(error.message, { cause: error });
    throw apiErrors.unrecognizedObject(expectedKind, error.message, bytes);
  }
}

function parseProtobufBody(bytes: Uint8Array, expectedKind: string, expectedVersion: string): ParsedBody {
  if (bytes.length > MAX_BODY_BYTES) throw apiErrors.bodyTooLarge(MAX_BODY_BYTES);
  const envelope = openEnvelope(bytes, expectedKind);
  const kind = envelope.kind || expectedKind;
  const apiVersion = envelope.apiVersion || expectedVersion;
  // Of an unknown kind, among options any other kind, only the name is read; it is refused by that.
  const struct =
    expectedKind === 'DeleteOptions' && kind !== expectedKind ? undefined : protobufStruct(apiVersion, kind);
  if (struct === undefined) return { value: { kind, apiVersion }, duplicates: NO_TEXTS, bytes };
  try {
    return { value: { kind, apiVersion, ...decodeProtobuf(struct, envelope.raw) }, duplicates: NO_TEXTS, bytes };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    if (expectedKind === 'DeleteOptions') throw apiErrors.badRequest(error.message, { cause: error });
    throw apiErrors.cannotBeHandledAs(
      kind,
      apiVersion.slice(apiVersion.lastIndexOf('/') + 1),
      expectedKind,
      error.message,
    );
  }
}

function parseYamlBody(request: ApiRequest, expectedKind: string, readYaml: YamlReader | undefined): ParsedBody {
  const bytes = bodyBytes(request.body);
  if (bytes.length > MAX_BODY_BYTES) throw apiErrors.bodyTooLarge(MAX_BODY_BYTES);
  if (readYaml === undefined) throw apiErrors.unsupportedMediaType(supportedMediaTypes);
  try {
    const { json, duplicates } = readYaml(bytes);
    return { ...readJson(json, true), yamlDuplicates: duplicates, bytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (expectedKind === 'DeleteOptions') throw apiErrors.badRequest(reason, { cause: error });
    throw apiErrors.unrecognizedObject(expectedKind, reason, bytes);
  }
}
