import {
  structByName,
  structOf,
  type FieldDef,
  type SpecialName,
  type StructDef,
  type TypeRef,
} from '@capstan/api/kubernetes';
import type { GroupVersionKind } from '@capstan/meta';

/** A schema object of OpenAPI 3.0. */
export type Schema = Readonly<Record<string, unknown>>;

const metaModel = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const extensionsModel = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** The Go types with a JSON form of their own: definition name and schema. */
const specials: Readonly<Record<SpecialName, readonly [name: string, schema: Schema]>> = {
  Time: [`${metaModel}.Time`, { type: 'string', format: 'date-time' }],
  MicroTime: [`${metaModel}.MicroTime`, { type: 'string', format: 'date-time' }],
  Duration: [`${metaModel}.Duration`, { type: 'string' }],
  Quantity: ['io.k8s.apimachinery.pkg.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  IntOrString: [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
  RawExtension: ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }],
  FieldsV1: [`${metaModel}.FieldsV1`, { type: 'object' }],
  JSON: [`${extensionsModel}.JSON`, {}],
  JSONSchemaPropsOrBool: [`${extensionsModel}.JSONSchemaPropsOrBool`, {}],
  JSONSchemaPropsOrArray: [`${extensionsModel}.JSONSchemaPropsOrArray`, {}],
  JSONSchemaPropsOrStringArray: [`${extensionsModel}.JSONSchemaPropsOrStringArray`, {}],
};

const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  any: { type: 'object' },
};

/** A reference to a named schema of the same document. */
export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function extensionsOf(field: FieldDef): Schema {
  return {
    ...(field.defaultValue === undefined ? {} : { default: field.defaultValue }),
    ...(field.listMapKeys.length > 0 ? { 'x-kubernetes-list-map-keys': field.listMapKeys } : {}),
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapType === undefined ? {} : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy.length > 0 ? { 'x-kubernetes-patch-strategy': field.patchStrategy.join(',') } : {}),
  };
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Collects the named schemas of one document: what is asked for and all that it refers to. */
export class SchemaCollector {
  readonly #schemas = new Map<string, Schema>();
  readonly #pending: StructDef[] = [];
  readonly #kinds = new Map<string, GroupVersionKind[]>();

  /** Adds a built-in kind under its definition name, if there is one of that name. */
  addKind(group: string, version: string, kind: string): string | undefined {
    const struct = structOf(group, version, kind);
    if (struct === undefined) return undefined;
    const kinds = this.#kinds.get(struct.modelName) ?? [];
    this.#kinds.set(struct.modelName, kinds);
    if (!kinds.some((known) => known.group === group && known.version === version))
      kinds.push({ group, kind, version });
    this.#want(struct);
    return struct.modelName;
  }

  /** Adds a type every group shares (ObjectMeta, ListMeta, DeleteOptions, Status). */
  addMeta(kind: string): string {
    const struct = structByName(`meta/v1.${kind}`);
    if (struct !== undefined) this.#want(struct);
    return struct?.modelName ?? `${metaModel}.${kind}`;
  }

  /** Adds a schema that is not in the type tables. */
  add(name: string, schema: Schema): void {
    this.#schemas.set(name, schema);
  }

  /** Everything collected, in order of name. */
  finish(): Schema {
    for (let struct = this.#pending.pop(); struct !== undefined; struct = this.#pending.pop()) {
      this.#schemas.set(struct.modelName, this.#structSchema(struct));
    }
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => byName(a, b)));
  }

  #want(struct: StructDef): void {
    if (this.#schemas.has(struct.modelName)) return;
    // Reserved at once: structs refer to themselves (JSONSchemaProps).
    this.#schemas.set(struct.modelName, {});
    this.#pending.push(struct);
  }

  #structSchema(struct: StructDef): Schema {
    const required = struct.fields.filter((field) => field.required).map(({ name }) => name);
    const properties = struct.fields.map((field): [string, Schema] => [field.name, this.#fieldSchema(field)]);
    const kinds = this.#kinds.get(struct.modelName);
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties.sort(([a], [b]) => byName(a, b))) } : {}),
      ...(kinds === undefined ? {} : { 'x-kubernetes-group-version-kind': kinds }),
      ...(struct.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    };
  }

  #fieldSchema(field: FieldDef): Schema {
    const schema = this.#typeSchema(field.type);
    const extensions = extensionsOf(field);
    if (Object.keys(extensions).length === 0) return schema;
    // Nothing may stand next to a bare reference.
    return { ...('$ref' in schema ? { allOf: [schema] } : schema), ...extensions };
  }

  #typeSchema(type: TypeRef): Schema {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar] ?? {};
      case 'special': {
        const [name, schema] = specials[type.special];
        this.#schemas.set(name, schema);
        return refTo(name);
      }
      case 'struct':
        this.#want(type.struct);
        return refTo(type.struct.modelName);
      case 'list':
        return { type: 'array', items: this.#typeSchema(type.element) };
      case 'map':
        return { type: 'object', additionalProperties: this.#typeSchema(type.value) };
    }
  }
}
