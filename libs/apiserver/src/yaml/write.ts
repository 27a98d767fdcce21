/** Values as YAML, quoted and folded as the real server does. */
import { Buffer } from 'node:buffer';
import { compareNaturally } from './key-order.js';
import { needsQuotes, resolvePlain } from './scalars.js';
import { isPrintable, studyText, type TextTraits } from './text-traits.js';
import { shortest } from './values.js';

/** Beyond this column a line goes on in the next, at a space. */
const BEST_WIDTH = 80;
const STEP = 2;
/** Longer keys get a line of their own, behind a question mark. */
const MAX_SIMPLE_KEY_BYTES = 128;

/** A JSON value as YAML. */
export function writeYaml(value: unknown): string {
  const writer = new YamlWriter();
  writer.node(value, -1, 'root');
  writer.beginLine(0);
  return writer.text;
}

type Place = 'root' | 'item' | 'value' | 'key';

class YamlWriter {
  text = '';
  #column = 0;
  /** Nothing is on the line that must be kept apart from what follows. */
  #isSpaced = true;
  /** The line has indentation alone. */
  #isIndented = true;

  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value) && value.length > 0) return this.#sequence(value, indent, place);
    if (isMap(value)) {
      const keys = Object.keys(value).filter((key) => value[key] !== undefined);
      if (keys.length > 0) return this.#mapping(value, keys.toSorted(compareNaturally), deeper(indent));
    }
    this.#scalar(value, indent < 0 ? STEP : indent + STEP, place === 'key');
  }

  #mapping(map: Readonly<Record<string, unknown>>, keys: readonly string[], indent: number): void {
    for (const key of keys) {
      this.beginLine(indent);
      const isSimple = !studyText(key).hasBreaks && Buffer.byteLength(key) <= MAX_SIMPLE_KEY_BYTES;
      if (isSimple) {
        this.node(key, indent, 'key');
        this.#mark(':', { isApart: false });
      } else {
        this.#mark('?', { isIndent: true });
        this.node(key, indent, 'value');
        this.beginLine(indent);
        this.#mark(':', { isIndent: true });
      }
      this.node(map[key], indent, 'value');
    }
  }

  /** As the value of a key, items are no deeper than it. */
  #sequence(items: readonly unknown[], parent: number, place: Place): void {
    const indent = place === 'value' && !this.#isIndented ? parent : deeper(parent);
    for (const item of items) {
      this.beginLine(indent);
      this.#mark('-', { isIndent: true });
      this.node(item, indent, 'item');
    }
  }

  #scalar(value: unknown, indent: number, isKey: boolean): void {
    if (typeof value === 'string') return this.#string(value, indent, isKey);
    if (Array.isArray(value)) return this.#mark('[]');
    if (isMap(value)) return this.#mark('{}');
    const plain = String((value ?? null) as number | bigint | boolean | null);
    this.#mark(typeof value === 'number' && resolvePlain(plain).type === 'float' ? shortest(value) : plain);
  }

  #string(text: string, indent: number, isKey: boolean): void {
    switch (styleOf(text, studyText(text))) {
      case 'plain':
        if (!this.#isSpaced) this.#put(' ');
        this.#folded(text, indent, isKey, false);
        this.#isSpaced = false;
        break;
      case 'single':
        this.#mark("'");
        this.#folded(text, indent, isKey, true);
        this.#mark("'", { isApart: false });
        break;
      case 'double':
        this.#mark('"');
        this.#escaped(text, indent, isKey);
        this.#mark('"', { isApart: false });
        break;
      case 'literal':
        return this.#literal(text, indent);
    }
    this.#isIndented = false;
  }

  /** Words of a text in one line or several. Breaks in it are of its own kind, and have no space next to them. */
  #folded(text: string, indent: number, isKey: boolean, isQuoted: boolean): void {
    const chars = [...text];
    for (const [at, char] of chars.entries()) {
      if (isBreak(char)) {
        this.#break(char);
        this.#isIndented = true;
      } else if (char === ' ' && !isKey && this.#mayFold(chars, at) && chars[at + 1] !== ' ') {
        this.beginLine(indent);
      } else {
        if (isBreak(chars[at - 1])) this.beginLine(indent);
        this.#put(char === "'" && isQuoted ? "''" : char);
        if (char !== ' ') this.#isIndented = false;
      }
    }
  }

  /** Whether a line may end at a space: one that is full, and not at either end of the text or behind another space. */
  #mayFold(chars: readonly string[], at: number): boolean {
    return this.#column > BEST_WIDTH && at > 0 && at < chars.length - 1 && chars[at - 1] !== ' ';
  }

  #escaped(text: string, indent: number, isKey: boolean): void {
    const chars = [...text];
    for (const [at, char] of chars.entries()) {
      if (char === ' ' && !isKey && this.#mayFold(chars, at)) {
        this.beginLine(indent);
        if (chars[at + 1] === ' ') this.#put('\\');
      } else {
        this.#put(escapeOf(char));
      }
    }
  }

  #literal(text: string, indent: number): void {
    const last = /[\n\u2028\u2029]{1,2}$/.exec(text)?.[0] ?? '';
    const isAllBreaks = last.length === text.length;
    const chomping = last === '' ? '-' : last.length === 2 || isAllBreaks ? '+' : '';
    this.#mark(`|${/^[ \n\u2028\u2029]/.test(text) ? STEP : ''}${chomping}`);
    this.#break('\n');
    this.#isIndented = true;
    this.#isSpaced = true;
    let wasBreak = true;
    for (const char of text) {
      if (isBreak(char)) {
        this.#break(char);
        this.#isIndented = true;
        wasBreak = true;
      } else {
        if (wasBreak) this.beginLine(indent);
        this.#put(char);
        this.#isIndented = false;
        wasBreak = false;
      }
    }
  }

  /** Goes to a column, on this line where nothing is in the way. */
  beginLine(indent: number): void {
    const column = this.#column;
    if (!this.#isIndented || column > indent || (column === indent && !this.#isSpaced)) this.#break('\n');
    this.#put(' '.repeat(Math.max(0, indent - this.#column)));
    this.#isSpaced = true;
    this.#isIndented = true;
  }

  #mark(text: string, { isApart = true, isIndent = false } = {}): void {
    if (isApart && !this.#isSpaced) this.#put(' ');
    this.#put(text);
    this.#isSpaced = false;
    this.#isIndented &&= isIndent;
  }

  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }

  #break(char: string): void {
    this.text += char;
    this.#column = 0;
  }
}

function deeper(indent: number): number {
  return indent < 0 ? 0 : indent + STEP;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBreak(char: string | undefined): boolean {
  return char === '\n' || char === '\u2028' || char === '\u2029';
}

type Style = 'plain' | 'single' | 'double' | 'literal';

function styleOf(text: string, traits: TextTraits): Style {
  if (text.includes('\n')) return traits.mayBeBlock ? 'literal' : 'double';
  if (needsQuotes(text)) return 'double';
  if (traits.mayBePlain) return 'plain';
  return traits.mayBeSingle ? 'single' : 'double';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

function escapeOf(char: string): string {
  const known = ESCAPES[char];
  if (known !== undefined) return `\\${known}`;
  if (isPrintable(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(digits as number, '0')}`;
}
