import type { FieldDef, StructDef, TypeRef } from '@capstan/api/kubernetes';

/** What strategic merge patch asks of a type. */
export interface StructPatchSchema {
  /** The Go name of the type, for messages. */
  readonly name: string;
  /** The Go kind: only a struct has fields to merge by. */
  readonly kind: string;
  field(name: string): StructPatchField | undefined;
}

/** How one field is merged. */
export interface StructPatchField {
  /** The type of a value, for a list the type of its elements. */
  readonly schema: StructPatchSchema;
  readonly strategy?: 'merge' | 'replace';
  readonly retainKeys?: boolean;
  readonly mergeKey?: string;
}

const schemas = new WeakMap<StructDef, StructPatchSchema>();

/** The strategic merge patch view of a struct. */
export function patchSchemaOf(struct: StructDef): StructPatchSchema {
  let schema = schemas.get(struct);
  if (schema === undefined) {
    schema = new StructSchema(struct);
    schemas.set(struct, schema);
  }
  return schema;
}

class StructSchema implements StructPatchSchema {
  readonly kind = 'struct';
  readonly #struct: StructDef;
  readonly #fields = new Map<FieldDef, StructPatchField>();

  constructor(struct: StructDef) {
    this.#struct = struct;
  }

  get name(): string {
    return this.#struct.name;
  }

  field(name: string): StructPatchField | undefined {
    const field = this.#struct.field(name) ?? this.#folded(name);
    if (field === undefined) return undefined;
    let patchField = this.#fields.get(field);
    if (patchField === undefined) {
      patchField = makeField(field);
      this.#fields.set(field, patchField);
    }
    return patchField;
  }

  /** Unlike decoding, the lookup of merge facts does not mind the case of letters. */
  #folded(name: string): FieldDef | undefined {
    const lower = name.toLowerCase();
    return this.#struct.fields.find((field) => field.name.toLowerCase() === lower);
  }
}

function makeField(field: FieldDef): StructPatchField {
  const strategy = field.patchStrategy.find((each) => each !== 'retainKeys');
  return {
    schema: schemaOfType(field.type.kind === 'list' ? field.type.element : field.type),
    ...(strategy === undefined ? {} : { strategy }),
    ...(field.patchStrategy.includes('retainKeys') ? { retainKeys: true } : {}),
    ...(field.patchMergeKey === undefined ? {} : { mergeKey: field.patchMergeKey }),
  };
}

function schemaOfType(type: TypeRef): StructPatchSchema {
  switch (type.kind) {
    case 'struct':
      return patchSchemaOf(type.struct);
    case 'special':
      // A struct, none of whose fields has a JSON name.
      return fieldless(type.special, 'struct');
    case 'scalar':
      return fieldless(
        type.scalar,
        type.scalar === 'bytes' ? 'slice' : type.scalar === 'any' ? 'interface' : type.scalar,
      );
    case 'list':
      return fieldless('', 'slice');
    case 'map':
      return fieldless('', 'map');
  }
}

function fieldless(name: string, kind: string): StructPatchSchema {
  return { name, kind, field: () => undefined };
}
