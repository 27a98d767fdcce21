/** The fields of a Go struct as they travel: one line a leaf, with its type. */
import { specialTypes } from '../../builtin-types/packages.js';
import type { GoField, GoFile, GoType } from '../../builtin-types/go-source.js';
import { DraftError } from '../draft-error.js';

/** A Go package: its files, in which types are looked for. */
export interface GoPackageFiles {
  readonly importPath: string;
  readonly files: readonly GoFile[];
}

/** Finds a package by its import path. */
export type PackageReader = (importPath: string) => Promise<GoPackageFiles>;

/** A type with the file that declares the types it uses. */
interface Declared {
  readonly type: GoType;
  readonly file: GoFile;
  readonly owner: GoPackageFiles;
}

const META = 'k8s.io/apimachinery/pkg/apis/meta/v1';

const basicTypes: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['[]byte', 'string'],
  ['bool', 'bool'],
  ['int32', 'int32'],
  ['uint32', 'int64'],
  ['int', 'int64'],
  ['int64', 'int64'],
  ['uint64', 'int64'],
  ['float32', 'number'],
  ['float64', 'number'],
  ['interface{}', 'any'],
]);

/** Words of types that decode themselves, as leaves. */
const specialLeaves: ReadonlyMap<string, string> = new Map([
  ['Time', 'time'],
  ['MicroTime', 'time'],
  ['Duration', 'duration'],
  ['Quantity', 'string'],
  ['IntOrString', 'intOrString'],
]);

/** The leaf that an imported type is, if its fields are not of interest. */
function leafOfImported(path: string, name: string): string | undefined {
  if (path === META && name === 'ObjectMeta') return 'any';
  const special = specialTypes.get(`${path}.${name}`);
  return special === undefined ? undefined : (specialLeaves.get(special) ?? 'any');
}

/** Lists the leaves of the struct `name` of a package, in the order of Go. */
export async function fieldsOfStruct(read: PackageReader, importPath: string, name: string): Promise<string[]> {
  return new FieldLister(read).list(importPath, name);
}

class FieldLister {
  readonly #read: PackageReader;

  constructor(read: PackageReader) {
    this.#read = read;
  }

  async list(importPath: string, name: string): Promise<string[]> {
    return this.#declared('', await this.#find(importPath, name), []);
  }

  async #find(importPath: string, name: string): Promise<Declared> {
    const owner = await this.#read(importPath);
    for (const file of owner.files) {
      const type = file.types.find((each) => each.name === name);
      if (type !== undefined) return { type, file, owner };
    }
    throw new DraftError(`${importPath} declares no ${name} with fields`);
  }

  async #declared(path: string, declared: Declared, around: readonly string[]): Promise<string[]> {
    const { type } = declared;
    const name = `${declared.owner.importPath}.${type.name}`;
    if (around.includes(name)) throw new DraftError(`${path}: ${type.name} holds itself`);
    const inside = [...around, name];
    if (type.fields === undefined) return this.#type(path, type.target ?? '', declared, inside);
    if (type.untagged !== undefined)
      throw new DraftError(`${type.name} has fields without a JSON name: ${type.untagged.join(', ')}`);
    if (type.fields.length === 0) return [`${path} any`];
    const lines: string[] = [];
    for (const field of type.fields) lines.push(...(await this.#field(path, field, declared, inside)));
    return lines;
  }

  async #field(path: string, field: GoField, owner: Declared, around: readonly string[]): Promise<string[]> {
    const json = field.tags.get('json') ?? '';
    if (json === '-') return [];
    const [name = ''] = json.split(',');
    if (name !== '') return this.#type(path === '' ? name : `${path}.${name}`, field.type, owner, around);
    if (field.name !== undefined) throw new DraftError(`${owner.type.name}.${field.name}: a field without a JSON name`);
    // Every typed record has its type in two fields: they are none of its own.
    if (this.#resolve(field.type, owner).join('.') === `${META}.TypeMeta`) return [];
    return this.#type(path, field.type, owner, around);
  }

  async #type(path: string, type: string, owner: Declared, around: readonly string[]): Promise<string[]> {
    const basic = basicTypes.get(type);
    if (basic !== undefined) return [`${path} ${basic}`];
    if (type.startsWith('*')) return this.#type(path, type.slice(1), owner, around);
    if (type.startsWith('[]')) return this.#type(`${path}[]`, type.slice(2), owner, around);
    const map = /^map\[[\w.]+\](.+)$/.exec(type);
    if (map !== null) return this.#type(`${path}{}`, map[1] ?? '', owner, around);
    const [importPath, name] = this.#resolve(type, owner);
    const leaf = leafOfImported(importPath, name);
    if (leaf !== undefined) return [`${path} ${leaf}`];
    return this.#declared(path, await this.#find(importPath, name), around);
  }

  /** The import path and the name of a type as the file writes it. */
  #resolve(type: string, { file, owner }: Declared): [importPath: string, name: string] {
    const word = type.replace(/^\*/, '');
    const [, local, name] = /^(?:(\w+)\.)?([A-Z]\w*)$/.exec(word) ?? [];
    if (name === undefined) throw new DraftError(`cannot list the Go type ${type}`);
    if (local === undefined) return [owner.importPath, name];
    const path = file.imports.get(local);
    if (path === undefined) throw new DraftError(`cannot list ${type}: no such import`);
    return [path, name];
  }
}
