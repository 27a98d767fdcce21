/** Where an API server takes requests about the objects of a CRD. */
import type { JsonObject } from '@capstan/meta';
import type { Definition } from '../definition.js';
import type { WitnessVerb } from '../report.js';

/** What a path leads to. */
export interface Route {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

const subresources: Readonly<Partial<Record<WitnessVerb, string>>> = {
  'get-scale': '/scale',
  scale: '/scale',
  status: '/status',
};

/** The path of a request about an object, or about all there are. */
export function pathFor(
  { group, names, scope }: Pick<Definition, 'group' | 'names' | 'scope'>,
  version: string,
  verb: WitnessVerb,
  object: JsonObject,
): string {
  const { name = '', namespace = 'default' } = (object['metadata'] ?? {}) as { name?: string; namespace?: string };
  const inside = scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
  const all = `/apis/${group}/${version}${inside}/${names.plural}`;
  if (verb === 'create' || verb === 'list') return all;
  return `${all}/${name}${subresources[verb] ?? ''}`;
}

/** Reads a path as an API server does; undefined where it is no path of a custom resource. */
export function routeOf(path: string): Route | undefined {
  const { pathname, searchParams: query } = new URL(path, 'https://localhost');
  const [root, group, version, ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
  if (root !== 'apis' || group === undefined || version === undefined) return undefined;
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
  const [plural, name, subresource] = namespace === undefined ? rest : rest.slice(2);
  return plural === undefined ? undefined : { group, version, namespace, plural, name, subresource, query };
}
