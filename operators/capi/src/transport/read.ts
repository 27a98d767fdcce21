import { pushAll } from '@capstan/meta';
import { gunzipSync } from 'node:zlib';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { YamlDocument } from '@capstan/meta/yaml';
import { YamlError, readYaml } from '@capstan/meta/yaml';
import { DEPENDENCY_PREFIX, PROVIDER_LABEL, RELEASE_LABEL, ROLE_LABEL } from '../vocabulary.js';
import type { Role } from '../vocabulary.js';

/** A ConfigMap as far as it is read here. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
}

/** A CustomResourceDefinition as far as it is read here. */
export interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly singular?: string | undefined;
      readonly kind: string;
      readonly plural: string;
      readonly [field: string]: unknown;
    };
    readonly versions: readonly { readonly name: string; readonly storage: boolean; readonly schema?: unknown }[];
    readonly [field: string]: unknown;
  };
}

/** One definition in a transport ConfigMap. */
export interface CarriedDefinition {
  readonly name: string;
  readonly definition: Definition;
  /** The document as it is written there. */
  readonly text: string;
  /** The provider whose it is. */
  readonly component: string;
}

/** What one transport ConfigMap carries. */
export interface Transport {
  readonly map: string;
  readonly role: Role;
  readonly component: string;
  readonly release: string;
  readonly definitions: readonly CarriedDefinition[];
  /** Further versions of CRDs that manifests in it ask for, with the manifest that does. */
  readonly dependencies: readonly { readonly definition: string; readonly version: string; readonly by: string }[];
}

/** Why a transport ConfigMap cannot be used. */
export interface BadTransport {
  readonly map: string;
  readonly problem: string;
}

/** No provider's manifests come near, all of a ConfigMap together; more is a mistake or an attack. */
const MAX_MANIFESTS = 16 * 1024 * 1024;

class Bad extends Error {}

/** Reads a transport ConfigMap: all of it, or nothing with the reason. */
export function readTransport(map: ConfigMap): Transport | BadTransport {
  const { name = '', namespace = '' } = map.metadata;
  const called = `${namespace}/${name}`;
  try {
    return { map: called, ...labelsOf(map), ...manifestsOf(map) };
  } catch (error) {
    if (error instanceof Bad) return { map: called, problem: error.message };
    throw error;
  }
}

function labelsOf({ metadata }: ConfigMap): Pick<Transport, 'component' | 'release' | 'role'> {
  const label = (key: string): string => {
    const value = metadata.labels?.[key];
    if (value === undefined || value === '') throw new Bad(`label ${key} is missing`);
    return value;
  };
  const role = label(ROLE_LABEL);
  if (role !== 'active' && role !== 'future')
    throw new Bad(`label ${ROLE_LABEL} is ${JSON.stringify(role)}, neither active nor future`);
  return { component: label(PROVIDER_LABEL), release: label(RELEASE_LABEL), role };
}

function manifestsOf(map: ConfigMap): Pick<Transport, 'definitions' | 'dependencies'> {
  const component = map.metadata.labels?.[PROVIDER_LABEL] ?? '';
  const definitions: CarriedDefinition[] = [];
  const dependencies: { definition: string; version: string; by: string }[] = [];
  for (const [key, text] of textsOf(map))
    for (const { source, value } of documentsOf(key, text)) {
      pushAll(dependencies, dependenciesOf(value));
      if (value.kind === 'CustomResourceDefinition')
        definitions.push({ ...definitionOf(key, value), text: source, component });
    }
  return { definitions, dependencies };
}

/** Every value of the map as text, in the order of the keys; what was packed is unpacked. */
function textsOf({ binaryData = {}, data = {} }: ConfigMap): [string, string][] {
  const plain = Object.entries(data);
  let room = MAX_MANIFESTS;
  const packed = Object.entries(binaryData).map(([key, value]): [string, string] => {
    const text = unpacked(key, value, room);
    room -= text.length;
    return [key, text];
  });
  const all = [...plain, ...packed].sort(([a], [b]) => (a < b ? -1 : 1));
  if (all.length === 0) throw new Bad('it has neither data nor binaryData');
  return all;
}

function unpacked(key: string, value: string, room: number): string {
  try {
    return gunzipSync(Buffer.from(value, 'base64'), { maxOutputLength: Math.max(room, 1) }).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Bad(`binaryData[${key}]: the manifests are larger than ${MAX_MANIFESTS} bytes unpacked`);
    throw new Bad(`binaryData[${key}] is not gzip: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function* documentsOf(key: string, text: string): Generator<{ readonly value: KubeObject; readonly source: string }> {
  for (const { number, source, value } of yamlOf(key, text)) {
    if (value === null) continue;
    if (!isManifest(value))
      throw new Bad(`document ${number} of ${key} is no manifest: it needs apiVersion, kind and metadata.name`);
    yield { value, source };
  }
}

function yamlOf(key: string, text: string): readonly YamlDocument[] {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new Bad(`document ${error.document} of ${key} is not YAML: ${error.message}`);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isManifest(value: unknown): value is KubeObject {
  if (!isObject(value)) return false;
  const { apiVersion, kind, metadata } = value;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    isObject(metadata) &&
    typeof metadata['name'] === 'string'
  );
}

function definitionOf(key: string, value: KubeObject): Pick<CarriedDefinition, 'definition' | 'name'> {
  const { name = '' } = value.metadata;
  const bad = (why: string): Bad => new Bad(`CustomResourceDefinition ${name} in ${key} ${why}`);
  if (value.apiVersion !== 'apiextensions.k8s.io/v1') throw bad(`is ${value.apiVersion}, not apiextensions.k8s.io/v1`);
  const spec = value['spec'] as Partial<Definition['spec']> | undefined;
  if (!Array.isArray(spec?.versions) || typeof spec.group !== 'string' || !isObject(spec.names))
    throw bad('needs spec.group, spec.names and spec.versions');
  if (`${spec.names.plural}.${spec.group}` !== name) throw bad(`should be called ${spec.names.plural}.${spec.group}`);
  if (spec.versions.filter(({ storage }) => storage).length !== 1) throw bad('needs exactly one storage version');
  return { name, definition: value as Definition };
}

function dependenciesOf({ kind, metadata }: KubeObject): { definition: string; version: string; by: string }[] {
  const by = `${kind} ${metadata.name ?? ''}`;
  return Object.entries(metadata.annotations ?? {})
    .filter(([key]) => key.startsWith(DEPENDENCY_PREFIX))
    .flatMap(([key, versions]) =>
      versions
        .split(',')
        .map((version) => version.trim())
        .filter((version) => version !== '')
        .map((version) => ({ definition: key.slice(DEPENDENCY_PREFIX.length), version, by })),
    );
}
