/** A pattern as the steps of the engine that matches it, for those who compare patterns. */
import { compilePattern } from '../../cel/values/regex.js';
import { CelError } from '../../cel/values/values.js';

/** One step: what it takes, and where it leads. */
export type PatternStep =
  | { readonly kind: 'match' }
  | { readonly kind: 'fail' }
  /** Takes one character of these ranges. */
  | { readonly kind: 'char'; readonly ranges: readonly (readonly [low: number, high: number])[]; readonly next: number }
  /** Takes nothing; may hold only where the text begins or ends. */
  | { readonly kind: 'jump'; readonly next: readonly number[]; readonly begin: boolean; readonly end: boolean };

/** A pattern made ready; it may match anywhere in a text. */
export interface PatternProgram {
  readonly start: number;
  readonly steps: readonly PatternStep[];
}

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
}

const OPS = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  empty: 4,
  fail: 5,
  match: 6,
  nop: 7,
  rune: 8,
  rune1: 9,
  any: 10,
  line: 11,
};
const BEGIN = 4;
const END = 8;
const FOLD_CASE = 1;
const LAST = 0x10_ff_ff;
const NEW_LINE = 10;
const ASCII = 0x80;
/** Characters beyond ASCII that are letters of it in another case. */
const FOLDED: Readonly<Record<string, number>> = { k: 0x21_2a, s: 0x01_7f };

type Ranges = readonly (readonly [number, number])[];

/** The characters that are one, whatever their case; undefined beyond ASCII. */
function foldedRanges(rune: number): Ranges | undefined {
  if (rune >= ASCII) return undefined;
  const char = String.fromCodePoint(rune);
  const other = FOLDED[char.toLowerCase()];
  const runes = new Set([rune, char.toLowerCase().charCodeAt(0), char.toUpperCase().charCodeAt(0)]);
  if (other !== undefined) runes.add(other);
  return [...runes].map((each) => [each, each] as const);
}

function rangesOf({ arg, op, runes }: Instruction): Ranges | undefined {
  if (op === OPS.any) return [[0, LAST]];
  if (op === OPS.line) {
    return [
      [0, NEW_LINE - 1],
      [NEW_LINE + 1, LAST],
    ];
  }
  const first = runes[0];
  if (runes.length === 1 && first !== undefined)
    return (arg & FOLD_CASE) === 0 ? [[first, first]] : foldedRanges(first);
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at + 1 < runes.length; at += 2) ranges.push([runes[at] ?? 0, runes[at + 1] ?? 0]);
  return ranges;
}

function stepOf(instruction: Instruction): PatternStep | undefined {
  const { arg, op, out } = instruction;
  const plain = { begin: false, end: false };
  switch (op) {
    case OPS.alt:
    case OPS.altMatch:
      return { kind: 'jump', next: [out, arg], ...plain };
    case OPS.capture:
    case OPS.nop:
      return { kind: 'jump', next: [out], ...plain };
    case OPS.empty:
      // Lines and words need to know the characters around.
      if ((arg & ~(BEGIN | END)) !== 0) return undefined;
      return { kind: 'jump', next: [out], begin: (arg & BEGIN) !== 0, end: (arg & END) !== 0 };
    case OPS.match:
      return { kind: 'match' };
    case OPS.fail:
      return { kind: 'fail' };
    case OPS.rune:
    case OPS.rune1:
    case OPS.any:
    case OPS.line: {
      const ranges = rangesOf(instruction);
      return ranges && { kind: 'char', ranges, next: out };
    }
    default:
      return undefined;
  }
}

/** The steps of a pattern; undefined where it does not compile, or has steps that are not known here. */
export function patternProgram(pattern: string): PatternProgram | undefined {
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) return undefined;
  // The engine keeps its program to itself, and its exact version is ours to choose.
  const { prog } = compiled.re2Input as unknown as {
    readonly prog?: { readonly inst?: readonly Instruction[]; readonly start?: number };
  };
  if (prog?.inst === undefined || prog.start === undefined) return undefined;
  const steps = prog.inst.map(stepOf);
  return steps.includes(undefined) ? undefined : { start: prog.start, steps: steps as readonly PatternStep[] };
}
