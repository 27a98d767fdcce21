/** The `email` format: what Go's `mail.ParseAddress` accepts, comments, display names and groups included. */
import { isAddress } from './format-net.js';

const atom = /^[^\x00-\x20\x7f()<>[\]:;@\\,"]+/;
const quoted = /^"(?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[^\x00-\x08\x0a-\x1f\x7f])*"/;
const literal = /^\[([^\x00-\x20\x7f[\]\\]*)\]/;

/** Reads an address from the front of a text; every step returns whether it fitted. */
class AddressReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  #skipSpace(): void {
    this.#rest = this.#rest.replace(/^[ \t]+/, '');
  }

  #take(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#rest = this.#rest.slice(1);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest)?.[0];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }

  /** A comment whose opening parenthesis is gone; they nest. */
  #comment(): boolean {
    let depth = 1;
    let at = 0;
    for (; at < this.#rest.length && depth > 0; at++) {
      const character = this.#rest[at];
      if (character === '\\' && at + 1 < this.#rest.length) at++;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
    }
    this.#rest = this.#rest.slice(at);
    return depth === 0;
  }

  #skipComments(): boolean {
    this.#skipSpace();
    while (this.#take('(')) {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  #dotAtom(): boolean {
    const found = this.#match(atom);
    return found !== undefined && !found.startsWith('.') && !found.endsWith('.') && !found.includes('..');
  }

  #local(): boolean {
    if (!this.#rest.startsWith('"')) return this.#dotAtom();
    const found = this.#match(quoted);
    return found !== undefined && found.length > 2;
  }

  #domain(): boolean {
    if (!this.#rest.startsWith('[')) return this.#dotAtom();
    const found = this.#match(literal);
    return found !== undefined && isAddress(found.slice(1, -1));
  }

  #addrSpec(): boolean {
    const before = this.#rest;
    this.#skipSpace();
    if (this.#local() && this.#take('@')) {
      this.#skipSpace();
      if (this.#domain()) return true;
    }
    this.#rest = before;
    return false;
  }

  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (words > 0 && !this.#skipComments()) return false;
      this.#skipSpace();
      if (this.#match(this.#rest.startsWith('"') ? quoted : atom) === undefined) return words > 0;
      words++;
    }
  }

  /** One mailbox or, outside a group, a group of exactly one. */
  address(inGroup: boolean): boolean {
    this.#skipSpace();
    if (this.#addrSpec()) {
      this.#skipSpace();
      return !this.#take('(') || this.#comment();
    }
    if (!this.#rest.startsWith('<') && !this.#phrase()) return false;
    this.#skipSpace();
    if (!inGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#addrSpec() && this.#take('>');
  }

  #group(): boolean {
    this.#skipSpace();
    if (!this.address(true) || !this.#skipComments()) return false;
    return this.#take(';') && this.#skipComments();
  }

  atEnd(): boolean {
    return this.#skipComments() && this.#rest === '';
  }
}

/** Whether the text is one mail address. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.address(false) && reader.atEnd();
}
