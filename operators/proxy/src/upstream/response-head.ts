import { ProxyError } from '../errors.js';

/** Headers by their names in lower case; a list where a name came more than once. */
export type ResponseHeaders = Readonly<Record<string, string | string[]>>;

/** The first lines of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** HTTP/1.0. */
  readonly isOldVersion: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: |$)/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What Node would not send on. */
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Objects without a prototype that are as quick as others: the names of a server come in few orders. */
const Bag = function (): void {} as unknown as new () => Record<string, string | string[]>;
Bag.prototype = Object.create(null);

/** Reads the head of a response, without the empty line at its end. */
export function readHead(text: string): ResponseHead {
  let end = text.indexOf('\r\n');
  const line = end < 0 ? text : text.slice(0, end);
  const found = STATUS_LINE.exec(line);
  if (found === null) throw new ProxyError('bad-response', 'the server does not answer in HTTP/1.1');
  const headers = new Bag();
  while (end >= 0) {
    const start = end + 2;
    end = text.indexOf('\r\n', start);
    readHeader(headers, text, start, end < 0 ? text.length : end);
  }
  return { status: Number(found[2]), headers, isOldVersion: found[1] === '0' };
}

/** Adds one line of trailers to those before. */
export function readTrailer(before: Record<string, string | string[]> | undefined, line: string): typeof before {
  const trailers = before ?? new Bag();
  readHeader(trailers, line, 0, line.length);
  return trailers;
}

/** Adds one line to the headers. */
function readHeader(headers: Record<string, string | string[]>, text: string, start: number, end: number): void {
  const colon = text.indexOf(':', start);
  const name = colon < 0 || colon >= end ? undefined : nameOf(text.slice(start, colon));
  const value = valueIn(text, colon + 1, end);
  if (name === undefined || BAD_VALUE.test(value))
    throw new ProxyError('bad-response', 'the server sent a header that cannot be read');
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (typeof before === 'string') headers[name] = [before, value];
  else before.push(value);
}

const SPACE = 0x20;
const BLANKS = /^[ \t]+|[ \t]+$/g;

/** Mostly one space, and then the value up to the end. */
function valueIn(text: string, from: number, end: number): string {
  const start = text.charCodeAt(from) === SPACE ? from + 1 : from;
  const value = text.slice(start, end);
  const isTrimmed = text.charCodeAt(start) > SPACE && text.charCodeAt(end - 1) > SPACE;
  return isTrimmed ? value : value.replaceAll(BLANKS, '');
}

/** Servers send the same names again and again. */
const known = new Map<string, string>();
const MAX_KNOWN = 256;

/** The name of a header in lower case; undefined when it is none. */
function nameOf(text: string): string | undefined {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (!NAME.test(text)) return undefined;
  const name = text.toLowerCase();
  if (known.size < MAX_KNOWN) known.set(text, name);
  return name;
}
