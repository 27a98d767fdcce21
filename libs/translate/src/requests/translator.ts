import type { GroupMapping } from '../groups/mapping.js';
import { unmixEtags, unmixHash } from '../surfaces/etag.js';
import type { Fields } from '../surfaces/fields.js';
import { fieldsOf } from '../surfaces/fields.js';
import type { Encoding, Headers } from './headers.js';
import { acceptOnly, headerText, withHeaders } from './headers.js';
import { isPlainPath, joinPath, resolved, splitPath } from './path.js';
import type { Query } from './query.js';
import { asksForWatch, changedQuery, pinnedNames, swapFieldSelector, understoodQuery } from './query.js';
import type { Refusal } from './refusal.js';
import { badRequest, notFound, objectNotFound, refusal } from './refusal.js';
import { requestBody } from './request-body.js';
import type { Context, Target } from './response.js';
import { changesOf } from './response.js';
import type { Route } from './routes.js';
import { routeOf } from './routes.js';
import type {
  Body,
  Encodings,
  RequestHead,
  ResponseChanges,
  TranslatedRequest,
  TranslatedResponse,
  Translator,
} from './types.js';

/** A translator for a mapping: pure, one for any number of requests. */
export function translate(mapping: GroupMapping, encodings: Encodings = {}): Translator {
  const context: Context = { fields: fieldsOf(mapping), encodings };
  return { request: (head) => translateRequest(context, head) };
}

function translateRequest(context: Context, head: RequestHead): TranslatedRequest | { readonly refuse: Refusal } {
  const target = readTarget(head.target);
  if (target === undefined) return { refuse: badRequest('the path cannot be read') };
  const { fields } = context;
  const route = routeOf(fields, target.segments);
  if (route.class === 'passthrough') return passing(fields, head, target, route);
  const query = target.query === undefined ? NO_QUERY : understoodQuery(target.query);
  if (typeof query === 'string') return { refuse: badRequest(`the query can be read in two ways: ${query}`) };
  const refuse = refused(context, head, { target, query, route });
  if (refuse !== undefined) return { refuse };
  const isWatch = isWatchOf(route, head.method, query);
  const changes = (status: number, headers: Headers): ResponseChanges =>
    changesOf(context, { head, route, isWatch, target }, { status, headers });
  return {
    target: swapTarget(fields, { target, query, route }),
    headers: requestHeaders(context, head, route),
    route,
    isWatch,
    body: () => bodyOf(context, head, route),
    response: (status, headers) => {
      const changed = changes(status, headers);
      return { headers: withHeaders(headers, changed.headers), body: changed.body };
    },
    changes,
  };
}

const NO_QUERY: Query = { parameters: [], text: '' };

/** A target, and what was found out about it. */
interface Located {
  readonly target: Target;
  readonly query: Query;
  readonly route: Route;
}

/** Servers watch single objects only by the `watch` path prefix. */
function isWatchOf({ path }: Route, method: string, query: Query): boolean {
  if (path === undefined) return false;
  return path.isWatch || (method === 'GET' && path.name === undefined && asksForWatch(query));
}

const UNCHANGED: ResponseChanges = { headers: {}, body: 'pass' };

/** Bytes that go as they are. A path that a server may read in two ways goes in the way in which it was read here. */
function passing(fields: Fields, { target, headers }: RequestHead, read: Target, route: Route): TranslatedRequest {
  const isClear = routeOf(fields, read.unresolved).class === 'passthrough';
  const response = (_: number, received: Headers): TranslatedResponse => ({ headers: received, body: 'pass' });
  const changes = (): ResponseChanges => UNCHANGED;
  return {
    target: isClear ? target : joinTarget(read.segments, read),
    headers,
    route,
    isWatch: false,
    body: () => 'pass',
    response,
    changes,
  };
}

function joinTarget(
  segments: readonly string[],
  { hasTrailingSlash, query }: Pick<Target, 'hasTrailingSlash' | 'query'>,
): string {
  const path = joinPath(segments, hasTrailingSlash);
  return query === undefined ? path : `${path}?${query}`;
}

function readTarget(text: string): Target | undefined {
  // A whole URL would lead past what is read here.
  if (!text.startsWith('/')) return undefined;
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const segments = splitPath(path);
  if (segments === undefined) return undefined;
  return {
    path,
    segments: resolved(segments),
    unresolved: segments,
    hasTrailingSlash: path.endsWith('/'),
    query: mark < 0 ? undefined : text.slice(mark + 1),
  };
}

/** Requests that lead to what is hidden, or cannot be translated. */
function refused(
  { fields, encodings }: Context,
  { method, headers }: RequestHead,
  { target, query, route }: Located,
): Refusal | undefined {
  const { mapping } = fields;
  const group = groupOfPath(target.segments);
  if (group !== undefined && mapping.side(group) === 'private') return notFound();
  const upgrade = headerText(headers, 'upgrade');
  if (upgrade !== undefined && /websocket|spdy/i.test(upgrade))
    return badRequest('upgraded connections are not translated on this path');
  if (acceptOnly(headerText(headers, 'accept'), translatable(route, encodings)) === undefined)
    return refusal({
      status: 406,
      reason: 'NotAcceptable',
      message: 'only the following media types are accepted: application/json',
    });
  return route.entry?.names === undefined ? undefined : refusedDefinition(fields, route, { method, query });
}

/** A private name would lead to the platform's CRD. */
function refusedDefinition(
  { mapping }: Fields,
  { path, entry }: Route,
  { method, query }: { method: string; query: Query },
): Refusal | undefined {
  if (path === undefined || entry?.names === undefined) return undefined;
  const { group, resource = '', name } = path;
  const isPrivate = (of: string): boolean => mapping.side(entry.names?.group(of) ?? '') === 'private';
  if (name !== undefined) return isPrivate(name) ? objectNotFound(group, resource, name) : undefined;
  if (method !== 'DELETE') return undefined;
  const pinned = pinnedNames(query);
  if (pinned.length > 0 && !pinned.some(isPrivate)) return undefined;
  const message = `${resource}.${group} is forbidden: a collection that holds hidden objects cannot be deleted; delete them one by one`;
  return refusal({ status: 403, reason: 'Forbidden', message, details: { group, kind: resource } });
}

/** The group that a path names, of an API or of its OpenAPI document. */
function groupOfPath(segments: readonly string[]): string | undefined {
  const at = segments.indexOf('apis');
  if (at === 0) return segments[1];
  return at === 2 && segments[0] === 'openapi' && segments[1] === 'v3' ? segments[3] : undefined;
}

function swapTarget(fields: Fields, { target, query, route }: Located): string {
  const path = swapPath(fields, target, route);
  if (target.query === undefined) return path;
  // Nearly all have neither.
  if (!query.parameters.some(([name]) => name === 'fieldSelector' || name === 'hash')) return `${path}?${query.text}`;
  const { mapping } = fields;
  const { entry } = route;
  const text = changedQuery(query, (name, value) => {
    if (name === 'hash' && route.class === 'openapi') return unmixHash(value, mapping.hash);
    if (name !== 'fieldSelector') return value;
    return swapFieldSelector(value, (field, compared) => swapField({ mapping, entry }, field, compared));
  });
  return `${path}?${text}`;
}

function swapPath({ mapping }: Fields, target: Target, { path, entry }: Route): string {
  const { segments, hasTrailingSlash } = target;
  if (path !== undefined && entry?.names === undefined && isPlainPath(target.path))
    return swapGroup(mapping, target.path, path.group);
  const swapped = [...segments];
  const group = groupOfPath(segments);
  if (group !== undefined) swapped[segments.indexOf('apis') + 1] = mapping.swap(group);
  if (path !== undefined && path.nameIndex >= 0 && entry?.names !== undefined)
    swapped[path.nameIndex] = entry.names.swap(path.name ?? '');
  return joinPath(swapped, hasTrailingSlash);
}

/** A plain path under `/apis` by the other name of its group. */
function swapGroup(mapping: GroupMapping, path: string, group: string): string {
  const swapped = group === '' ? group : mapping.swap(group);
  return swapped === group ? path : `/apis/${swapped}${path.slice('/apis/'.length + group.length)}`;
}

function swapField(
  { mapping, entry }: { mapping: GroupMapping; entry: Route['entry'] },
  field: string,
  value: string,
): string {
  if (field === 'metadata.name') return entry?.names?.swap(value) ?? value;
  const last = field.slice(field.lastIndexOf('.') + 1);
  return last === 'apiVersion' ? mapping.swapApiVersion(value) : last === 'apiGroup' ? mapping.swap(value) : value;
}

function translatable(
  { class: of, isOpenApiV2 = false }: Route,
  { protobuf, yaml }: Encodings,
): (encoding: Encoding) => boolean {
  const isAboutObjects = of !== 'discovery' && of !== 'openapi';
  return (encoding) =>
    encoding === 'json' ||
    (encoding === 'protobuf' && (isAboutObjects || isOpenApiV2) && protobuf !== undefined) ||
    (encoding === 'yaml' && isAboutObjects && yaml !== undefined);
}

/** Headers that are rewritten, or that the server must not receive. */
const REPLACED: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'if-none-match', 'upgrade']);

function requestHeaders({ fields, encodings }: Context, { method, headers }: RequestHead, route: Route): Headers {
  const tags = headerText(headers, 'if-none-match');
  const isCached = route.class === 'discovery' || route.class === 'openapi';
  // Names change their length.
  const isLengthWrong = hasBody({ method, headers }, route);
  const sent: Record<string, string | readonly string[] | undefined> = {};
  for (const name of Object.keys(headers))
    if (!REPLACED.has(name) && !(isLengthWrong && name === 'content-length')) sent[name] = headers[name];
  sent['accept'] = acceptOnly(headerText(headers, 'accept'), translatable(route, encodings));
  sent['accept-encoding'] = 'identity';
  const asked = tags !== undefined && isCached ? unmixEtags(tags, fields.mapping.hash) : tags;
  if (asked !== undefined) sent['if-none-match'] = asked;
  return sent;
}

const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

const hasBody = ({ method, headers }: Pick<RequestHead, 'method' | 'headers'>, { path }: Route): boolean =>
  path !== undefined && !BODILESS.has(method) && headers['content-length'] !== '0';

function bodyOf({ fields, encodings }: Context, { method, headers }: RequestHead, route: Route): Body {
  if (!hasBody({ method, headers }, route)) return 'pass';
  return requestBody(fields, { method, route, contentType: headerText(headers, 'content-type') ?? '' }, encodings);
}
