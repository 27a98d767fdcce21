/** A CRD's schema as `/openapi/v3` publishes it. */
import type { GroupVersionKind, JsonObject } from '@capstan/meta';
import type { SchemaNode } from './schema-node.js';

/** Schemas of the fields every resource has; their descriptions are the server's own documentation. */
export interface MetaFieldSchemas {
  readonly apiVersion: JsonObject;
  readonly kind: JsonObject;
  readonly metadata: JsonObject;
}

/** What the published form has in addition to the CRD. */
export interface PublishOptions {
  /** The fields at the root. */
  readonly root?: MetaFieldSchemas;
  /** The fields of embedded resources, whose documentation differs. */
  readonly embedded?: MetaFieldSchemas;
  /** JSON paths of the version's selectable fields. */
  readonly selectableFields?: readonly string[];
}

const objectMeta = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const plainFields: MetaFieldSchemas = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { allOf: [{ $ref: objectMeta }] },
};

/** Keywords that are published as they are where they say something. */
const keptKeywords = [
  'description',
  'type',
  'nullable',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'externalDocs',
  'example',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

const intOrString = [{ type: 'integer' }, { type: 'string' }];

function isEmptyKeyword(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

class Publisher {
  readonly #embedded: MetaFieldSchemas;

  constructor(embedded: MetaFieldSchemas) {
    this.#embedded = embedded;
  }

  publish(node: SchemaNode): JsonObject {
    const schema: JsonObject = {};
    for (const keyword of keptKeywords) {
      const value = node.raw[keyword];
      if (!isEmptyKeyword(value)) schema[keyword] = value;
    }
    if (node.required.length > 0) schema['required'] = node.required;
    if (node.items !== undefined) schema['items'] = this.publish(node.items);
    if (node.properties !== undefined) schema['properties'] = this.#properties(node.properties);
    const { additionalProperties } = node;
    if (additionalProperties !== undefined) {
      schema['additionalProperties'] =
        typeof additionalProperties === 'object' ? this.publish(additionalProperties) : additionalProperties;
    }
    this.#junctors(node, schema);
    if (node.embeddedResource) this.#embed(schema);
    return schema;
  }

  #properties(properties: ReadonlyMap<string, SchemaNode>): JsonObject {
    return Object.fromEntries([...properties].map(([name, node]) => [name, this.publish(node)]));
  }

  #junctors(node: SchemaNode, schema: JsonObject): void {
    for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
      if (node[junctor].length > 0) schema[junctor] = node[junctor].map((nested) => this.publish(nested));
    }
    if (node.not !== undefined) schema['not'] = this.publish(node.not);
    // The two types are spelled out for clients that do not know the extension.
    if (!node.intOrString || spellsOutTypes(node)) return;
    if (node.anyOf.length === 0) schema['anyOf'] = intOrString;
    else schema['allOf'] = [{ anyOf: intOrString }, ...node.allOf.map((nested) => this.publish(nested))];
  }

  #embed(schema: JsonObject): void {
    const { apiVersion, kind, metadata } = this.#embedded;
    schema['properties'] = { ...(schema['properties'] as JsonObject | undefined), apiVersion, kind, metadata };
    const required = (schema['required'] as readonly string[] | undefined) ?? [];
    schema['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
  }
}

function isPair(nodes: readonly SchemaNode[]): boolean {
  return nodes.length === 2 && nodes[0]?.type === 'integer' && nodes[1]?.type === 'string';
}

function spellsOutTypes(node: SchemaNode): boolean {
  return isPair(node.anyOf) || isPair(node.allOf[0]?.anyOf ?? []);
}

/** The schema of a kind for `components.schemas`, with its type fields, metadata and identity. */
export function publishSchema(root: SchemaNode, gvk: GroupVersionKind, options: PublishOptions = {}): JsonObject {
  const { root: fields = plainFields, embedded = plainFields, selectableFields = [] } = options;
  const schema = new Publisher(embedded).publish(root);
  const { apiVersion, kind, metadata } = fields;
  schema['properties'] = { ...(schema['properties'] as JsonObject | undefined), apiVersion, kind, metadata };
  schema['x-kubernetes-group-version-kind'] = [{ group: gvk.group, kind: gvk.kind, version: gvk.version }];
  if (selectableFields.length > 0) {
    schema['x-kubernetes-selectable-fields'] = selectableFields.map((path) => ({ fieldPath: path.replace(/^\./, '') }));
  }
  return schema;
}
