/** The type fields and the metadata of resources embedded in a value. */
import {
  type FieldError,
  type JsonObject,
  type ObjectMeta,
  WholeFloat,
  canonicalJson,
  checkDns1035Label,
  indexField,
  invalid,
  joinField,
  keyField,
  nameIsPathSegment,
  parseApiVersion,
  parseJson,
  plainFloat,
  required,
  validateObjectMeta,
  pushAll,
} from '@capstan/meta';
import { type SchemaNode, schemaFeature, valueSchemaOf } from '../schema/schema-node.js';

function checkApiVersion(apiVersion: unknown, path: string, out: FieldError[]): void {
  if (typeof apiVersion !== 'string') out.push(invalid(path, apiVersion, 'must be a string'));
  else if (apiVersion === '') out.push(invalid(path, apiVersion, 'must not be empty'));
  else {
    try {
      parseApiVersion(apiVersion);
    } catch (error) {
      out.push(invalid(path, apiVersion, error instanceof Error ? error.message : String(error)));
    }
  }
}

function checkKind(kind: unknown, path: string, out: FieldError[]): void {
  if (typeof kind !== 'string') {
    out.push(invalid(path, kind, 'must be a string'));
    return;
  }
  if (kind === '') {
    out.push(invalid(path, kind, 'must not be empty'));
    return;
  }
  const complaints = checkDns1035Label(kind.toLowerCase());
  if (complaints.length === 0) return;
  out.push(invalid(path, kind, `may have mixed case, but should otherwise match: ${complaints.join(',')}`));
}

const jsonTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  number: 'number',
  bigint: 'number',
};

/** The reason why metadata cannot be decoded as its type; undefined if it can. */
export type MetadataProblem = (metadata: JsonObject) => string | undefined;

/** Members of the wrong type were refused or dropped when the object was decoded, but for what an apply made. */
function checkMetadata(metadata: unknown, path: string, out: FieldError[], problemOf?: MetadataProblem): void {
  if (metadata === null) return;
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    const type = Array.isArray(metadata) ? 'array' : jsonTypes[typeof metadata];
    out.push(invalid(path, metadata, `json: cannot unmarshal ${type} into Go value of type v1.ObjectMeta`));
    return;
  }
  const problem = problemOf?.(metadata as JsonObject);
  if (problem !== undefined) {
    out.push(invalid(path, parseJson(canonicalJson(metadata)).value, problem));
    return;
  }
  const meta = metadata as ObjectMeta;
  // An embedded resource needs no name; something must stand there for the checks of a name.
  const named: ObjectMeta = meta.name === undefined || meta.name === '' ? { ...meta, name: 'fakename' } : meta;
  const namespaced = named.namespace !== undefined && named.namespace !== '';
  pushAll(out, validateObjectMeta(named, { namespaced, nameValidator: nameIsPathSegment }, path));
}

function checkResource(object: JsonObject, path: string, out: FieldError[], problemOf?: MetadataProblem): void {
  if (!Object.hasOwn(object, 'apiVersion')) out.push(required(joinField(path, 'apiVersion')));
  if (!Object.hasOwn(object, 'kind')) out.push(required(joinField(path, 'kind')));
  if (Object.hasOwn(object, 'apiVersion'))
    checkApiVersion(plainFloat(object['apiVersion']), joinField(path, 'apiVersion'), out);
  if (Object.hasOwn(object, 'kind')) checkKind(plainFloat(object['kind']), joinField(path, 'kind'), out);
  if (Object.hasOwn(object, 'metadata'))
    checkMetadata(plainFloat(object['metadata']), joinField(path, 'metadata'), out, problemOf);
}

class EmbeddedCheck {
  readonly errors: FieldError[] = [];
  readonly #problemOf: MetadataProblem | undefined;

  constructor(problemOf?: MetadataProblem) {
    this.#problemOf = problemOf;
  }

  check(value: unknown, node: SchemaNode, path: string, resource: boolean): void {
    if (typeof value !== 'object' || value === null || value instanceof WholeFloat) return;
    if (!resource && (node.features & schemaFeature.embedded) === 0) return;
    if (Array.isArray(value)) this.#items(value, node.items, path);
    else {
      if (resource) checkResource(value as JsonObject, path, this.errors, this.#problemOf);
      this.#members(value as JsonObject, node, path);
    }
  }

  #items(list: readonly unknown[], items: SchemaNode | undefined, path: string): void {
    if (items === undefined) return;
    for (const [index, item] of list.entries())
      this.check(item, items, indexField(path, index), items.embeddedResource);
  }

  #members(object: JsonObject, node: SchemaNode, path: string): void {
    const values = valueSchemaOf(node);
    for (const name in object) {
      const member = node.properties?.get(name);
      if (member !== undefined) this.check(object[name], member, joinField(path, name), member.embeddedResource);
      else if (values !== undefined) this.check(object[name], values, keyField(path, name), values.embeddedResource);
    }
  }
}

/** Reports what is wrong with embedded resources; with `root`, with the value itself as one too. */
export function checkEmbeddedResources(value: unknown, node: SchemaNode, path = '', root = false): FieldError[] {
  const check = new EmbeddedCheck();
  check.check(value, node, path, root || node.embeddedResource);
  return check.errors;
}

/** The same inside a whole object, whose embedded metadata may not even be readable. */
export function checkEmbeddedIn(value: unknown, node: SchemaNode, problemOf?: MetadataProblem): FieldError[] {
  const check = new EmbeddedCheck(problemOf);
  check.check(value, node, '', node.embeddedResource);
  return check.errors;
}
