/** Changes of single fields of a CRD that a compatibility check must not miss. */
type Json = Record<string, unknown>;

/** One changed CRD. */
export interface Mutation {
  readonly version: string;
  readonly what: 'narrowed' | 'removed' | 'retyped';
  readonly path: string;
  readonly crd: object;
}

type Way = readonly string[];

function at(node: Json, way: Way): Json {
  return way.reduce<Json>((below, key) => below[key] as Json, node);
}

/** The ways to all described nodes below one; metadata is the server's. */
function* waysBelow(node: Json, way: Way): Generator<Way> {
  for (const [name, inner] of Object.entries((node['properties'] as Json | undefined) ?? {})) {
    if (way.length === 0 && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
    const below = [...way, 'properties', name];
    yield below;
    yield* waysBelow(inner as Json, below);
  }
  for (const key of ['items', 'additionalProperties']) {
    const inner = node[key];
    if (typeof inner !== 'object' || inner === null) continue;
    yield [...way, key];
    yield* waysBelow(inner as Json, [...way, key]);
  }
}

/** A length that texts must not have; a pattern or a format may bound it already. */
function shorter({ format, maxLength, pattern }: Json): number {
  if (pattern !== undefined || format !== undefined) return 0;
  return Math.max(0, (typeof maxLength === 'number' ? maxLength : 300) - 1);
}

/** Makes a node take less; false where there is no way to. */
function narrow(node: Json): boolean {
  const { maxItems, maximum, type } = node;
  if (Array.isArray(node['enum'])) {
    if (node['enum'].length < 2) return false;
    node['enum'] = node['enum'].slice(0, -1);
  } else if (type === 'string') node['maxLength'] = shorter(node);
  else if (type === 'integer' && typeof maximum === 'number') node['maximum'] = maximum - 1;
  else if (type === 'integer') node['maximum'] = 2 ** 31 - 2;
  else if (type === 'array') node['maxItems'] = Math.max(0, (typeof maxItems === 'number' ? maxItems : 5) - 1);
  else return false;
  return true;
}

function change(root: Json, way: Way, what: Mutation['what']): boolean {
  const node = at(root, way);
  const key = way.at(-1) ?? '';
  const holder = at(root, way.slice(0, -1));
  if (what === 'narrowed') return narrow(node);
  if (what === 'retyped') {
    holder[key] = { type: node['type'] === 'boolean' ? 'string' : 'boolean' };
    return true;
  }
  if (way.at(-2) !== 'properties') return false;
  delete holder[key];
  const parent = at(root, way.slice(0, -2));
  const required = parent['required'];
  if (Array.isArray(required)) parent['required'] = required.filter((name) => name !== key);
  return true;
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Json };
}

/** A way as findings write paths: lists are passed through, values of maps are a star. */
function pathOf(way: Way): string {
  const names: string[] = [];
  for (let index = 0; index < way.length; index++) {
    if (way[index] === 'properties') names.push(way[++index] ?? '');
    else if (way[index] === 'additionalProperties') names.push('*');
  }
  return names.join('.');
}

const changes = ['removed', 'narrowed', 'retyped'] as const;

function versionsOf(crd: object): readonly Version[] {
  return (crd as { readonly spec: { readonly versions: readonly Version[] } }).spec.versions;
}

/** A copy of a CRD that shares everything with it but what leads to one node of a version, and that node. */
function copiedAlong(crd: object, index: number, way: Way): { readonly crd: object; readonly root: Json } {
  const copy = { ...crd } as Json;
  let at = copy;
  const along = ['spec', 'versions', String(index), 'schema', 'openAPIV3Schema'];
  let root = copy;
  for (const [depth, key] of [...along, ...way].entries()) {
    const inner = at[key];
    at[key] = Array.isArray(inner) ? [...(inner as unknown[])] : { ...(inner as Json) };
    at = at[key] as Json;
    if (depth === along.length - 1) root = at;
  }
  return { crd: copy, root };
}

/** Every so manieth field removed, narrowed and given another type, one at a time; `from` is how many come before. */
export function* mutationsOf(crd: object, every: number, from = 0): Generator<Mutation> {
  let count = from;
  for (const [index, { name, schema }] of versionsOf(crd).entries()) {
    for (const way of waysBelow(schema.openAPIV3Schema, [])) {
      if (count++ % every !== 0) continue;
      for (const what of changes) {
        const { crd: copy, root } = copiedAlong(crd, index, way);
        if (!change(root, way, what)) continue;
        yield { version: name, what, path: pathOf(way), crd: copy };
      }
    }
  }
}
