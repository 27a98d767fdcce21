/** Headers by their names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One header as one text. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** The same headers with some replaced; undefined takes one away. */
export function withHeaders(
  headers: Headers,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const changed: Record<string, string | readonly string[] | undefined> = {};
  for (const name of Object.keys(headers)) if (!Object.hasOwn(changes, name)) changed[name] = headers[name];
  for (const name of Object.keys(changes)) if (changes[name] !== undefined) changed[name] = changes[name];
  return changed;
}

const JSON_TYPE = 'application/json';

/** Encodings of bodies. */
export type Encoding = 'json' | 'yaml' | 'protobuf' | 'cbor' | 'other';

/** The encoding that a media type names. */
export function encodingOf(mediaType: string): Encoding {
  if (mediaType === JSON_TYPE) return 'json';
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === '' || type.endsWith('json')) return 'json';
  if (type.endsWith('yaml')) return 'yaml';
  if (type.includes('protobuf')) return 'protobuf';
  return type.includes('cbor') ? 'cbor' : 'other';
}

/** What most programs of Go say of objects that they read as JSON. */
const JSON_OR_ANY = `${JSON_TYPE}, */*`;

/** An Accept header without what cannot be translated; undefined when nothing is left. JSON always can. */
export function acceptOnly(
  accept: string | undefined,
  canTranslate: (encoding: Encoding) => boolean,
): string | undefined {
  // What nearly all say.
  if (accept === undefined || accept === JSON_TYPE || accept === '*/*' || accept.trim() === '') return JSON_TYPE;
  if (accept === JSON_OR_ANY) return `${JSON_TYPE},*/*`;
  const asked = accept.split(',').map((clause) => clause.trim());
  const left = asked.filter((clause) => canTranslate(encodingOf(clause)) || encodingOf(clause) === 'other');
  if (left.length === 0) return undefined;
  // A server that may choose would choose what was just removed.
  return left.every((clause) => clause.startsWith('*/')) ? JSON_TYPE : left.join(',');
}

/** Whether a client may take tables: servers allow spaces around `as` and `=`. */
export const acceptsTables = (accept: string | undefined): boolean => accept?.includes('Table') === true;
