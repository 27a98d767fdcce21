/** Which versions and which fields of a required CRD count. */
import { type FieldError, indexField, invalid, joinField, notSupported, pushAll } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { type Definition, readDefinition, versionOf } from './definition.js';

/** `requiredVersions` of a requirement. */
export interface VersionSelection {
  readonly defaultSelection: string;
  readonly additionalVersions?: readonly string[] | null;
}

/** One entry of `excludedFields`; without versions it is about every selected one. */
export interface ExcludedPath {
  readonly path: string;
  readonly versions?: readonly string[] | null;
}

/** Excluded fields below a node by name; a name without a tree is excluded as a whole. */
export type ExclusionTree = ReadonlyMap<string, ExclusionTree | undefined>;

const schemaPath = 'spec.compatibilitySchema';
const anyMinor = 36;

/** The versions a requirement is about, in the order of the CRD, or what is wrong with the selection. */
export function selectVersions(
  crd: object,
  selection: VersionSelection,
): { readonly ok: readonly string[] } | { readonly errors: readonly FieldError[] } {
  const { versions } = readDefinition(crd, anyMinor);
  const at = joinField(schemaPath, 'requiredVersions');
  const { defaultSelection, additionalVersions } = selection;
  if (defaultSelection !== 'StorageOnly' && defaultSelection !== 'AllServed') {
    const supported = ['StorageOnly', 'AllServed'];
    return { errors: [notSupported(joinField(at, 'defaultSelection'), defaultSelection, supported)] };
  }
  const known = new Set(versions.map(({ name }) => name));
  const additional = additionalVersions ?? [];
  const errors = additional.flatMap((name, index) =>
    known.has(name)
      ? []
      : [invalid(indexField(joinField(at, 'additionalVersions'), index), name, 'the required CRD has no such version')],
  );
  if (errors.length > 0) return { errors };
  const selected = versions.filter(
    ({ name, served, storage }) => (defaultSelection === 'AllServed' ? served : storage) || additional.includes(name),
  );
  return { ok: selected.map(({ name }) => name) };
}

/** The schema a path leads to; lists are passed through, map values cannot be addressed. */
function follow(root: SchemaNode, path: string): { readonly node: SchemaNode } | { readonly error: string } {
  let node = root;
  let passed = '';
  for (const name of path.split('.')) {
    for (; node.items !== undefined && node.properties === undefined; node = node.items);
    const member = node.properties?.get(name);
    if (member === undefined) {
      const parent = passed === '' ? 'the root' : `"${passed}"`;
      return { error: `path "${path}" leads nowhere: ${parent} has no field "${name}"` };
    }
    node = member;
    passed = passed === '' ? name : `${passed}.${name}`;
  }
  return { node };
}

/** Follows a path of `excludedFields` through one version; the schema there, or a sentence about what is missing. */
export function resolveExcludedField(
  crd: object,
  version: string,
  path: string,
): { readonly ok: SchemaNode } | { readonly error: string } {
  return resolveIn(readDefinition(crd, anyMinor), version, path);
}

function resolveIn(
  definition: Definition,
  version: string,
  path: string,
): { readonly ok: SchemaNode } | { readonly error: string } {
  const found = versionOf(definition, version);
  if (found === undefined) return { error: `the required CRD has no version "${version}"` };
  const followed = follow(found.schema().root, path);
  return 'error' in followed ? { error: `${followed.error} in version "${version}"` } : { ok: followed.node };
}

interface Excluded {
  readonly byVersion: ReadonlyMap<string, ExclusionTree>;
  readonly errors: readonly FieldError[];
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

/** The versions an entry is about, and what is wrong with it. */
function checkEntry(
  definition: Definition,
  selected: readonly string[],
  { path, versions }: ExcludedPath,
  at: string,
): { readonly versions: readonly string[]; readonly errors: readonly FieldError[] } {
  const pathAt = joinField(at, 'path');
  if (versions === undefined || versions === null || versions.length === 0) {
    const resolved = selected.map((version) => ({ version, result: resolveIn(definition, version, path) }));
    const good = resolved.flatMap(({ version, result }) => ('ok' in result ? [version] : []));
    if (good.length > 0) return { versions: good, errors: [] };
    const [first] = resolved.flatMap(({ result }) => ('error' in result ? [result.error] : []));
    return { versions: [], errors: [invalid(pathAt, path, first ?? 'no version is selected')] };
  }
  const errors = versions.flatMap((version, index): FieldError[] => {
    const versionAt = indexField(joinField(at, 'versions'), index);
    const resolved = resolveIn(definition, version, path);
    if (versionOf(definition, version) === undefined) {
      return [invalid(versionAt, version, 'the required CRD has no such version')];
    }
    if (!selected.includes(version))
      return [invalid(versionAt, version, 'requiredVersions does not select this version')];
    return 'error' in resolved ? [invalid(pathAt, path, resolved.error)] : [];
  });
  return { versions, errors };
}

function grow(tree: Map<string, ExclusionTree | undefined>, path: string): void {
  const names = path.split('.');
  let at = tree;
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) at.set(name, undefined);
    else {
      const below = (at.get(name) as Map<string, ExclusionTree | undefined> | undefined) ?? new Map();
      at.set(name, below);
      at = below;
    }
  }
}

/** Reads `excludedFields` for the selected versions: every path resolves, and none lies inside another. */
export function readExclusions(
  definition: Definition,
  selected: readonly string[],
  excluded: readonly ExcludedPath[],
): Excluded {
  const errors: FieldError[] = [];
  const paths = new Map<string, string[]>();
  for (const [index, entry] of excluded.entries()) {
    const at = indexField(joinField(schemaPath, 'excludedFields'), index);
    const checked = checkEntry(definition, selected, entry, at);
    pushAll(errors, checked.errors);
    if (checked.errors.length > 0) continue;
    for (const version of checked.versions) {
      const known = paths.get(version) ?? [];
      const other = known.find((path) => overlaps(path, entry.path));
      if (other !== undefined) {
        errors.push(invalid(joinField(at, 'path'), entry.path, `overlaps with "${other}" in version "${version}"`));
      }
      paths.set(version, [...known, entry.path]);
    }
  }
  const byVersion = new Map<string, ExclusionTree>();
  for (const [version, list] of paths) {
    const tree = new Map<string, ExclusionTree | undefined>();
    for (const path of list) grow(tree, path);
    byVersion.set(version, tree);
  }
  return { byVersion, errors };
}
