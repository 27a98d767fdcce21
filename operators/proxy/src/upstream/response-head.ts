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

/** Reads the head of a response, without the empty line at its end. */
export function readHead(text: string): ResponseHead {
  let end = text.indexOf('\r\n');
  const line = end < 0 ? text : text.slice(0, end);
  const found = STATUS_LINE.exec(line);
  if (found === null) throw new ProxyError('bad-response', 'the server does not answer in HTTP/1.1');
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  while (end >= 0) {
    const start = end + 2;
    end = text.indexOf('\r\n', start);
    readHeaderLine(headers, end < 0 ? text.slice(start) : text.slice(start, end));
  }
  return { status: Number(found[2]), headers, isOldVersion: found[1] === '0' };
}

/** Adds one line of a head to the headers. */
export function readHeaderLine(headers: Record<string, string | string[]>, line: string): void {
  const colon = line.indexOf(':');
  const name = nameOf(line.slice(0, Math.max(colon, 0)));
  const value = line.slice(colon + 1).trim();
  if (name === undefined || BAD_VALUE.test(value))
    throw new ProxyError('bad-response', 'the server sent a header that cannot be read');
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (typeof before === 'string') headers[name] = [before, value];
  else before.push(value);
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
