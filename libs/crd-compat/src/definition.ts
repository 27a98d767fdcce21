/** A custom resource definition, read once for all questions about it. */
import { getOwn, setOwn } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';

/** Where a version keeps what its scale subresource shows. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string;
}

/** One entry of `spec.versions`. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly selectableFields: readonly string[];
  /** The schema as it was given. */
  readonly raw: unknown;
  /** Made when first asked for: most versions of a CRD are not required. */
  readonly schema: () => StructuralSchema;
}

/** The names of a CRD, with those the server would fill in. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** How a CRD converts between its versions. */
export interface Conversion {
  readonly strategy: string;
  /** Whether a webhook is reached through a service of the cluster. */
  readonly hasService: boolean;
}

/** A CRD, made ready. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly scope: string;
  readonly names: DefinitionNames;
  readonly labels: Readonly<Record<string, string>>;
  readonly versions: readonly DefinitionVersion[];
  readonly conversion: Conversion;
  readonly preserveUnknownFields: boolean;
  readonly storedVersions: readonly string[];
  /** Status of a condition, where the CRD has it. */
  readonly conditions: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : nothing;
}

function text(value: unknown, otherwise = ''): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((item): item is string => typeof item === 'string');
}

function readScale(value: unknown): ScalePaths | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const scale = fields(value);
  return {
    specReplicasPath: text(scale['specReplicasPath']),
    statusReplicasPath: text(scale['statusReplicasPath']),
    labelSelectorPath: text(scale['labelSelectorPath']),
  };
}

/** Nodes of schemas by their JSON: what two CRDs share is read once. */
export const knownNodes: WeakMap<object, SchemaNode> = new WeakMap();

/** The value, with every part that is as it is in the other taken from there: what is the same is one thing. */
function sharing(value: unknown, other: unknown): unknown {
  if (value === other || !isCompound(value) || !isCompound(other) || Array.isArray(value) !== Array.isArray(other)) {
    return value;
  }
  const keys = Object.keys(value);
  const [mine, theirs] = [value as Fields, other as Fields];
  let copy: Record<string, unknown> | undefined;
  for (const [at, key] of keys.entries()) {
    const part = sharing(mine[key], getOwn(theirs, key));
    const same = part === getOwn(theirs, key) && part !== undefined;
    if (copy === undefined && same) continue;
    copy ??= taken(theirs, keys.slice(0, at), Array.isArray(value));
    setOwn(copy, key, part);
  }
  if (copy !== undefined) return copy;
  return keys.length === Object.keys(other).length ? other : taken(theirs, keys, Array.isArray(value));
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Some members, or the first items. */
function taken(from: Fields, keys: readonly string[], list: boolean): Record<string, unknown> {
  const copy = (list ? [] : {}) as Record<string, unknown>;
  for (const key of keys) setOwn(copy, key, from[key]);
  return copy;
}

function readVersion(value: unknown, minor: number, like: DefinitionVersion | undefined): DefinitionVersion {
  const version = fields(value);
  const subresources = fields(version['subresources']);
  const raw = fields(version['schema'])['openAPIV3Schema'];
  let schema: StructuralSchema | undefined;
  return {
    name: text(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    deprecated: version['deprecated'] === true,
    hasStatus: typeof subresources['status'] === 'object' && subresources['status'] !== null,
    scale: readScale(subresources['scale']),
    selectableFields: list(version['selectableFields']).map((field) => text(fields(field)['jsonPath'])),
    raw,
    schema: () => {
      if (schema !== undefined) return schema;
      const shared = like === undefined ? raw : sharing(raw, like.schema().root.raw);
      return (schema = new StructuralSchema(shared, { minor, known: knownNodes }));
    },
  };
}

/**
 * The CRD with every schema that is as it is in the definition taken from there: what is valid there is known to be valid
 * here, and is read once.
 */
export function sharingSchemas(crd: object, like: Definition): object {
  const spec = fields((crd as Fields)['spec']);
  if (!Array.isArray(spec['versions'])) return crd;
  const versions = (spec['versions'] as readonly unknown[]).map((version) => {
    const schema = fields(fields(version)['schema']);
    const raw = schema['openAPIV3Schema'];
    const known = versionOf(like, text(fields(version)['name']))?.raw;
    if (known === undefined || !isCompound(raw)) return version;
    return { ...(version as Fields), schema: { ...schema, openAPIV3Schema: sharing(raw, known) } };
  });
  return { ...crd, spec: { ...spec, versions } };
}

function readNames(value: unknown): DefinitionNames {
  const names = fields(value);
  const kind = text(names['kind']);
  return {
    plural: text(names['plural']),
    singular: text(names['singular'], kind.toLowerCase()),
    kind,
    listKind: text(names['listKind'], `${kind}List`),
    shortNames: texts(names['shortNames']),
    categories: texts(names['categories']),
  };
}

function readConversion(value: unknown): Conversion {
  const conversion = fields(value);
  const client = fields(fields(conversion['webhook'])['clientConfig']);
  return {
    strategy: text(conversion['strategy'], 'None'),
    hasService: typeof client['service'] === 'object' && client['service'] !== null,
  };
}

/**
 * Reads a CRD. Total: what has the wrong JSON type reads as not given. What is the same as in the CRD it is
 * like is shared with it, and so costs next to nothing.
 */
export function readDefinition(crd: object, minor: number, like?: Definition): Definition {
  const { metadata, spec: anySpec, status: anyStatus } = crd as Fields;
  const spec = fields(anySpec);
  const status = fields(anyStatus);
  const conditions = list(status['conditions']).map((condition) => fields(condition));
  return {
    name: text(fields(metadata)['name']),
    group: text(spec['group']),
    scope: text(spec['scope'], 'Cluster'),
    names: readNames(spec['names']),
    labels: fields(fields(metadata)['labels']) as Readonly<Record<string, string>>,
    versions: list(spec['versions']).map((version) =>
      readVersion(version, minor, like && versionOf(like, text(fields(version)['name']))),
    ),
    conversion: readConversion(spec['conversion']),
    preserveUnknownFields: spec['preserveUnknownFields'] === true,
    storedVersions: texts(status['storedVersions']),
    conditions: new Map(conditions.map((condition) => [text(condition['type']), text(condition['status'])])),
  };
}

/** The version of a name. */
export function versionOf(definition: Definition, name: string): DefinitionVersion | undefined {
  return definition.versions.find((version) => version.name === name);
}

/** The version that objects are stored in. */
export function storageVersionOf(definition: Definition): DefinitionVersion | undefined {
  return definition.versions.find((version) => version.storage);
}
