import type { GoField, GoFile, GoType } from './go-source.js';

/** Where the types of one package are looked up while its table is written. */
export interface EmitContext {
  /** The import path of the package itself. */
  readonly importPath: string;
  /** Import path to table path. */
  readonly tablePaths: ReadonlyMap<string, string>;
  /** `<import path>.<name>` to the bare word that stands for it. */
  readonly specialTypes: ReadonlyMap<string, string>;
  /** Types to leave out. */
  readonly skip?: readonly string[];
}

/** Go's own types, and the words for them. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...['string', 'bool', 'int32', 'int64', 'float64', 'any'].map((name) => [name, name] as const),
  ['interface{}', 'any'],
  ['[]byte', 'bytes'],
]);

/** Writes the table text of one package; the loader that reads the table describes its language. */
export function emitTable(files: readonly GoFile[], context: EmitContext): string {
  const named: string[] = [];
  const structs: string[] = [];
  for (const file of files) {
    const writer = new TypeWriter(file, files, context);
    for (const type of file.types) {
      if (context.specialTypes.has(`${context.importPath}.${type.name}`) || !/^[A-Z]/.test(type.name)) continue;
      if (context.skip?.includes(type.name) === true) continue;
      if (type.fields !== undefined) structs.push(...writer.struct(type, type.fields));
      else if (type.target !== undefined && !type.alias) named.push(writer.named(type, type.target));
    }
  }
  return [...named, ...structs].join('\n');
}

class TypeWriter {
  readonly #file: GoFile;
  readonly #context: EmitContext;
  readonly #constants: Map<string, string>;
  /** Second names (`type A = B`): Go prints the first, so the table has the first. */
  readonly #aliases: Map<string, string>;

  constructor(file: GoFile, files: readonly GoFile[], context: EmitContext) {
    this.#file = file;
    this.#context = context;
    this.#constants = new Map(files.flatMap((each) => [...each.constants]));
    this.#aliases = new Map(
      files.flatMap((each) =>
        each.types.flatMap((type) =>
          type.alias && type.target !== undefined ? [[type.name, type.target] as const] : [],
        ),
      ),
    );
  }

  named(type: GoType, target: string): string {
    const wrapped = type.markers.has('protobuf.nullable') ? 'wrapped ' : '';
    return `${type.name} = ${wrapped}${this.#type(target)}`;
  }

  struct(type: GoType, fields: readonly GoField[]): string[] {
    const lines = fields.flatMap((field) => this.#field(type, field) ?? []);
    // Nor does one whose fields have no place in JSON.
    if (lines.length === 0 && fields.length > 0) return [];
    const atomic = type.markers.get('structType')?.includes('atomic') === true;
    return [`${type.name}${atomic ? ' atomic' : ''}`, ...lines];
  }

  #field(owner: GoType, field: GoField): string | undefined {
    const json = field.tags.get('json');
    if (json === undefined || json === '-') return undefined;
    const [jsonName = '', ...options] = json.split(',');
    const proto = /^\w+,(\d+)/.exec(field.tags.get('protobuf') ?? '')?.[1] ?? '0';
    const facts = `${this.#type(field.type)} ${proto}`;
    if (jsonName !== '') {
      return [` ${jsonName} ${facts}`, ...presenceFlags(field, options), ...this.#mergeFlags(field)].join(' ');
    }
    if (field.name !== undefined) throw new Error(`${owner.name}.${field.name}: a field without a JSON name`);
    return ` + ${facts}`;
  }

  #mergeFlags(field: GoField): string[] {
    const words: string[] = [];
    const strategy = field.tags.get('patchStrategy');
    if (strategy !== undefined) words.push(`p:${strategy}`);
    const mergeKey = field.tags.get('patchMergeKey');
    if (mergeKey !== undefined) words.push(`k:${mergeKey}`);
    const listType = last(field.markers.get('listType'));
    const keys = field.markers.get('listMapKey') ?? [];
    if (listType !== undefined) words.push(`l:${listType}${keys.length > 0 ? `(${keys.join(',')})` : ''}`);
    const mapType = last(field.markers.get('mapType')) ?? last(field.markers.get('structType'));
    if (mapType !== undefined) words.push(`m:${mapType}`);
    const declared = last(field.markers.get('default'));
    if (declared !== undefined) words.push(`d:${this.#default(declared)}`);
    return words;
  }

  #default(declared: string): string {
    const name = /^ref\((\w+)\)$/.exec(declared)?.[1];
    if (name === undefined) return JSON.stringify(JSON.parse(declared));
    const constant = this.#constants.get(name);
    if (constant === undefined) throw new Error(`default refers to an unknown constant ${name}`);
    return JSON.stringify(constant);
  }

  #type(type: string): string {
    if (type.startsWith('*')) return `*${this.#type(type.slice(1))}`;
    const map = /^map\[([\w.]+)\](.+)$/.exec(type);
    if (map !== null) return `map[${this.#type(map[1] ?? '')}]${this.#type(map[2] ?? '')}`;
    const word = WORDS.get(type);
    if (word !== undefined) return word;
    if (type.startsWith('[]')) return `[]${this.#type(type.slice(2))}`;
    const dot = type.indexOf('.');
    return dot > 0 ? this.#imported(type.slice(0, dot), type.slice(dot + 1)) : this.#local(type);
  }

  #local(type: string): string {
    if (!/^[A-Z]\w*$/.test(type)) throw new Error(`cannot tabulate the Go type ${type}`);
    const name = this.#aliases.get(type) ?? type;
    return this.#context.specialTypes.get(`${this.#context.importPath}.${name}`) ?? name;
  }

  #imported(local: string, name: string): string {
    const path = this.#file.imports.get(local);
    if (path === undefined) throw new Error(`cannot tabulate ${local}.${name}: no such import`);
    const special = this.#context.specialTypes.get(`${path}.${name}`);
    if (special !== undefined) return special;
    const table = this.#context.tablePaths.get(path);
    if (table === undefined) throw new Error(`cannot tabulate ${local}.${name}: ${path} is not among the packages`);
    return `${table}.${name}`;
  }
}

/** Whether Go prints the field when it is empty, and whether OpenAPI requires it. */
function presenceFlags(field: GoField, options: readonly string[]): string[] {
  const flags: string[] = [];
  if (options.includes('omitempty')) flags.push('e');
  if (options.includes('omitzero')) flags.push('z');
  const optional = field.markers.has('optional') || (!field.markers.has('required') && flags.length > 0);
  return optional ? flags : [...flags, '!'];
}

function last(values: readonly string[] | undefined): string | undefined {
  return values?.[values.length - 1];
}

/** `core/v1` → `core-v1`: the file name of a table. */
export function tableFileName(path: string): string {
  return path.replace('/', '-');
}

/** `core/v1` → `coreV1`: the constant a table is exported as. */
export function tableConstant(path: string): string {
  return path.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}
