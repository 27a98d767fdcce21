import { goQuote, setOwn } from '@capstan/meta';
import { LineCounter, isScalar, parseDocument, stringify } from 'yaml';
import type { ParsedNode, ScalarTag, Tags } from 'yaml';
import type { ReadYaml } from './body.js';
import { refuseControlCharacters, worded, wordedValueError } from './yaml-errors.js';

/** `0o17`, which YAML 1.1 does not have but Kubernetes' reader does. */
const octalTag: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^0o[0-7]+$/,
  resolve: (text: string) => BigInt(text),
};

const TIME_TAG = /timestamp$/;

/** Kubernetes reads YAML 1.1 (`yes` is true, `0777` octal), but times and sexagesimals stay texts. */
function kubernetesTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) => typeof tag !== 'object' || !('test' in tag) || !(isTime(tag) || TIME_TAG.test(tag.tag)),
  );
  return [...kept, octalTag];
}

function isTime(tag: { format?: string }): boolean {
  return tag.format === 'TIME';
}

/** Integers beyond 2^53 stay exact, all others are plain numbers, as the JSON reader has it. */
function plainNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (value === null || typeof value !== 'object') return value;
  const object: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(object, key, plainNumbers(child));
  return object;
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

/** Troubles the reader tells of that are none to Kubernetes: it takes the later key and the first document. */
const HARMLESS = new Set(['DUPLICATE_KEY', 'MULTIPLE_DOCS']);

/** A YAML text as Kubernetes reads it; throws YamlSyntaxError. */
export function readYaml(text: string): ReadYaml {
  refuseControlCharacters(text);
  const keys = new RepeatedKeys();
  const document = parseDocument(text, {
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
  if (error !== undefined) throw worded(error, text);
  try {
    return { value: plainNumbers(document.toJS({ maxAliasCount: 100 })), duplicates: keys.texts };
  } catch (cause) {
    throw wordedValueError(cause, text);
  }
}

/** A value as YAML. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
