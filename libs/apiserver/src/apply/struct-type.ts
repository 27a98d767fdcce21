/** The built-in types as server-side apply sees them: by the published schema of a Go struct. */
import type { FieldDef, StructDef, TypeRef } from '@capstan/api/kubernetes';
import type { JsonObject } from '@capstan/meta';
import { atomicType, deducedType, listType, mapType, scalarType } from './apply-type.js';
import type { ApplyField, ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { fieldElement } from './path-element.js';

const structTypes = new WeakMap<StructDef, ApplyType>();
const atomicStructTypes = new WeakMap<StructDef, ApplyType>();
const granularStructTypes = new WeakMap<StructDef, ApplyType>();

/** The type of a built-in struct; fields are resolved when first asked for. */
export function applyTypeOfStruct(struct: StructDef): ApplyType {
  return cached(structTypes, struct, struct.atomic);
}

/** A field may declare its struct atomic or granular against the struct's own word. */
function overriddenType(struct: StructDef, mapKind: 'granular' | 'atomic' | undefined): ApplyType {
  if (mapKind === undefined) return applyTypeOfStruct(struct);
  return mapKind === 'atomic' ? cached(atomicStructTypes, struct, true) : cached(granularStructTypes, struct, false);
}

function cached(types: WeakMap<StructDef, ApplyType>, struct: StructDef, atomic: boolean): ApplyType {
  let type = types.get(struct);
  if (type === undefined) {
    type = mapType(new StructMap(struct, atomic));
    types.set(struct, type);
  }
  return type;
}

class StructMap implements ApplyMap {
  readonly atomic: boolean;
  readonly deduced: boolean;
  readonly element: ApplyType | undefined;
  readonly #struct: StructDef;
  readonly #fields = new Map<string, ApplyField | undefined>();

  constructor(struct: StructDef, atomic: boolean) {
    this.atomic = atomic;
    this.#struct = struct;
    // A struct without fields is published as an object without a declared structure.
    this.deduced = struct.fields.length === 0;
    this.element = this.deduced ? deducedType : undefined;
  }

  field(name: string): ApplyField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const def = this.#struct.field(name);
    if (def === undefined) return undefined;
    const field = { element: fieldElement(name), type: fieldType(def), defaultValue: publishedDefault(def) };
    this.#fields.set(name, field);
    return field;
  }
}

/** A scalar that is always written publishes its zero value as its default; structs do too, but they are no keys. */
function publishedDefault(field: FieldDef): unknown {
  if (field.defaultValue !== undefined) return field.defaultValue;
  const { type } = field;
  if (field.omitEmpty || type.pointer) return undefined;
  if (type.kind !== 'scalar') return undefined;
  switch (type.scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
      return 0;
    default:
      return undefined;
  }
}

function fieldType(field: FieldDef): ApplyType {
  const { type } = field;
  if (type.kind === 'list') return listType(new FieldList(field, type.element));
  if (type.kind === 'struct') return overriddenType(type.struct, field.mapType);
  if (type.kind === 'map') return mapType(new ValueMap(type.value, field.mapType === 'atomic'));
  return typeOfRef(type);
}

/** A type where no field can say more of it. */
function typeOfRef(type: TypeRef): ApplyType {
  switch (type.kind) {
    case 'scalar':
      return scalarOf(type.scalar);
    case 'special':
      return specialType(type.special);
    case 'struct':
      return applyTypeOfStruct(type.struct);
    case 'list':
      return listType(new PlainList(type.element));
    case 'map':
      return mapType(new ValueMap(type.value, false));
  }
}

function scalarOf(scalar: string): ApplyType {
  switch (scalar) {
    case 'bool':
      return scalarType('boolean');
    case 'int32':
    case 'int64':
    case 'float64':
      return scalarType('numeric');
    case 'any':
      return mapType({ atomic: false, deduced: true, element: deducedType, field: () => undefined });
    default:
      return scalarType('string');
  }
}

/** Types with their own JSON form, as the schema publishes them. */
function specialType(special: string): ApplyType {
  switch (special) {
    case 'Time':
    case 'MicroTime':
    case 'Quantity':
      return scalarType('untyped');
    case 'Duration':
      return scalarType('string');
    case 'RawExtension':
      return atomicType;
    case 'FieldsV1':
      return mapType({ atomic: false, deduced: true, element: deducedType, field: () => undefined });
    default:
      // IntOrString, JSON and the schema unions are published without a type.
      return deducedType;
  }
}

class ValueMap implements ApplyMap {
  readonly atomic: boolean;
  readonly deduced = false;
  readonly #value: TypeRef;
  #element: ApplyType | undefined;

  constructor(value: TypeRef, atomic: boolean) {
    this.#value = value;
    this.atomic = atomic;
  }

  get element(): ApplyType {
    return (this.#element ??= typeOfRef(this.#value));
  }

  field(): undefined {
    return undefined;
  }
}

class PlainList implements ApplyList {
  readonly atomic: boolean = true;
  readonly keys: readonly string[] = [];
  readonly #item: TypeRef;
  #element: ApplyType | undefined;

  constructor(item: TypeRef) {
    this.#item = item;
  }

  get element(): ApplyType {
    return (this.#element ??= typeOfRef(this.#item));
  }
}

/** The list type of a field, or else the one of its patch strategy. */
class FieldList extends PlainList {
  override readonly atomic: boolean;
  override readonly keys: readonly string[];

  constructor(field: FieldDef, item: TypeRef) {
    super(item);
    const merges = field.listType === undefined && field.patchStrategy.includes('merge');
    this.atomic = !merges && field.listType !== 'map' && field.listType !== 'set';
    if (field.listType === 'map') this.keys = field.listMapKeys;
    else this.keys = merges && field.patchMergeKey !== undefined ? [field.patchMergeKey] : [];
  }
}

/** The object a kind starts from: what Go writes of a struct nobody touched. */
export function emptyObjectOf(struct: StructDef): JsonObject {
  const object: JsonObject = {};
  for (const field of struct.fields) {
    const { type } = field;
    // Go never takes a struct for empty, so `omitempty` leaves out neither structs nor the special types made of them.
    const isStruct = !type.pointer && (type.kind === 'struct' || type.kind === 'special');
    if (field.omitZero || (field.omitEmpty && !isStruct)) continue;
    object[field.name] = type.kind === 'struct' && !type.pointer ? emptyObjectOf(type.struct) : zeroOf(type);
  }
  return object;
}

function zeroOf(type: TypeRef): unknown {
  if (type.pointer) return null;
  if (type.kind === 'scalar') {
    switch (type.scalar) {
      case 'string':
        return '';
      case 'bool':
        return false;
      case 'int32':
      case 'int64':
      case 'float64':
        return 0;
      default:
        return null;
    }
  }
  if (type.kind !== 'special') return null;
  if (type.special === 'Quantity' || type.special === 'IntOrString') return type.special === 'Quantity' ? '0' : 0;
  return type.special === 'Duration' ? '0s' : null;
}
