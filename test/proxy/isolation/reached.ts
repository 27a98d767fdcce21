import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';

/** What a server's own log records of a request. */
export interface Logged {
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly name?: string; readonly resource?: string };
}

const LISTS: ReadonlySet<string> = new Set(['list', 'watch']);
const mapping = new GroupMapping(CLUSTER_API_RULES);

/** Those of the requests through a proxy that arrived at something of the platform. */
export function reachedPlatform(log: Iterable<Logged>): string[] {
  const found: string[] = [];
  for (const { objectRef, requestURI, userAgent, verb } of log) {
    if (userAgent !== 'isolation') continue;
    const { apiGroup = '', name = '', resource } = objectRef ?? {};
    const isObject = mapping.side(apiGroup) === 'standard';
    // CRDs are one collection: lists of it hold the platform's, which are left out on their way.
    const isDefinition =
      resource === 'customresourcedefinitions' && !LISTS.has(verb) && mapping.sideAfterDot(name) === 'standard';
    if (isObject || isDefinition || namesPlatform(requestURI)) found.push(`${verb} ${requestURI}`);
  }
  return found;
}

/** Whatever is no object: discovery of a group, its OpenAPI document. */
function namesPlatform(requestURI: string): boolean {
  const [path = ''] = requestURI.split('?');
  const segments = decodeURIComponent(path)
    .split('/')
    .filter((segment) => segment !== '');
  const at = segments.indexOf('apis');
  return at >= 0 && mapping.side(segments[at + 1] ?? '') === 'standard';
}
