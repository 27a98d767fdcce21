/** Scalars on one line, as the quick reader of YAML knows them. */
import { setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** Thrown inside, never let out: the reader that knows all of YAML has to read this. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

// One for all: a stack would cost more than what is read.
export const NOT_PLAIN = new NotPlain('more than the plain part of YAML');

const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
const LONG_INTEGER = /^-?[1-9][0-9]{15,17}$/;
/** Might be a number of some form, an hour or a date: the reader that knows them decides. */
const NUMBER_LIKE = /^[-+.]?[0-9][0-9_,.:eExXoOA-Fa-f+-]*$/;
const DOTTED = /^[0-9]+(?:\.[0-9]+){2,}$/;
/** Plain words that are no texts, or not to every reader. */
const KEYWORDS: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);
const LONGEST_KEYWORD = 5;
/** A text cannot begin with these, or means something else. */
const SPECIAL = new Set('&*!|>@`%{[]},?#="\'~<-+:');
/** A path such as `.spec.replicas`, and no number. */
const DOT_PATH = /^\.(?!(?:inf|nan)$)[A-Za-z_]/i;

/** Whether a plain text means something else than itself, to some reader. */
export function isKeyword(text: string): boolean {
  return text.length <= LONGEST_KEYWORD && KEYWORDS.has(text.toLowerCase());
}

/** The value of a plain scalar. */
export function quickScalar(text: string): unknown {
  switch (text) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
  }
  const first = text[0] as string;
  if ((first >= '0' && first <= '9') || first === '-') return numberOrText(text);
  if (SPECIAL.has(first) || isKeyword(text) || (first === '.' && !DOT_PATH.test(text))) throw NOT_PLAIN;
  return textOnly(text);
}

function numberOrText(text: string): unknown {
  if (NUMBER.test(text) && !text.startsWith('-0')) return Number(text);
  // What has a digit more may or may not be safe, and what has three more is exact as a bigint.
  if (LONG_INTEGER.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  if (text.startsWith('-') || (NUMBER_LIKE.test(text) && !DOTTED.test(text))) throw NOT_PLAIN;
  return textOnly(text);
}

function textOnly(text: string): string {
  if (text.includes(': ') || text.endsWith(':') || text.includes(' #')) throw NOT_PLAIN;
  return text;
}

/** One value of a flow, and what stands behind it. */
const FLOW_TOKEN = / *("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{},:]|[^\s"'[\]{},:#&*!|>%@`?][^"'[\]{},:#&*!|>%@`?]*)/y;

/** A flow on one line whose members are simple: `[a, "b"]`, `{type: string}`. */
export function quickFlow(text: string): unknown {
  const tokens: string[] = [];
  FLOW_TOKEN.lastIndex = 0;
  for (let match = FLOW_TOKEN.exec(text); match !== null; match = FLOW_TOKEN.exec(text)) {
    tokens.push((match[1] as string).trimEnd());
    if (FLOW_TOKEN.lastIndex === text.length) break;
  }
  if (FLOW_TOKEN.lastIndex !== text.length) throw NOT_PLAIN;
  const flow = new Flow(tokens, text);
  const value = flow.value();
  if (!flow.isOver()) throw NOT_PLAIN;
  return value;
}

class Flow {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[], text: string) {
    this.#tokens = tokens;
    // A colon must have a blank behind it: `a:b` is a text, and `"a":b` is not to every reader.
    if (/:(?! )/.test(text)) throw NOT_PLAIN;
  }

  isOver(): boolean {
    return this.#at === this.#tokens.length;
  }

  #take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw NOT_PLAIN;
    return token;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  value(): unknown {
    const token = this.#take();
    if (token === '[') return this.#list();
    if (token === '{') return this.#record();
    return flowScalar(token);
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    while (!this.#takes(']')) {
      if (items.length > 0 && !this.#takes(',')) throw NOT_PLAIN;
      items.push(this.value());
    }
    return items;
  }

  #record(): JsonObject {
    const record: JsonObject = {};
    for (let isFirst = true; !this.#takes('}'); isFirst = false) {
      if (!isFirst && !this.#takes(',')) throw NOT_PLAIN;
      const key = flowScalar(this.#take());
      if (typeof key !== 'string' || !this.#takes(':') || Object.hasOwn(record, key)) throw NOT_PLAIN;
      setOwn(record, key, this.value());
    }
    return record;
  }
}

function flowScalar(token: string): unknown {
  if (token.startsWith('"')) return doubleQuoted(token);
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (token === ',' || token === ':' || token === ']' || token === '}') throw NOT_PLAIN;
  return quickScalar(token);
}

/** What JSON reads YAML reads the same way; YAML's own escapes JSON refuses. */
export function doubleQuoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw NOT_PLAIN;
  }
}
