import { readQuery as readParameters, Recent } from '@capstan/meta';
import { nameInSelector } from './selected-name.js';

/** What a request line asks for, by the rules of the Kubernetes URL grammar. */
export interface RequestInfo {
  /** Decoded path, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isResource: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** From the path; of a list or watch by a field selector on `metadata.name`, from there. */
  readonly name: string;
  /** As it was sent, where the verb honours it: list, watch and deletecollection. */
  readonly fieldSelector: string;
  /** Path segments after name and subresource (`pods/x/proxy/a/b`). */
  readonly rest: readonly string[];
}

/** The path cannot be decoded (`%zz`): answered as plain text, before any handler sees it. */
export class MalformedTarget extends Error {}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const SELECTING_VERBS = new Set(['list', 'watch', 'deletecollection']);
const EMPTY_QUERY = new URLSearchParams();
/** What is longer is a question of its own. */
const LONGEST_REMEMBERED = 256;
/** A client asks in the same words again and again. Nobody changes what was read. */
const queries = new Recent<string, URLSearchParams>(256);

function readQuery(text: string): URLSearchParams {
  let query = queries.get(text);
  if (query !== undefined) return query;
  query = new URLSearchParams(readParameters(text).parameters);
  if (text.length <= LONGEST_REMEMBERED) queries.set(text, query);
  return query;
}

function nonResource(method: string, path: string, query: URLSearchParams): RequestInfo {
  return {
    path,
    query,
    isResource: false,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    fieldSelector: '',
    rest: [],
  };
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw new MalformedTarget(path);
  }
}

/** What is between the slashes of a path, but for what is before the first and nothing after the last. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let from = path.indexOf('/') + 1;
  if (from === 0) return segments;
  for (let to = path.indexOf('/', from); to >= 0; to = path.indexOf('/', from)) {
    segments.push(path.slice(from, to));
    from = to + 1;
  }
  if (from < path.length) segments.push(path.slice(from));
  return segments;
}

/** Whether a path is its own decoded form. */
function isPlain(path: string): boolean {
  return path.startsWith('/') && !path.endsWith('/') && !path.includes('%');
}

/** Without a query: the backend interprets the request. */
function verbOf(method: string, name: string, query: URLSearchParams | undefined): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    case 'GET':
      if (name !== '') return 'get';
      return query !== undefined && isTrue(query.get('watch')) ? 'watch' : 'list';
    case 'HEAD':
      return query === undefined ? 'get' : 'head';
    default:
      return method.toLowerCase();
  }
}

/** `watch`, `watch=true` and `watch=1` all mean yes, as Kubernetes' query decoder has it. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

/** Parses the request line. It is decoded before it is cut, as Go does: an encoded slash is a slash. */
export function parseTarget(method: string, target: string): RequestInfo {
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? EMPTY_QUERY : readQuery(target.slice(mark + 1));
  const segments = segmentsOf(decodePath(rawPath));
  const path = isPlain(rawPath) ? rawPath : '/' + segments.join('/');
  const [root] = segments;
  let rest: string[];
  let group = '';
  let version: string | undefined;
  if (root === 'api') {
    version = segments[1];
    rest = segments.slice(2);
  } else if (root === 'apis') {
    group = segments[1] ?? '';
    version = segments[2];
    rest = segments.slice(3);
  } else {
    return nonResource(method, rawPath.includes('%') ? path : rawPath, query);
  }
  if (version === undefined || rest.length === 0) return nonResource(method, path, query);
  return resourceInfo({ method, path, query, group, version, rest });
}

interface Located {
  method: string;
  path: string;
  query: URLSearchParams;
  group: string;
  version: string;
  rest: string[];
}

/** What goes to a page behind this server is not read by its query. */
function verbAt({ method, query }: Located, name: string, subresource: string): string {
  return verbOf(method, name, subresource === 'proxy' ? undefined : query);
}

/** Whether a path goes on behind a namespace with something other than what belongs to the namespace itself. */
function isInNamespace([first, , third]: readonly string[]): boolean {
  return first === 'namespaces' && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
}

/** The part of a path after `watch`, by which clients of long ago ask for one. */
function withoutWatch(rest: string[]): { readonly rest: string[]; readonly isWatch: boolean } {
  return rest[0] === 'watch' && rest.length > 1 ? { rest: rest.slice(1), isWatch: true } : { rest, isWatch: false };
}

/** The field selector where the verb honours it, and the name it insists on. */
function selectorOf({ query }: Located, verb: string): { readonly fieldSelector: string; readonly selected: string } {
  const fieldSelector = SELECTING_VERBS.has(verb) ? (query.get('fieldSelector') ?? '') : '';
  const isRead = fieldSelector !== '' && verb !== 'deletecollection';
  return { fieldSelector, selected: isRead ? nameInSelector(query) : '' };
}

const NO_SELECTOR = { fieldSelector: '', selected: '' };

function resourceInfo(at: Located): RequestInfo {
  const { rest: parts, isWatch } = withoutWatch(at.rest);
  const namespace = parts[0] === 'namespaces' ? (parts[1] ?? '') : '';
  const [resource = '', name = '', subresource = '', ...rest] = isInNamespace(parts) ? parts.slice(2) : parts;
  const verb = isWatch && at.method === 'GET' ? 'watch' : verbAt(at, name, subresource);
  // Watches by path do not read selectors consistently: nobody is authorized by them.
  const { fieldSelector, selected } = isWatch ? NO_SELECTOR : selectorOf(at, verb);
  return {
    path: at.path,
    query: at.query,
    isResource: true,
    verb,
    group: at.group,
    version: at.version,
    namespace,
    resource,
    subresource,
    name: name === '' ? selected : name,
    fieldSelector,
    rest,
  };
}
