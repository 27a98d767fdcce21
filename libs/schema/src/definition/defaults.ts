/** What a server fills in where a CRD leaves it out. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { fields, list, record, text, texts } from './read.js';

function ensure(parent: JsonObject | KubeObject, key: string): JsonObject {
  const found = record(parent[key]);
  if (found !== undefined) return found;
  const created: JsonObject = {};
  (parent as JsonObject)[key] = created;
  return created;
}

/** The name of the version that objects are stored in. */
export function storageVersion(definition: KubeObject): string | undefined {
  const version = list(fields(definition['spec'])['versions']).find((each) => fields(each)['storage'] === true);
  return version === undefined ? undefined : text(fields(version)['name']);
}

/** A status that names no stored version names the one of the spec. */
export function defaultStoredVersions(definition: KubeObject): void {
  const status = record(definition['status']);
  const stored = storageVersion(definition);
  if (status && stored !== undefined && texts(status['storedVersions']).length === 0)
    status['storedVersions'] = [stored];
}

/** Fills in names, conversion and stored versions. */
export function defaultDefinition(definition: KubeObject): void {
  const spec = ensure(definition, 'spec');
  const names = ensure(spec, 'names');
  const kind = text(names['kind']);
  if (text(names['singular']) === '' && kind !== '') names['singular'] = kind.toLowerCase();
  if (text(names['listKind']) === '' && kind !== '') names['listKind'] = `${kind}List`;
  spec['conversion'] ??= { strategy: 'None' };
  const service = record(fields(fields(fields(spec['conversion'])['webhook'])['clientConfig'])['service']);
  if (service) service['port'] ??= 443;
  defaultStoredVersions(definition);
}
