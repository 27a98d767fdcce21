import type { FieldDef, PatchStrategy, ScalarName, SpecialName, StructDef, TypeRef, TypeTable } from './model.js';

/**
 * The language of the tables. A table is the facts of one Go package, one fact per line:
 *
 *     PodPhase = string                  a named type; `wrapped []string` is a list with a protobuf message of its own
 *     PodSpec                            a struct; ` atomic` after the name: one value to server-side apply
 *      volumes []Volume 1 e l:map(name)  a field: JSON name, type, protobuf number (0: none), flags
 *      + VolumeSource 2                  an embedded struct, flattened in JSON
 *
 * Types: scalars and special types by their bare names, `*T`, `[]T`, `map[K]T`, a named type or struct of this package
 * by its name, one of another package as `<table path>.<name>`.
 * Flags: `e` omitempty, `z` omitzero, `!` required, `p:` patch strategies, `k:` patch merge key, `l:` list type
 * with its keys in brackets, `m:` map type, `d:` declared default as JSON. A struct wins over the special type of the same name.
 *
 * Nothing is read before it is asked for: a table is cut into its entries on first use, a struct is parsed when its
 * fields are first wanted, a type expression once per table.
 */

/** A table of types that cannot be read: a fault of the generator, never of a request. */
class BadTypeTable extends Error {
  override readonly name = 'BadTypeTable';
}

const SCALARS: ReadonlySet<string> = new Set<ScalarName>([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'any',
]);

/** Special types and how Go prints them. */
const SPECIALS: ReadonlyMap<string, { readonly special: SpecialName; readonly goName: string }> = new Map(
  (
    [
      ['Time', 'v1.Time'],
      ['MicroTime', 'v1.MicroTime'],
      ['Duration', 'v1.Duration'],
      ['Quantity', 'resource.Quantity'],
      ['IntOrString', 'intstr.IntOrString'],
      ['RawExtension', 'runtime.RawExtension'],
      ['FieldsV1', 'v1.FieldsV1'],
      ['JSON', 'v1.JSON'],
      ['JSONSchemaPropsOrBool', 'v1.JSONSchemaPropsOrBool'],
      ['JSONSchemaPropsOrArray', 'v1.JSONSchemaPropsOrArray'],
      ['JSONSchemaPropsOrStringArray', 'v1.JSONSchemaPropsOrStringArray'],
    ] as const
  ).map(([special, goName]) => [special, { special, goName }]),
);

const NONE: readonly never[] = [];

/** Finds a loaded table by its path. */
export type TableLookup = (path: string) => LoadedTable | undefined;

/** One table, cut into entries; structs and types are made on demand and kept. */
export class LoadedTable {
  readonly table: TypeTable;
  readonly #lookup: TableLookup;
  readonly #aliases = new Map<string, string>();
  readonly #bodies = new Map<string, string>();
  readonly #structs = new Map<string, StructDef>();
  readonly #types = new Map<string, TypeRef>();

  constructor(table: TypeTable, lookup: TableLookup) {
    this.table = table;
    this.#lookup = lookup;
    // An entry starts where a line does not start with a blank; its fields follow it.
    for (const entry of table.text.split(/\n(?! )/)) {
      if (entry === '') continue;
      const newline = entry.indexOf('\n');
      const header = newline < 0 ? entry : entry.slice(0, newline);
      const equals = header.indexOf(' = ');
      if (equals > 0) this.#aliases.set(header.slice(0, equals), header.slice(equals + 3));
      else {
        const blank = header.indexOf(' ');
        this.#bodies.set(blank < 0 ? header : header.slice(0, blank), entry);
      }
    }
  }

  /** The names of all structs, in the order of the table. */
  structNames(): string[] {
    return [...this.#bodies.keys()];
  }

  /** A struct, also through a name that stands for a struct of another package. */
  struct(name: string): StructDef | undefined {
    let found = this.#structs.get(name);
    if (found !== undefined) return found;
    const body = this.#bodies.get(name);
    if (body !== undefined) found = new LazyStruct(this, name, body);
    else if (this.#aliases.has(name)) {
      const type = this.type(name);
      if (type.kind === 'struct') found = type.struct;
    }
    if (found !== undefined) this.#structs.set(name, found);
    return found;
  }

  /** Reads a type expression. Throws when it names nothing: a table and its loader are one piece. */
  type(expression: string): TypeRef {
    let type = this.#types.get(expression);
    if (type === undefined) {
      type = this.#parseType(expression);
      this.#types.set(expression, type);
    }
    return type;
  }

  #parseType(expression: string): TypeRef {
    if (expression.startsWith('*')) return { ...this.type(expression.slice(1)), pointer: true };
    if (expression.startsWith('[]')) {
      return { kind: 'list', pointer: false, element: this.type(expression.slice(2)), wrapped: false };
    }
    if (expression.startsWith('map[')) {
      const end = expression.indexOf(']');
      const key = this.type(expression.slice(4, end));
      return {
        kind: 'map',
        pointer: false,
        keyGoName: key.goName ?? 'string',
        value: this.type(expression.slice(end + 1)),
      };
    }
    if (SCALARS.has(expression)) return { kind: 'scalar', pointer: false, scalar: expression as ScalarName };
    const dot = expression.indexOf('.');
    if (dot > 0) {
      const other = this.#lookup(expression.slice(0, dot));
      if (other === undefined) throw new BadTypeTable(`type tables: no table for ${expression}`);
      return other.type(expression.slice(dot + 1));
    }
    return this.#parseName(expression);
  }

  #parseName(name: string): TypeRef {
    if (this.#bodies.has(name)) {
      const struct = this.struct(name);
      if (struct !== undefined) return { kind: 'struct', pointer: false, struct };
    }
    const target = this.#aliases.get(name);
    if (target !== undefined) {
      const goName = `${this.table.goPackage}.${name}`;
      if (target.startsWith('wrapped ')) return { ...this.type(target.slice(8)), goName, wrapped: true } as TypeRef;
      const type = this.type(target);
      return type.kind === 'struct' ? type : { ...type, goName };
    }
    const special = SPECIALS.get(name);
    if (special !== undefined) return { kind: 'special', pointer: false, ...special };
    throw new BadTypeTable(`type tables: ${this.table.path} names an unknown type ${name}`);
  }
}

class LazyStruct implements StructDef {
  readonly name: string;
  readonly path: string;
  readonly qualifiedName: string;
  readonly goName: string;
  readonly modelName: string;
  readonly atomic: boolean;
  readonly #table: LoadedTable;
  readonly #body: string;
  #ownFields: readonly FieldDef[] | undefined;
  #fields: readonly FieldDef[] | undefined;
  #byName: ReadonlyMap<string, FieldDef> | undefined;

  constructor(table: LoadedTable, name: string, body: string) {
    this.name = name;
    this.path = table.table.path;
    this.qualifiedName = `${this.path}.${name}`;
    this.goName = `${table.table.goPackage}.${name}`;
    this.modelName = `${table.table.model}.${name}`;
    this.atomic = body.startsWith(' atomic', name.length);
    this.#table = table;
    this.#body = body;
  }

  get ownFields(): readonly FieldDef[] {
    return (this.#ownFields ??= this.#body
      .split('\n ')
      .slice(1)
      .map((line) => parseField(this.#table, line)));
  }

  get fields(): readonly FieldDef[] {
    return (this.#fields ??= this.ownFields.flatMap((own) => {
      if (!own.inline || own.type.kind !== 'struct') return [own];
      const goName = own.type.struct.name;
      return own.type.struct.fields.map((field) => ({ ...field, embeddedIn: [goName, ...field.embeddedIn] }));
    }));
  }

  field(name: string): FieldDef | undefined {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName.get(name);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What each flag sets, by its first letter; `text` is what follows the colon. */
const FLAGS: Readonly<Record<string, (field: Mutable<FieldDef>, text: string) => void>> = {
  e: (field) => (field.omitEmpty = true),
  z: (field) => (field.omitZero = true),
  '!': (field) => (field.required = true),
  p: (field, text) => (field.patchStrategy = text.split(',') as PatchStrategy[]),
  k: (field, text) => (field.patchMergeKey = text),
  m: (field, text) => (field.mapType = text as 'granular' | 'atomic'),
  d: (field, text) => (field.defaultValue = JSON.parse(text)),
  l: (field, text) => {
    const bracket = text.indexOf('(');
    field.listType = (bracket < 0 ? text : text.slice(0, bracket)) as 'map' | 'set' | 'atomic';
    if (bracket > 0) field.listMapKeys = text.slice(bracket + 1, -1).split(',');
  },
};

function parseField(table: LoadedTable, line: string): FieldDef {
  const words = line.split(' ');
  const [name = '', type = '', proto = '0'] = words;
  const inline = name === '+';
  const field: Mutable<FieldDef> = {
    name: inline ? '' : name,
    type: table.type(type),
    proto: Number(proto),
    omitEmpty: false,
    omitZero: false,
    required: false,
    patchStrategy: NONE,
    patchMergeKey: undefined,
    listType: undefined,
    listMapKeys: NONE,
    mapType: undefined,
    defaultValue: undefined,
    inline,
    embeddedIn: NONE,
  };
  for (let i = 3; i < words.length; i++) {
    const flag = words[i] ?? '';
    const read = FLAGS[flag.charAt(0)];
    if (read === undefined) throw new BadTypeTable(`type tables: unknown flag ${flag} in ${table.table.path}: ${line}`);
    read(field, flag.slice(2));
  }
  return field;
}
