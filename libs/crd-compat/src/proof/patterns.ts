/** Texts that match a regular expression. What cannot be read gives none; the caller checks every text anyway. */
import { pushAll } from '@capstan/meta';
import type { Dice } from './random.js';

type Part =
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'chars'; readonly chars: readonly string[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly low: number; readonly high: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] };

class Unreadable extends Error {}

const digits = [...'0123456789'];
const lower = [...'abcdefghijklmnopqrstuvwxyz'];
const upper = lower.map((letter) => letter.toUpperCase());
const word = [...lower, ...upper, ...digits, '_'];
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const nothing: Part = { kind: 'sequence', parts: [] };

const classes: Readonly<Record<string, readonly string[]>> = { d: digits, w: word, s: [' '] };
const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };

function outside(chars: readonly string[]): readonly string[] {
  const taken = new Set(chars);
  return printable.filter((char) => !taken.has(char));
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Part {
    const part = this.#choice();
    if (this.#at < this.#text.length) throw new Unreadable();
    return part;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #next(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new Unreadable();
    return char;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #choice(): Part {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] ?? nothing) : { kind: 'choice', options };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek()) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(part: Part): Part {
    const range = this.#quantifier();
    if (range === undefined) return part;
    this.#take('?');
    return { kind: 'repeat', part, ...range };
  }

  #quantifier(): { readonly low: number; readonly high: number } | undefined {
    if (this.#take('*')) return { low: 0, high: Infinity };
    if (this.#take('+')) return { low: 1, high: Infinity };
    if (this.#take('?')) return { low: 0, high: 1 };
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at));
    if (counted === null) return undefined;
    this.#at += counted[0].length;
    const low = Number(counted[1]);
    return { low, high: counted[2] === '' ? low : counted[3] === '' ? Infinity : Number(counted[3]) };
  }

  #atom(): Part {
    const char = this.#next();
    if (char === '^' || char === '$') return nothing;
    if (char === '.') return { kind: 'chars', chars: word };
    if (char === '(') return this.#group();
    if (char === '[') return this.#set();
    if (char === '\\') return this.#escape();
    return { kind: 'chars', chars: [char] };
  }

  #group(): Part {
    const opening = /^\?(?:P?<\w+>|[imsU-]*:)/.exec(this.#text.slice(this.#at));
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#peek() === '?') return this.#flags();
    const part = this.#choice();
    if (!this.#take(')')) throw new Unreadable();
    return part;
  }

  #flags(): Part {
    const flags = /^\?[imsU-]*\)/.exec(this.#text.slice(this.#at));
    if (flags === null) throw new Unreadable();
    this.#at += flags[0].length;
    return nothing;
  }

  #escape(): Part {
    const char = this.#next();
    if (char === 'b' || char === 'A' || char === 'z') return nothing;
    const known = classes[char] ?? (classes[char.toLowerCase()] && outside(classes[char.toLowerCase()] ?? []));
    if (known !== undefined) return { kind: 'chars', chars: known };
    return { kind: 'chars', chars: [controls[char] ?? this.#literal(char)] };
  }

  #literal(char: string): string {
    if (/[0-9A-Za-z]/.test(char)) throw new Unreadable();
    return char;
  }

  #set(): Part {
    const negated = this.#take('^');
    const chars: string[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) this.#member(chars);
    this.#at++;
    return { kind: 'chars', chars: negated ? outside(chars) : chars };
  }

  #member(chars: string[]): void {
    const named = /^\[:(\w+):\]/.exec(this.#text.slice(this.#at));
    if (named !== null) {
      this.#at += named[0].length;
      pushAll(chars, posix[named[1] ?? ''] ?? word);
      return;
    }
    const from = this.#setChar();
    if (typeof from !== 'string') {
      pushAll(chars, from);
      return;
    }
    if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') {
      chars.push(from);
      return;
    }
    this.#at++;
    const to = this.#setChar();
    if (typeof to !== 'string') throw new Unreadable();
    for (let code = from.charCodeAt(0); code <= Math.min(to.charCodeAt(0), 0x24f); code++) {
      chars.push(String.fromCharCode(code));
    }
  }

  #setChar(): readonly string[] | string {
    const char = this.#next();
    if (char !== '\\') return char;
    const escaped = this.#next();
    return classes[escaped] ?? controls[escaped] ?? this.#literal(escaped);
  }
}

const posix: Readonly<Record<string, readonly string[]>> = {
  alnum: [...lower, ...upper, ...digits],
  alpha: [...lower, ...upper],
  digit: digits,
  lower,
  upper,
  word,
};

const parsed = new Map<string, Part | undefined>();

function partOf(pattern: string): Part | undefined {
  if (parsed.has(pattern)) return parsed.get(pattern);
  let part: Part | undefined;
  try {
    part = new Reader(pattern).read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  if (parsed.size > 2000) parsed.clear();
  parsed.set(pattern, part);
  return part;
}

function write(part: Part, dice: Dice, eager: number): string {
  switch (part.kind) {
    case 'chars':
      return dice.pick(part.chars) ?? '';
    case 'choice':
      return write(dice.pick(part.options) ?? nothing, dice, eager);
    case 'sequence':
      return part.parts.map((each) => write(each, dice, eager)).join('');
    case 'repeat': {
      const most = Math.min(part.high, part.low + eager);
      const count = part.low + dice.below(most - part.low + 1);
      return Array.from({ length: Math.min(count, 600) }, () => write(part.part, dice, eager)).join('');
    }
  }
}

/** A text that probably matches; `eager` is how often what may repeat without end is repeated at most. */
export function matchingText(pattern: string, dice: Dice, eager: number): string | undefined {
  const part = partOf(pattern);
  return part === undefined ? undefined : write(part, dice, eager);
}
