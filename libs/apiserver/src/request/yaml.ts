import { goQuote } from '@capstan/meta';
import { LineCounter, isScalar, parseDocument, stringify } from 'yaml';
import type { ParsedNode, ScalarTag, Tags } from 'yaml';
import type { ReadYaml } from './body.js';
import { yamlBytes } from './yaml-bytes.js';
import { YamlSyntaxError, wordedValueError } from './yaml-errors.js';
import { firstDocument } from './yaml-syntax/first-document.js';
import { refuseKeys, toJson } from './yaml-values.js';

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
export function readYaml(bytes: Uint8Array): ReadYaml {
  const { text, wall } = yamlBytes(bytes);
  const keys = new RepeatedKeys();
  const document = parseDocument(firstDocument(text, wall), {
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
    const asMaps = { maxAliasCount: 100, mapAsMap: true };
    refuseKeys(document, (node) => node.toJS(document, asMaps));
    return { value: toJson(document.toJS(asMaps)), duplicates: keys.texts };
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
