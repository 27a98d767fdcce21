import type { Entry, RouteClass } from '../surfaces/catalog.js';
import { entryOf } from '../surfaces/catalog.js';
import type { Fields } from '../surfaces/fields.js';
import type { ResourcePath } from './path.js';
import { readResourcePath } from './path.js';

/** Where a request goes. */
export interface Route {
  readonly class: RouteClass;
  /** For D to H. */
  readonly path: ResourcePath | undefined;
  readonly entry: Entry | undefined;
  /** The one document of all groups, which older clients want as protobuf alone. */
  readonly isOpenApiV2?: boolean | undefined;
}

/** Subresources of built-in resources whose bytes are no API objects. */
const TUNNELS: ReadonlyMap<string, readonly string[]> = new Map([
  ['pods', ['attach', 'exec', 'log', 'portforward', 'proxy']],
  ['services', ['proxy']],
  ['nodes', ['proxy']],
]);

const TUNNEL: Route = { class: 'passthrough', path: undefined, entry: undefined };
const DISCOVERY: Route = { class: 'discovery', path: undefined, entry: undefined };
const OPEN_API: Route = { class: 'openapi', path: undefined, entry: undefined };
const OPEN_API_V2: Route = { ...OPEN_API, isOpenApiV2: true };

/** The route of a path, by its segments as clients wrote them. */
export function routeOf(fields: Fields, segments: readonly string[]): Route {
  const [first, second] = segments;
  if (first === 'openapi') return second === 'v2' ? OPEN_API_V2 : OPEN_API;
  if (first !== 'api' && first !== 'apis') return TUNNEL;
  const path = readResourcePath(segments);
  if (path.version === undefined || path.resource === undefined) return DISCOVERY;
  if (path.group === '' && TUNNELS.get(path.resource)?.includes(path.subresource ?? '') === true) return TUNNEL;
  const entry = entryOf(fields, path.group, path.resource);
  return { class: entry.class, path, entry };
}
