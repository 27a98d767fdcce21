import { LoadedTable } from './loader.js';
import type { StructDef } from './model.js';
import { typeTables } from './tables.js';

/** Kinds every group-version knows besides its own: the options of the verbs, and what the server itself answers. */
const COMMON_KINDS: ReadonlySet<string> = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]);

/** Kinds of meta/v1 that are spoken as plain `v1`. */
const UNVERSIONED_KINDS: ReadonlySet<string> = new Set([
  'Status',
  'APIVersions',
  'APIGroupList',
  'APIGroup',
  'APIResourceList',
]);

const META = 'meta/v1';
const loaded = new Map<string, LoadedTable>();
const pathByGroupVersion = new Map<string, string>();
for (const table of typeTables.values()) {
  const gv = table.groupVersion;
  if (gv !== undefined) pathByGroupVersion.set(`${gv.group}/${gv.version}`, table.path);
}

function tableOf(path: string): LoadedTable | undefined {
  let table = loaded.get(path);
  if (table === undefined) {
    const source = typeTables.get(path);
    if (source === undefined) return undefined;
    table = new LoadedTable(source, tableOf);
    loaded.set(path, table);
  }
  return table;
}

/** The struct of a built-in kind, or undefined when the group-version has no such kind. */
export function structOf(group: string, version: string, kind: string): StructDef | undefined {
  const path = pathByGroupVersion.get(`${group}/${version}`);
  if (path === undefined) return undefined;
  const own = tableOf(path)?.struct(kind);
  if (own !== undefined && isKind(own)) return own;
  const common = COMMON_KINDS.has(kind) || (path === 'core/v1' && UNVERSIONED_KINDS.has(kind));
  return common ? tableOf(META)?.struct(kind) : undefined;
}

/** A kind starts with TypeMeta; a part such as PodSpec, or a reference that happens to name a kind, does not. */
function isKind(struct: StructDef): boolean {
  const first = struct.ownFields[0];
  return first?.inline === true && first.type.kind === 'struct' && first.type.struct.name === 'TypeMeta';
}

/** Any struct by the name `<table path>.<Go name>`: `core/v1.PodSpec`, `meta/v1.ObjectMeta`. */
export function structByName(qualifiedName: string): StructDef | undefined {
  const dot = qualifiedName.indexOf('.');
  return dot < 0 ? undefined : tableOf(qualifiedName.slice(0, dot))?.struct(qualifiedName.slice(dot + 1));
}

/** Every struct of one table, in Go's order; an empty list when there is no such table. */
export function structsIn(path: string): StructDef[] {
  const table = tableOf(path);
  if (table === undefined) return [];
  return table.structNames().flatMap((name) => table.struct(name) ?? []);
}

/** The paths of all tables: `core/v1`, `apps/v1`, … */
export function typeTablePaths(): string[] {
  return [...typeTables.keys()];
}
