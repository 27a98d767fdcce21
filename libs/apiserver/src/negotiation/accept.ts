import { trimEndOf, trimStartOf } from '@capstan/meta';

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly q: number;
  readonly params: ReadonlyMap<string, string>;
}

/** The media types this server can write. */
export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

const written: readonly (readonly [MediaType, string])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'vnd.kubernetes.protobuf'],
];

const noParams: ReadonlyMap<string, string> = new Map();

function trimSpaces(text: string): string {
  return trimStartOf(trimEndOf(text, ' '), ' ');
}

function parseParams(text: string): { q: number; params: ReadonlyMap<string, string> } {
  let q = 1;
  const params = new Map<string, string>();
  for (const pair of text.split(';')) {
    const [name = '', value = '', ...rest] = pair.split('=');
    if (value === '' || rest.some((part) => part !== '')) continue;
    if (trimSpaces(name) !== 'q') {
      params.set(trimSpaces(name), trimSpaces(value));
      continue;
    }
    q = /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : 0;
  }
  return { q, params };
}

function parseClause(text: string): AcceptClause | undefined {
  const semicolon = text.indexOf(';');
  const [type = '', subtype, ...rest] = (semicolon < 0 ? text : text.slice(0, semicolon)).split('/');
  const trimmed = trimSpaces(type);
  if (rest.some((part) => part !== '')) return undefined;
  if ((subtype === undefined || subtype === '') && trimmed !== '*') return undefined;
  const { q, params } = semicolon < 0 ? { q: 1, params: noParams } : parseParams(text.slice(semicolon + 1));
  return { type: trimmed, subtype: trimSpaces(subtype || '*'), q, params };
}

function goesBefore(a: AcceptClause, b: AcceptClause): boolean {
  if (a.q > b.q) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

/**
 * Parses and orders an Accept header as Kubernetes servers do. Their comparison is not a proper order (a specific type
 * of low quality and a wildcard of high quality each go before the other), so the outcome depends on the algorithm:
 * of few it is an insertion sort, here as there.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(trimSpaces(part)) ?? []);
  if (clauses.length <= INSERTION_SORTED) return insertionSorted(clauses);
  return clauses.sort((a, b) => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0));
}

/** Go sorts no more than so many by insertion, which takes the square of their number. */
const INSERTION_SORTED = 12;

function insertionSorted(given: readonly AcceptClause[]): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const clause of given) {
    let at = clauses.length;
    for (;;) {
      const before = clauses[at - 1];
      if (before === undefined || !goesBefore(clause, before)) break;
      at -= 1;
    }
    clauses.splice(at, 0, clause);
  }
  return clauses;
}

/** A body of another kind that a client asks for with `as`, `g` and `v`. */
export interface Conversion {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** What an endpoint can turn its objects into; it is asked with `undefined` for a clause that wants no conversion. */
export type AllowsConversion = (conversion: Conversion | undefined, mediaType: MediaType) => boolean;

/** The outcome of a negotiation. */
export interface Accepted {
  readonly mediaType: MediaType;
  readonly conversion?: Conversion;
  readonly pretty: boolean;
}

function conversionOf(params: ReadonlyMap<string, string>): Conversion | undefined {
  const kind = params.get('as');
  const group = params.get('g');
  const version = params.get('v');
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { kind: kind ?? '', group: group ?? '', version: version ?? '' };
}

function accept(clause: AcceptClause, mediaType: MediaType, allows: AllowsConversion): Accepted | undefined {
  const stream = clause.params.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || mediaType === 'application/yaml')) return undefined;
  const serverVersion = clause.params.get('sv') ?? '';
  if (serverVersion !== '' && serverVersion !== 'v1') return undefined;
  const conversion = conversionOf(clause.params);
  if (!allows(conversion, mediaType)) return undefined;
  const pretty = clause.params.get('pretty') === '1';
  return conversion === undefined ? { mediaType, pretty } : { mediaType, conversion, pretty };
}

/** The first clause, in order of preference, that this server and the endpoint can satisfy. */
export function selectAccepted(header: string | undefined, allows: AllowsConversion): Accepted | undefined {
  // An absent header asks for nothing in particular, not even for what the endpoint may insist on.
  if (header === undefined || header === '') return { mediaType: 'application/json', pretty: false };
  for (const clause of parseAccept(header)) {
    for (const [mediaType, subtype] of written) {
      const matches =
        clause.type === '*'
          ? clause.subtype === '*'
          : clause.type === 'application' && (clause.subtype === subtype || clause.subtype === '*');
      const accepted = matches ? accept(clause, mediaType, allows) : undefined;
      if (accepted !== undefined) return accepted;
    }
  }
  return undefined;
}
