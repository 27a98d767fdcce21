/** From a tree of YAML to JSON, with the faults of the way in the order in which the real server meets them. */
import { compareBytes, goQuote, maxObjectDepth } from '@capstan/meta';
import { YamlSyntaxError } from './errors.js';
import { resolveScalar } from './scalars.js';
import { YAML_TAG } from './syntax/first-document.js';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './syntax/nodes.js';

type Pairs = Map<unknown, unknown>;

/** Up to so many values any share of them may come from aliases. */
const FEW_VALUES = 400_000;
/** From so many on a tenth may. */
const MANY_VALUES = 4_000_000;
const MAX_ALIASED_OF_FEW = 0.99;
const MAX_ALIASED_OF_MANY = 0.1;

/** Makes values of nodes: maps, arrays, texts, bigints, numbers. Notes each key that is set again; the later one counts. */
export class YamlValues {
  /** `line 4: key "a" already set in map`. */
  readonly duplicates: string[] = [];
  /** Aliases around the node at hand. */
  readonly #around = new Set<AliasNode>();
  #made = 0;
  #depth = 0;
  #aliased = 0;

  /** The value of a node; throws YamlSyntaxError. */
  valueOf(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return valueOfScalar(node);
      case 'alias':
        return this.#inside(node, () => this.valueOf(node.target));
      case 'sequence':
        return this.#nested(() => node.items.map((item) => this.valueOf(item)));
      case 'mapping':
        return this.#nested(() => this.#setAll(node, new Map()));
    }
  }

  /** Values are made, and written, by recursion. */
  #nested<T>(make: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxObjectDepth) throw new YamlSyntaxError(`yaml: exceeded max depth of ${maxObjectDepth}`);
    const made = make();
    this.#depth -= 1;
    return made;
  }

  /** A few aliases can stand for more than anybody can hold. */
  #count(): void {
    this.#made += 1;
    if (this.#around.size > 0) this.#aliased += 1;
    if (this.#aliased > 100 && this.#made > 1000 && this.#aliased / this.#made > maxAliased(this.#made))
      throw new YamlSyntaxError('yaml: document contains excessive aliasing');
  }

  #inside<T>(alias: AliasNode, make: () => T): T {
    if (this.#around.has(alias)) throw new YamlSyntaxError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#around.add(alias);
    const made = make();
    this.#around.delete(alias);
    return made;
  }

  #setAll({ items }: MappingNode, into: Pairs): Pairs {
    for (let at = 0; at < items.length; at += 2) {
      const [key, value] = [items[at], items[at + 1]];
      if (key === undefined || value === undefined) break;
      if (isMerge(key)) {
        this.#merge(value, into);
        continue;
      }
      const name = this.valueOf(key);
      if (Array.isArray(name) || name instanceof Map)
        throw new YamlSyntaxError(`yaml: invalid map key: ${goSyntax(name)}`);
      const made = this.valueOf(value);
      if (into.has(name)) this.duplicates.push(`line ${value.line + 1}: key ${goSyntax(name)} already set in map`);
      into.set(name, made);
    }
    return into;
  }

  /** What is merged counts like what is written in its place; of several the earlier count for more. */
  #merge(source: YamlNode, into: Pairs): void {
    const sources = source.kind === 'sequence' ? source.items.toReversed() : [source];
    for (const each of sources) {
      const map = each.kind === 'alias' ? each.target : each;
      if (map.kind !== 'mapping')
        throw new YamlSyntaxError('yaml: map merge requires map or sequence of maps as the value');
      this.#count();
      if (each.kind === 'alias') this.#nested(() => this.#inside(each, () => this.#mergeAliased(map, into)));
      else this.#nested(() => this.#setAll(map, into));
    }
  }

  #mergeAliased(map: MappingNode, into: Pairs): void {
    this.#count();
    this.#setAll(map, into);
  }
}

function maxAliased(made: number): number {
  const share = Math.min(Math.max((made - FEW_VALUES) / (MANY_VALUES - FEW_VALUES), 0), 1);
  return MAX_ALIASED_OF_FEW - share * (MAX_ALIASED_OF_FEW - MAX_ALIASED_OF_MANY);
}

function isMerge(key: YamlNode): boolean {
  if (key.kind !== 'scalar' || key.text !== '<<') return false;
  return key.tag === '' ? key.isPlain : key.tag === '!' || key.tag === `${YAML_TAG}merge`;
}

function valueOfScalar({ tag, text, isPlain }: ScalarNode): unknown {
  return tag === '' && !isPlain ? text : resolveScalar(tag, text);
}

/** The JSON text of a value, as the real server writes it before it reads it: keys are texts and sorted. */
export function toJson(value: unknown): string {
  return writeJson(withTextKeys(value));
}

function withTextKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextKeys);
  if (!(value instanceof Map)) return value;
  return new Map([...(value as Pairs)].map(([key, child]) => [keyText(key, child), withTextKeys(child)]));
}

function writeJson(value: unknown): string {
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'string') return jsonText(value);
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!(value instanceof Map)) return String(value);
  const entries = [...(value as Map<string, unknown>)].toSorted(([a], [b]) => compareBytes(a, b));
  return `{${entries.map(([key, child]) => `${jsonText(key)}:${writeJson(child)}`).join(',')}}`;
}

/** JSON has no words for some numbers; that is found out when all is written. */
function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new YamlSyntaxError(`json: unsupported value: ${goNumber(value)}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Characters that are escaped for those who put JSON into pages. */
const ESCAPED = /[<>&\u2028\u2029]/g;

function jsonText(text: string): string {
  const plain = JSON.stringify(text);
  return plain.replaceAll(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function keyText(key: unknown, value: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return String(key);
  if (typeof key === 'bigint' && key < 2n ** 63n) return String(key);
  if (typeof key === 'number') return Number.isFinite(key) ? shortest(Math.fround(key), true) : goFloatName(key);
  const type = key === null ? '%!s(<nil>)' : 'uint64';
  throw new YamlSyntaxError(`unsupported map key of type: ${type}, key: ${goSyntax(key)}, value: ${goSyntax(value)}`);
}

function goFloatName(value: number): string {
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

function goNumber(value: number): string {
  if (Number.isFinite(value)) return shortest(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** From this power of ten on an exponent is written. */
const MAX_PLAIN_POWER = 6;

/** A float as Go writes it by default. */
export function shortest(value: number, isSingle = false): string {
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponent = '0'] = exponential(value, isSingle).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < MAX_PLAIN_POWER) return String(Number(`${mantissa}e${exponent}`));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The fewest digits that give the number back; of single precision no more than nine are needed. */
function exponential(value: number, isSingle: boolean): string {
  if (!isSingle) return value.toExponential();
  for (let digits = 0; digits < 9; digits += 1) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

/** A value as Go's own syntax. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'bigint' && value >= 2n ** 63n) return `0x${value.toString(16)}`;
  const inner = (each: unknown): string => (each === null ? 'interface {}(nil)' : goSyntax(each));
  if (Array.isArray(value)) return `[]interface {}{${value.map(inner).join(', ')}}`;
  if (!(value instanceof Map)) return String(value as bigint | boolean);
  const entries = [...(value as Pairs)].map(([key, child]) => `${inner(key)}:${inner(child)}`);
  return `map[interface {}]interface {}{${entries.sort(compareBytes).join(', ')}}`;
}
