import type { Headers } from '@capstan/translate';

/** The head of a request that can mean one thing only. */
export interface PlainHead {
  readonly method: string;
  readonly target: string;
  readonly fields: PlainFields;
  /** Where the body begins. */
  readonly end: number;
}

/** What the lines after the first one say. */
export interface PlainFields {
  readonly headers: Headers;
  /** Length of the body. */
  readonly length: number;
  /** The client wants no other request on this connection. */
  readonly isLast: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_FIELDS = 64;

/** Methods and characters of which no two readers think differently. */
const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/[\w/.~:@$+!*'(),;=&%?-]*) HTTP\/1\.1$/;
const FIELD = /^([a-z0-9-]+): *([\x20-\x7e]*)$/i;
const LENGTH = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * Headers that change how a message is read, that may come as lists, or that others treat in ways of their own. Requests
 * with them are for the parser of Node.
 */
const UNUSUAL: ReadonlySet<string> = new Set([
  'cookie',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** As programs of Go write it, after other lines. */
const LENGTH_LINE = '\r\nContent-Length: ';

/** Programs say the same of themselves in every request. */
const MAX_KNOWN = 128;
const MAX_KNOWN_LENGTH = 2048;
const known = new Map<string, PlainFields>();

/** The head that begins at the first byte, without the empty line; undefined where it is not all there, or long. */
export function headTextOf(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(HEAD_END);
  return end < 0 || end > MAX_HEAD_BYTES ? undefined : bytes.toString('latin1', 0, end);
}

/**
 * Reads the head of a request. Undefined unless every byte of it is beyond doubt: a request that two programs can read in
 * two ways is how one is smuggled past the other.
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const lineEnd = text.indexOf('\r\n');
  const line = REQUEST_LINE.exec(lineEnd < 0 ? text : text.slice(0, lineEnd));
  if (line === null || lineEnd < 0) return undefined;
  const [, method = '', target = ''] = line;
  const fields = plainFields(text.slice(lineEnd + 2));
  return fields === undefined ? undefined : { method, target, fields, end: text.length + HEAD_END.length };
}

/** Fields by their text without the length of the body, which differs from one request to the next. */
function plainFields(text: string): PlainFields | undefined {
  const start = text.indexOf(LENGTH_LINE);
  const end = start < 0 ? -1 : text.indexOf('\r\n', start + LENGTH_LINE.length);
  // Where the length is the first or the last line, or spelled otherwise, the whole head is read as it is.
  if (end < 0) return rememberedFields(text);
  const length = text.slice(start + LENGTH_LINE.length, end);
  const others = rememberedFields(text.slice(0, start) + text.slice(end));
  if (others === undefined || !LENGTH.test(length) || Object.hasOwn(others.headers, 'content-length')) return undefined;
  return { headers: { ...others.headers, 'content-length': length }, length: Number(length), isLast: others.isLast };
}

function rememberedFields(text: string): PlainFields | undefined {
  const found = known.get(text);
  if (found !== undefined) return found;
  const fields = readFields(text);
  if (fields === undefined || text.length > MAX_KNOWN_LENGTH) return fields;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, fields);
  return fields;
}

function readFields(text: string): PlainFields | undefined {
  const lines = text.split('\r\n');
  const headers: Record<string, string> = {};
  if (lines.length > MAX_FIELDS || !lines.every((line) => readField(headers, line))) return undefined;
  const { connection = 'keep-alive', 'content-length': length = '0', host } = headers;
  if (host === undefined || !LENGTH.test(length) || !/^(?:keep-alive|close)$/i.test(connection)) return undefined;
  return { headers, length: Number(length), isLast: connection.toLowerCase() === 'close' };
}

/** Adds a line to the headers; false when it is not beyond doubt. */
function readField(headers: Record<string, string>, line: string): boolean {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) return false;
  const key = name.toLowerCase();
  if (UNUSUAL.has(key) || Object.hasOwn(headers, key)) return false;
  headers[key] = value.trimEnd();
  return true;
}
