/** Fields of a CRD whose JSON type a server cannot read. */
import { type StructDef, type TypeRef, structOf } from '@capstan/api/kubernetes';
import { type FieldError, indexField, invalid, joinField, keyField } from '@capstan/meta';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const INTEGERS = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

function isInteger(value: unknown, [low, high]: readonly [bigint, bigint]): boolean {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) return false;
  const exact = BigInt(value);
  return exact >= low && exact <= high;
}

/** What a scalar must be, where it is something else. */
function scalarProblem(scalar: string, value: unknown): string | undefined {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'int32':
    case 'int64':
      return isInteger(value, INTEGERS[scalar]) ? undefined : `must be an integer of ${scalar.slice(3)} bits`;
    case 'float64':
      return typeof value === 'number' || typeof value === 'bigint' ? undefined : 'must be a number';
    default:
      return undefined;
  }
}

/** One walk over a CRD. */
class FieldTypes {
  readonly errors: FieldError[] = [];
  readonly #schema: StructDef | undefined;

  constructor(schema: StructDef | undefined) {
    this.#schema = schema;
  }

  #refuse(at: string, value: unknown, reason: string): void {
    this.errors.push(invalid(at, typeof value === 'object' ? '' : value, reason));
  }

  check(type: TypeRef, value: unknown, at: string): void {
    // Null is as good as absent everywhere.
    if (value === null || value === undefined) return;
    if (type.kind === 'struct') this.struct(type.struct, value, at);
    else if (type.kind === 'scalar') {
      const problem = scalarProblem(type.scalar, value);
      if (problem !== undefined) this.#refuse(at, value, problem);
    } else if (type.kind === 'special') this.#special(type.special, value, at);
    else if (type.kind === 'list') this.#list(type.element, value, at);
    else this.#map(type.value, value, at);
  }

  struct(struct: StructDef, value: unknown, at: string): void {
    if (!isFields(value)) {
      this.#refuse(at, value, 'must be an object');
      return;
    }
    for (const name of Object.keys(value)) {
      const field = struct.field(name);
      if (field !== undefined) this.check(field.type, value[name], joinField(at, name));
    }
  }

  #list(element: TypeRef, value: unknown, at: string): void {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) this.check(element, item, indexField(at, index));
    else this.#refuse(at, value, 'must be a list');
  }

  #map(element: TypeRef, value: unknown, at: string): void {
    if (!isFields(value)) this.#refuse(at, value, 'must be an object');
    else for (const name of Object.keys(value)) this.check(element, value[name], keyField(at, name));
  }

  /** Schemas in the places of schemas; other special types are checked as what they are by the server's own rules. */
  #special(special: string, value: unknown, at: string): void {
    if (this.#schema === undefined || !special.startsWith('JSONSchemaPropsOr')) return;
    if (isFields(value)) this.struct(this.#schema, value, at);
    else if (special === 'JSONSchemaPropsOrBool') {
      if (typeof value !== 'boolean') this.#refuse(at, value, 'must be a schema, true or false');
    } else if (special === 'JSONSchemaPropsOrArray' && Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.struct(this.#schema, item, indexField(at, index));
    }
  }
}

const GROUP = 'apiextensions.k8s.io';

/** Every field of a CRD that is of another JSON type than its API has, at its path. */
export function fieldTypeErrors(crd: object): readonly FieldError[] {
  const struct = structOf(GROUP, 'v1', 'CustomResourceDefinition');
  if (struct === undefined) return [];
  const walk = new FieldTypes(schemaStruct(struct));
  walk.struct(struct, crd, '');
  return walk.errors;
}

/** The struct of schemas, which refer to themselves. */
function schemaStruct(crd: StructDef): StructDef | undefined {
  const way = ['spec', 'versions', 'schema', 'openAPIV3Schema'];
  let struct: StructDef | undefined = crd;
  for (const name of way) {
    let type: TypeRef | undefined = struct?.field(name)?.type;
    if (type?.kind === 'list') type = type.element;
    struct = type?.kind === 'struct' ? type.struct : undefined;
  }
  return struct;
}
