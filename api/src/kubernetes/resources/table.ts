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
 * Reads resources written one a line, under a `group/version:` each (`/v1:` for the core group). A line is
 * `plural Kind ns|cluster verbs shortNames categories subresource…` with `-` for "none" and trailing columns left away;
 * a subresource is `name:verbs[:Kind[.version.group]]`, its body being the parent's kind unless one is named. Verbs
 * `*`, `rw`, `proxy` and `stream` stand for the usual sets.
 */
export function resourceTable(table: string): readonly ResourceDefinition[] {
  const resources: ResourceDefinition[] = [];
  let group = '';
  let version = '';
  for (const line of table.split('\n').map((text) => text.trim())) {
    const heading = /^(\S*)\/(\S+):$/.exec(line);
    if (heading !== null) [, group = '', version = ''] = heading;
    else if (line !== '') resources.push(definition(group, version, line));
  }
  return resources;
}
