import { compareBytes, goQuote, setOwn } from '@capstan/meta';
import { LineCounter, isScalar, parseDocument, stringify } from 'yaml';
import type { ParsedNode, ScalarTag, Tags } from 'yaml';
import type { ReadYaml } from './body.js';
import { YamlSyntaxError, refuseControlCharacters, wordedValueError } from './yaml-errors.js';
import { firstDocument } from './yaml-syntax/first-document.js';

/** `0o17`, which YAML 1.1 does not have but Kubernetes' reader does. */
const octalTag: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^0o[0-7]+$/,
  resolve: (text: string) => BigInt(text),
};

/** `!!float 1`; without the tag it is an integer, whose own tag comes first. */
const wholeFloatTag: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?[0-9]+$/,
  resolve: Number,
};

const TIME_TAG = /timestamp$/;

/** Kubernetes reads YAML 1.1 (`yes` is true, `0777` octal), but times and sexagesimals stay texts. */
function kubernetesTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) => typeof tag !== 'object' || !('test' in tag) || !(isTime(tag) || TIME_TAG.test(tag.tag)),
  );
  return [...kept.map((tag) => (isFloat(tag) ? withinRange(tag) : tag)), octalTag, wholeFloatTag];
}

function isFloat(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && 'resolve' in tag && tag.tag.endsWith(':float');
}

function isTime(tag: { format?: string }): boolean {
  return tag.format === 'TIME';
}

/** YAML 1.1 lets `e980` and `.` be floats; Kubernetes' reader asks for a digit before the exponent. */
const FLOAT_WITHOUT_DIGITS = /^[-+]?\.?(?:[eE_]|$)/;

/** Floats that are too large for one are texts, and so are those without digits. */
function withinRange(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve: (text, onError, options) => {
      if (FLOAT_WITHOUT_DIGITS.test(text)) return text;
      const value: unknown = tag.resolve?.(text, onError, options);
      if (Number.isNaN(value) && !/nan/i.test(text)) return text;
      if (value !== Infinity && value !== -Infinity) return value;
      if (/inf/i.test(text)) return value;
      // Tagged as a float, whatever it looks like.
      return Number.isFinite(Number(text)) ? Number(text) : text;
    },
  };
}

/**
 * What JSON there is for a value: its keys are texts and sorted. Integers beyond 2^53 stay exact, all others are plain
 * numbers, as the JSON reader has it.
 */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return jsonInteger(value);
  if (typeof value === 'number') return jsonFloat(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Map<unknown, unknown>)].map(([key, child]) => [keyText(key, child), child] as const);
  const object: Record<string, unknown> = {};
  for (const [key, child] of entries.sort(([a], [b]) => compareBytes(a, b))) setOwn(object, key, toJson(child));
  return object;
}

function jsonInteger(value: bigint): unknown {
  if (Number.isSafeInteger(Number(value))) return Number(value);
  // Beyond what 64 bits hold it is a float.
  return value >= -(2n ** 63n) && value < 2n ** 64n ? value : Number(value);
}

function jsonFloat(value: number): number {
  if (Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlSyntaxError(`json: unsupported value: ${name}`);
}

function keyText(key: unknown, value: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  if (typeof key === 'number') return Number.isFinite(key) ? String(key) : goFloatName(key);
  if (typeof key === 'object' && key !== null) throw new YamlSyntaxError(`yaml: invalid map key: ${goSyntax(key)}`);
  throw new YamlSyntaxError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
}

function goFloatName(value: number): string {
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

/** A value as Go's own syntax. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return goQuote(new TextDecoder().decode(value));
  const inner = (each: unknown): string => (each === null ? 'interface {}(nil)' : goSyntax(each));
  if (Array.isArray(value)) return `[]interface {}{${value.map(inner).join(', ')}}`;
  if (!(value instanceof Map)) return String(value as number | bigint | boolean);
  const entries = [...(value as Map<unknown, unknown>)].map(([key, child]) => `${inner(key)}:${inner(child)}`);
  return `map[interface {}]interface {}{${entries.sort(compareBytes).join(', ')}}`;
}

/** Notes each key that comes again; the later one counts. */
class RepeatedKeys {
  readonly texts: string[] = [];
  readonly #lines = new LineCounter();

  /** What tells the reader where lines begin. */
  get lines(): LineCounter {
    return this.#lines;
  }

  /** Called for each pair of keys of a map, the later one second. */
  readonly compare = (known: ParsedNode, next: ParsedNode): boolean => {
    if (!isScalar(known) || !isScalar(next) || known.value !== next.value) return false;
    const { line } = this.#lines.linePos(next.range[0]);
    const key = typeof next.value === 'string' ? goQuote(next.value) : String(next.value);
    this.texts.push(`line ${line}: key ${key} already set in map`);
    return true;
  };
}

/** Troubles the reader tells of that are none to Kubernetes, which takes the later key, or to anybody (`[a]: b`). */
const HARMLESS = new Set(['DUPLICATE_KEY', 'IMPOSSIBLE']);

/** A YAML text as Kubernetes reads it; throws YamlSyntaxError. */
export function readYaml(text: string): ReadYaml {
  refuseControlCharacters(text);
  const keys = new RepeatedKeys();
  const document = parseDocument(firstDocument(text.replace(/^\ufeff/, '')), {
    version: '1.1',
    intAsBigInt: true,
    uniqueKeys: keys.compare,
    lineCounter: keys.lines,
    prettyErrors: false,
    customTags: kubernetesTags,
    // What is odd about a client's text is no business of the server's log.
    logLevel: 'error',
  });
  const error = document.errors.find(({ code }) => !HARMLESS.has(code));
  // The two readers differ in little that is no fault to the real one.
  if (error !== undefined) throw new YamlSyntaxError(`yaml: ${error.message}`, { cause: error });
  try {
    return { value: toJson(document.toJS({ maxAliasCount: 100, mapAsMap: true })), duplicates: keys.texts };
  } catch (cause) {
    if (cause instanceof YamlSyntaxError) throw cause;
    throw wordedValueError(cause, text);
  }
}

/** A value as YAML. */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    version: '1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
    sortMapEntries: true,
    indentSeq: false,
  });
}
