/** Whether a schema is structural: every value it constrains has a place and a type outside of junctors. */
import {
  type FieldError,
  compareBytes,
  fieldErrorMessage,
  forbidden,
  indexField,
  invalid,
  joinField,
  keyField,
  required,
} from '@capstan/meta';
import { patternOf } from '../schema/pattern.js';
import type { SchemaNode } from '../schema/schema-node.js';

type Level = 'root' | 'item' | 'field';

const emptyTypeTexts: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function propertyPath(path: string, name: string): string {
  return keyField(joinField(path, 'properties'), name);
}

/** Whether nothing but these keywords is set. Flags that are off and empty texts count as not set. */
function hasOnly(node: SchemaNode, ...allowed: readonly string[]): boolean {
  return Object.entries(node.raw).every(
    ([keyword, value]) => allowed.includes(keyword) || value === '' || value === false || value === null,
  );
}

function isIntOrStringPair(nodes: readonly SchemaNode[]): boolean {
  const [first, second] = nodes;
  if (nodes.length !== 2 || first === undefined || second === undefined) return false;
  return first.type === 'integer' && hasOnly(first, 'type') && second.type === 'string' && hasOnly(second, 'type');
}

class Invariants {
  readonly errors: FieldError[] = [];

  check(node: SchemaNode, level: Level, path: string): void {
    if (node.type === 'array' && node.items === undefined) {
      this.errors.push(required(joinField(path, 'items'), 'must be specified'));
    }
    if (node.items !== undefined) this.check(node.items, 'item', joinField(path, 'items'));
    for (const [name, member] of node.properties ?? []) this.check(member, 'field', propertyPath(path, name));
    this.#checkAdditional(node, level, path);
    this.#checkExtensions(node, path);
    const pairInAllOf = isIntOrStringPair(node.allOf[0]?.anyOf ?? []);
    this.#checkValidation(node, isIntOrStringPair(node.anyOf), pairInAllOf, path);
    this.#checkType(node, level, path);
    this.#checkMeta(node, level, path);
    if (node.embeddedResource && node.preserveUnknownFields !== true && node.properties === undefined) {
      const reason =
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
      this.errors.push(required(joinField(path, 'properties'), reason));
    }
  }

  #checkAdditional(node: SchemaNode, level: Level, path: string): void {
    const { additionalProperties } = node;
    if (additionalProperties === undefined) return;
    const at = joinField(path, 'additionalProperties');
    if (level === 'root') this.errors.push(forbidden(at, 'must not be used at the root'));
    if (typeof additionalProperties === 'object') this.check(additionalProperties, 'field', at);
    if (!node.embeddedResource) return;
    this.errors.push(forbidden(at, 'must not be used if x-kubernetes-embedded-resource is set'));
  }

  #checkExtensions(node: SchemaNode, path: string): void {
    if (!node.intOrString) return;
    const reason = 'must be false if x-kubernetes-int-or-string is true';
    if (node.preserveUnknownFields === true) {
      this.errors.push(invalid(joinField(path, 'x-kubernetes-preserve-unknown-fields'), true, reason));
    }
    if (node.embeddedResource) {
      this.errors.push(invalid(joinField(path, 'x-kubernetes-embedded-resource'), true, reason));
    }
  }

  #checkType(node: SchemaNode, level: Level, path: string): void {
    const at = joinField(path, 'type');
    const { type } = node;
    if (node.embeddedResource && type !== 'object') {
      const reason = 'must be object if x-kubernetes-embedded-resource is true';
      this.errors.push(type === '' ? required(at, reason) : invalid(at, type, reason));
    } else if (type === '' && !node.intOrString && node.preserveUnknownFields !== true) {
      this.errors.push(required(at, emptyTypeTexts[level]));
    }
    if (level === 'root' && type !== '' && type !== 'object') {
      this.errors.push(invalid(at, type, 'must be object at the root'));
    }
  }

  #checkMeta(node: SchemaNode, level: Level, path: string): void {
    const resource = level === 'root' || node.embeddedResource;
    for (const name of ['kind', 'apiVersion']) {
      const member = node.properties?.get(name);
      if (member === undefined || !resource || member.type === 'string') continue;
      this.errors.push(invalid(joinField(propertyPath(path, name), 'type'), member.type, 'must be string'));
    }
    const metadata = node.properties?.get('metadata');
    if (metadata === undefined) return;
    const at = propertyPath(path, 'metadata');
    if (resource && metadata.type !== 'object') {
      this.errors.push(invalid(joinField(at, 'type'), metadata.type, 'must be object'));
    }
    if (level === 'root') this.#checkRootMetadata(metadata, at);
  }

  #checkRootMetadata(metadata: SchemaNode, at: string): void {
    const names = [...(metadata.properties?.keys() ?? [])];
    const plain = names.every((name) => name === 'name' || name === 'generateName');
    if (plain && hasOnly(metadata, 'type', 'default', 'properties')) return;
    const reason = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    this.errors.push(forbidden(at, reason));
  }

  #checkValidation(node: SchemaNode, skipAnyOf: boolean, skipFirstAllOf: boolean, path: string): void {
    if (!skipAnyOf) this.#checkAll(node.anyOf, joinField(path, 'anyOf'), false);
    this.#checkAll(node.allOf, joinField(path, 'allOf'), skipFirstAllOf);
    this.#checkAll(node.oneOf, joinField(path, 'oneOf'), false);
    if (node.not !== undefined) this.#checkNested(node.not, false, joinField(path, 'not'));
    if (node.pattern === '') return;
    const compiled = patternOf(node.pattern);
    if (!('error' in compiled)) return;
    const reason = `must be a valid regular expression, but isn't: ${compiled.error}`;
    this.errors.push(invalid(joinField(path, 'pattern'), node.pattern, reason));
  }

  #checkAll(nodes: readonly SchemaNode[], path: string, skipFirstAnyOf: boolean): void {
    for (const [index, node] of nodes.entries()) {
      this.#checkNested(node, skipFirstAnyOf && index === 0, indexField(path, index));
    }
  }

  /** A schema under a junctor may only constrain values. */
  #checkNested(node: SchemaNode, skipAnyOf: boolean, path: string): void {
    this.#checkValidation(node, skipAnyOf, false, path);
    if (node.items !== undefined) this.#checkNested(node.items, false, joinField(path, 'items'));
    for (const [name, member] of node.properties ?? []) this.#checkNested(member, false, propertyPath(path, name));
    this.#forbidShape(node, path);
    if (node.properties?.has('metadata') === true) {
      this.errors.push(forbidden(propertyPath(path, 'metadata'), 'must not be specified in a nested context'));
    }
  }

  #forbidShape(node: SchemaNode, path: string): void {
    const complaints: readonly (readonly [boolean, string, string])[] = [
      [node.type !== '', 'type', 'must be empty to be structural'],
      [
        node.additionalProperties !== undefined && node.additionalProperties !== false,
        'additionalProperties',
        'must be undefined to be structural',
      ],
      [node.default !== undefined, 'default', 'must be undefined to be structural'],
      [node.title !== '', 'title', 'must be empty to be structural'],
      [node.description !== '', 'description', 'must be empty to be structural'],
      [node.nullable, 'nullable', 'must be false to be structural'],
      [node.preserveUnknownFields === true, 'x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
      [node.embeddedResource, 'x-kubernetes-embedded-resource', 'must be false to be structural'],
      [node.intOrString, 'x-kubernetes-int-or-string', 'must be false to be structural'],
      [node.listMapKeys.length > 0, 'x-kubernetes-list-map-keys', 'must be empty to be structural'],
      [node.listType !== undefined, 'x-kubernetes-list-type', 'must be undefined to be structural'],
      [node.mapType !== undefined, 'x-kubernetes-map-type', 'must be undefined to be structural'],
      [node.rules.length > 0, 'x-kubernetes-validations', 'must be empty to be structural'],
    ];
    for (const [wrong, keyword, reason] of complaints) {
      if (wrong) this.errors.push(forbidden(joinField(path, keyword), reason));
    }
  }
}

/** Checks that whatever a junctor constrains is also specified outside of it. */
class Completeness {
  readonly errors: FieldError[] = [];

  check(validation: SchemaNode, node: SchemaNode, path: string, at: string): void {
    if (validation.not !== undefined) this.#nested(validation.not, node, path, joinField(at, 'not'));
    for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
      for (const [index, nested] of validation[junctor].entries()) {
        this.#nested(nested, node, path, indexField(joinField(at, junctor), index));
      }
    }
  }

  #nested(validation: SchemaNode, node: SchemaNode | undefined, path: string, at: string): void {
    if (node === undefined) {
      this.errors.push(required(path, `because it is defined in ${at}`));
      return;
    }
    this.check(validation, node, path, at);
    if (validation.items !== undefined) {
      this.#nested(validation.items, node.items, joinField(path, 'items'), joinField(at, 'items'));
    }
    for (const [name, member] of validation.properties ?? []) {
      this.#nested(member, node.properties?.get(name), propertyPath(path, name), propertyPath(at, name));
    }
  }
}

/** Reports why a schema is not structural, sorted as the server sorts. */
export function checkStructural(node: SchemaNode, path: string): FieldError[] {
  const invariants = new Invariants();
  invariants.check(node, 'root', path);
  const completeness = new Completeness();
  completeness.check(node, node, path, path);
  const errors = [...invariants.errors, ...completeness.errors];
  if (errors.length < 2) return errors;
  return errors
    .map((error) => ({ error, message: fieldErrorMessage(error) }))
    .sort((a, b) => compareBytes(a.message, b.message))
    .map(({ error }) => error);
}

/** Why a schema cannot even be read as a structural one, or `undefined`. */
export function unreadableReason(node: SchemaNode): string | undefined {
  const own = unreadableKeyword(node) ?? unreadablePreserve(node);
  if (own !== undefined) return own;
  const children: SchemaNode[] = [...node.allOf, ...node.anyOf, ...node.oneOf, ...(node.properties?.values() ?? [])];
  if (node.not !== undefined) children.push(node.not);
  if (node.items !== undefined) children.push(node.items);
  if (typeof node.additionalProperties === 'object') children.push(node.additionalProperties);
  for (const child of children) {
    const reason = unreadableReason(child);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function unreadablePreserve(node: SchemaNode): string | undefined {
  if (node.preserveUnknownFields !== false) return undefined;
  return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
}

function unreadableKeyword({ unsupported }: SchemaNode): string | undefined {
  if (unsupported === undefined) return undefined;
  const { id = '', schema = '', ref = '', patternProperties, dependencies, additionalItems, definitions } = unsupported;
  const refused: readonly (readonly [boolean, string])[] = [
    [id !== '', 'id'],
    [schema !== '', 'schema'],
    [ref !== '', '$ref'],
    [patternProperties !== undefined, 'patternProperties'],
    [(dependencies?.size ?? 0) > 0, 'dependencies'],
    [additionalItems !== undefined, 'additionalItems'],
    [definitions !== undefined, 'definitions'],
  ];
  const keyword = refused.find(([present]) => present)?.[1];
  if (keyword !== undefined) return `OpenAPIV3Schema '${keyword}' is not supported`;
  if ((unsupported.itemSchemas?.length ?? 0) === 0) return undefined;
  return "OpenAPIV3Schema 'items' must be a schema, but is an array";
}
