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

const SCALARS = new Set(['string', 'bool', 'int32', 'int64', 'float64']);

/** Writes the table text of one package; the language is described beside the loader that reads it. */
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
  /** Second names (`type A = B`): Go prints the first, so the table says the first. */
  readonly #aliases: Map<string, string>;

  constructor(file: GoFile, files: readonly GoFile[], context: EmitContext) {
    this.#file = file;
    this.#context = context;
    this.#constants = new Map(files.flatMap((each) => [...each.constants]));
    this.#aliases = new Map(
      files.flatMap((each) => each.types.flatMap((type) => (type.alias && type.target !== undefined ? [[type.name, type.target] as const] : []))),
    );
  }

  named(type: GoType, target: string): string {
    const wrapped = type.markers.has('protobuf.nullable') ? 'wrapped ' : '';
    return `${type.name} = ${wrapped}${this.#type(target)}`;
  }

  struct(type: GoType, fields: readonly GoField[]): string[] {
    const lines = fields.flatMap((field) => this.#field(type, field) ?? []);
    // A struct without a single JSON field never travels; an empty one declared as such may.
    if (lines.length === 0 && fields.length > 0) return [];
    const atomic = type.markers.get('structType')?.includes('atomic') === true;
    return [`${type.name}${atomic ? ' atomic' : ''}`, ...lines];
  }

  #field(owner: GoType, field: GoField): string | undefined {
    const json = field.tags.get('json');
    if (json === undefined || json === '-') return undefined;
    const [jsonName = '', ...options] = json.split(',');
    const proto = /^\w+,(\d+)/.exec(field.tags.get('protobuf') ?? '')?.[1] ?? '0';
    const embedded = field.name === undefined && jsonName === '';
    const words = [embedded ? '+' : jsonName, this.#type(field.type), proto];
    if (words[0] === '') throw new Error(`${owner.name}.${field.name ?? field.type}: a field without a JSON name`);
    if (embedded) return ` ${words.join(' ')}`;
    const omitEmpty = options.includes('omitempty');
    const omitZero = options.includes('omitzero');
    if (omitEmpty) words.push('e');
    if (omitZero) words.push('z');
    const optional = field.markers.has('optional') || (!field.markers.has('required') && (omitEmpty || omitZero));
    if (!optional) words.push('!');
    words.push(...this.#mergeFlags(field));
    return ` ${words.join(' ')}`;
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
    if (type === '[]byte') return 'bytes';
    if (type.startsWith('[]')) return `[]${this.#type(type.slice(2))}`;
    const map = /^map\[([\w.]+)\](.+)$/.exec(type);
    if (map !== null) return `map[${this.#type(map[1] ?? '')}]${this.#type(map[2] ?? '')}`;
    if (type === 'interface{}' || type === 'any') return 'any';
    if (SCALARS.has(type)) return type;
    const dot = type.indexOf('.');
    if (dot > 0) return this.#imported(type.slice(0, dot), type.slice(dot + 1));
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
