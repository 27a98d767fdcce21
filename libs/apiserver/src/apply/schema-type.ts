/** Custom resources as server-side apply sees them: from a structural OpenAPI v3 schema. */
import { getOwn } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import { structByName } from '@capstan/api/kubernetes';
import { deducedType, atomicType, listType, mapType, scalarType, asMap } from './apply-type.js';
import type { ApplyField, ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { fieldElement } from './path-element.js';
import { applyTypeOfStruct } from './struct-type.js';

/** What the adapter reads of a schema; other keywords do not matter to it. */
export interface ApplySchema {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ApplySchema>>;
  readonly additionalProperties?: ApplySchema | boolean;
  readonly items?: ApplySchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}

const resourceTypes = new WeakMap<ApplySchema, ApplyType>();
const preservingTypes = new WeakMap<ApplySchema, ApplyType>();

/**
 * The type of a custom resource with this schema, or, without one, the deduced type. The schema must not change
 * afterwards: parts are resolved when first asked for, and the result is kept by the schema's identity.
 */
export function applyTypeOfSchema(
  schema: ApplySchema | undefined,
  options?: { readonly preserveUnknownFields?: boolean },
): ApplyType {
  if (schema === undefined) return deducedType;
  const preserve = options?.preserveUnknownFields === true;
  const types = preserve ? preservingTypes : resourceTypes;
  let type = types.get(schema);
  if (type === undefined) {
    type = convert(schema, preserve, true);
    types.set(schema, type);
  }
  return type;
}

/** Keeping unknown fields is inherited by everything below. */
function convert(schema: ApplySchema, inherited: boolean, isResource: boolean): ApplyType {
  const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (schema.type ?? '') {
    case 'object':
      return mapType(new SchemaMap(schema, preserve, isResource));
    case 'array':
      return listType(new SchemaList(schema, preserve));
    case 'integer':
    case 'number':
      return scalarType('numeric');
    case 'boolean':
      return scalarType('boolean');
    case 'string':
      return scalarType(
        schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped',
      );
    default:
      return {
        scalar: 'untyped',
        list: new SchemaList(schema, preserve),
        map: new SchemaMap(schema, preserve, isResource),
      };
  }
}

/** The fields every resource has, whatever its schema declares for them. */
const RESOURCE_FIELDS: Readonly<Record<string, () => ApplyType>> = {
  apiVersion: () => scalarType('string'),
  kind: () => scalarType('string'),
  metadata: () => {
    const meta = structByName('meta/v1.ObjectMeta');
    if (meta === undefined) throw new BrokenInvariant('no type table for meta/v1.ObjectMeta');
    return applyTypeOfStruct(meta);
  },
};

class SchemaMap implements ApplyMap {
  readonly atomic: boolean;
  readonly deduced: boolean;
  readonly element: ApplyType | undefined;
  readonly #schema: ApplySchema;
  readonly #preserve: boolean;
  readonly #isResource: boolean;
  readonly #fields = new Map<string, ApplyField>();

  constructor(schema: ApplySchema, preserve: boolean, isResource: boolean) {
    this.#schema = schema;
    this.#preserve = preserve;
    this.#isResource = isResource || schema['x-kubernetes-embedded-resource'] === true;
    this.atomic = schema['x-kubernetes-map-type'] === 'atomic';
    this.element = this.#elementType();
    this.deduced = this.element === deducedType && !this.#hasFields();
  }

  #hasFields(): boolean {
    return this.#isResource || Object.keys(this.#schema.properties ?? {}).length > 0;
  }

  #elementType(): ApplyType | undefined {
    const { additionalProperties } = this.#schema;
    if (typeof additionalProperties === 'object') return convert(additionalProperties, this.#preserve, false);
    if (additionalProperties === true) return deducedType;
    if (additionalProperties === false) return undefined;
    return this.#preserve || !this.#hasFields() ? deducedType : undefined;
  }

  field(name: string): ApplyField | undefined {
    let field = this.#fields.get(name);
    if (field === undefined) {
      field = this.#makeField(name);
      if (field !== undefined) this.#fields.set(name, field);
    }
    return field;
  }

  #makeField(name: string): ApplyField | undefined {
    if (this.#isResource) {
      const type = Object.hasOwn(RESOURCE_FIELDS, name) ? RESOURCE_FIELDS[name]?.() : undefined;
      if (type !== undefined) return { element: fieldElement(name), type, defaultValue: undefined };
    }
    const { properties } = this.#schema;
    const schema = properties === undefined ? undefined : asMap(getOwn(properties, name));
    if (schema === undefined) return undefined;
    const property: ApplySchema = schema;
    const type = convert(property, this.#preserve, false);
    return { element: fieldElement(name), type, defaultValue: property.default };
  }
}

class SchemaList implements ApplyList {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly element: ApplyType;

  constructor(schema: ApplySchema, preserve: boolean) {
    const kind = schema['x-kubernetes-list-type'];
    this.atomic = kind !== 'set' && kind !== 'map';
    this.keys = kind === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    this.element = schema.items === undefined ? atomicType : convert(schema.items, preserve, false);
  }
}
