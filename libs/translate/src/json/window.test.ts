import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextToken, Window } from './window.js';

/** The same, byte by byte. */
function reference(text: string): { tokens: number[]; isInString: boolean } {
  const tokens: number[] = [];
  let isInString = false;
  let isEscaped = false;
  for (const [index, char] of [...text].entries()) {
    const wasEscaped: boolean = isEscaped;
    isEscaped = !wasEscaped && char === '\\';
    if (char === '"' && !wasEscaped) {
      tokens.push(index);
      isInString = !isInString;
    } else if (!isInString && '{}[],'.includes(char)) tokens.push(index);
  }
  return { tokens, isInString };
}

const window = new Window();

function load(text: string, carry = 0): number {
  window.bytes.write(text, 0, 'latin1');
  return window.scan(text.length, carry);
}

function tokens(length: number): number[] {
  const found: number[] = [];
  for (let at = nextToken(window.words, 0, length); at < length; at = nextToken(window.words, at + 1, length))
    found.push(at);
  return found;
}

const noise = fc.array(fc.constantFrom(...'{}[]",:\\\\"ax1 \n'), { maxLength: 300 }).map((chars) => chars.join(''));

describe('the scanner', () => {
  it('finds the tokens that a loop over the bytes finds, however the bytes are cut', () => {
    fc.assert(
      fc.property(noise, fc.nat(300), (text, where) => {
        const cut = Math.min(where, text.length);
        const expected = reference(text);
        const carry = load(text.slice(0, cut));
        const before = tokens(cut);
        const after = load(text.slice(cut), carry);
        const found = [...before, ...tokens(text.length - cut).map((at) => at + cut)];
        expect(found).toEqual(expected.tokens);
        expect((after & 1) === 1).toBe(expected.isInString);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the end of containers', () => {
    fc.assert(
      fc.property(noise, fc.integer({ min: 1, max: 5 }), (text, containers) => {
        load(text);
        let depth = containers;
        let expected = 0;
        for (const at of reference(text).tokens) {
          if ('{['.includes(text[at] as string)) depth += 1;
          else if (']}'.includes(text[at] as string)) depth -= 1;
          if (depth === 0) {
            expected = at + 1;
            break;
          }
        }
        expect(window.skip(0, text.length, containers)).toBe(depth === 0 ? expected : -1 - depth);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the end of a container in which no name begins with `ap`, nor may after all', () => {
    const named = fc.array(fc.constantFrom('"ap', '"a', 'p"', '"', '\\', '{', '}', '[', ']', 'ap', ' '.repeat(21)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(named, (parts) => {
        const text = parts.join('');
        load(text);
        const end = window.skip(0, text.length, 1);
        const name = text.search(/"ap|\\/);
        const isPassed = end >= 0 && (name < 0 || name >= end);
        expect(window.endWithoutApi(0, text.length)).toBe(isPassed ? end : -1);
      }),
      { numRuns: 3000 },
    );
  });

  it('marks tokens that contain backslashes', () => {
    load(`${' '.repeat(100)}\\${' '.repeat(100)}`);
    expect(window.hasBackslash(0, 100)).toBe(false);
    expect(window.hasBackslash(0, 101)).toBe(true);
    expect(window.hasBackslash(101, 201)).toBe(false);
  });

  it('grows for what is longer', () => {
    const large = new Window();
    large.reserve(1_000_000);
    large.bytes.fill(0x20, 0, 1_000_000);
    large.bytes[999_999] = 0x7b;
    large.scan(1_000_000, 0);
    expect(nextToken(large.words, 0, 1_000_000)).toBe(999_999);
  });
});
