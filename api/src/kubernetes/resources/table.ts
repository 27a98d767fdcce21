import type { ResourceDefinition, SubresourceDefinition } from '../resource.js';

const shorthand: Readonly<Record<string, readonly string[]>> = {
  '*': ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  rw: ['get', 'patch', 'update'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
  stream: ['create', 'get'],
};

function words(text: string | undefined): readonly string[] {
  if (text === undefined || text === '-' || text === '') return [];
  return shorthand[text] ?? text.split(',');
}

function subresource(text: string, parent: string): SubresourceDefinition {
  const [name = '', verbs, body = parent] = text.split(':');
  // A group may hold dots of its own; a kind and a version cannot.
  const [kind = parent, version, ...group] = body.split('.');
  if (version === undefined) return { name, kind, verbs: words(verbs) };
  return { name, group: group.join('.'), version, kind, verbs: words(verbs) };
}

function definition(group: string, version: string, line: string): ResourceDefinition {
  const [plural = '', kind = '', scope, verbs, shortNames, categories, ...subresources] = line.split(/\s+/);
  const verbList = words(verbs);
  return {
    group,
    version,
    kind,
    ...(verbList.includes('list') ? { listKind: `${kind}List` } : {}),
    plural,
    singular: kind.toLowerCase(),
    shortNames: words(shortNames),
    categories: words(categories),
    namespaced: scope === 'ns',
    verbs: verbList,
    subresources: subresources.map((text) => subresource(text, kind)),
  };
}

/**
 * Reads one group-version. A line is `plural Kind ns|cluster verbs shortNames categories subresource…` with `-` for
 * "none" and trailing columns left away; a subresource is `name:verbs[:Kind[.version.group]]`, its body being the
 * parent's kind unless said otherwise. Verbs `*`, `rw`, `proxy` and `stream` stand for the usual sets.
 */
export function resourceTable(group: string, version: string, table: string): readonly ResourceDefinition[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => definition(group, version, line));
}
