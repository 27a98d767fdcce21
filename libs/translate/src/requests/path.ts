/** What a path under `/api` or `/apis` speaks of, as a server reads it. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string | undefined;
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** `watch` in the path. */
  readonly isWatch: boolean;
  /** Which of the segments holds the name; -1 when there is none. */
  readonly nameIndex: number;
}

const OF_NAMESPACES = new Set(['status', 'finalize']);

/** The segments of a path, decoded; undefined when it is not well encoded. Servers decode before they split, so an encoded slash divides. */
export function splitPath(path: string): string[] | undefined {
  try {
    return segmentsOf(path.includes('%') ? decodeURIComponent(path) : path);
  } catch {
    return undefined;
  }
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (let from = 0; from < path.length;) {
    const slash = path.indexOf('/', from);
    const to = slash < 0 ? path.length : slash;
    if (to > from) segments.push(path.slice(from, to));
    from = to + 1;
  }
  return segments;
}

/** Without `.` and `..`: whatever the server makes of them, both sides must mean the same path. */
export function resolved(segments: readonly string[]): readonly string[] {
  if (!segments.includes('.') && !segments.includes('..')) return segments;
  const result: string[] = [];
  for (const segment of segments) {
    if (segment === '..') result.pop();
    else if (segment !== '.') result.push(segment);
  }
  return result;
}

/** Paths with one spelling only: splitting and joining one gives the same. */
const PLAIN_PATH = /^(?:\/(?!\.{0,2}(?:\/|$))[\w.~:@$+!*'()-]+)+\/?$/;

/** Whether the path of some segments is the one that they came from. */
export const isPlainPath = (path: string): boolean => PLAIN_PATH.test(path);

/** The path of segments; a slash at the end stays. */
export function joinPath(segments: readonly string[], hasTrailingSlash: boolean): string {
  return `/${segments.map(encodeSegment).join('/')}${hasTrailingSlash && segments.length > 0 ? '/' : ''}`;
}

/** What most segments consist of, and all that a name may. */
const UNENCODED = /^[\w.~:@$+!*'()-]*$/;

const encodeSegment = (segment: string): string => (UNENCODED.test(segment) ? segment : encodeURIComponent(segment));

/** Reads segments that begin with `api` or `apis`. */
export function readResourcePath(segments: readonly string[]): ResourcePath {
  const start = segments[0] === 'api' ? 1 : 2;
  const group = start === 1 ? '' : (segments[1] ?? '');
  const version = segments[start];
  let at = start + 1;
  const isWatch = segments[at] === 'watch';
  if (isWatch) at += 1;
  const third = segments[at + 2];
  if (segments[at] === 'namespaces' && third !== undefined && !OF_NAMESPACES.has(third)) at += 2;
  return {
    group,
    version,
    resource: segments[at],
    name: segments[at + 1],
    subresource: segments[at + 2],
    isWatch,
    nameIndex: segments[at + 1] === undefined ? -1 : at + 1,
  };
}
