/** Is every text of one language one of another? Decided by running both at once over all texts, up to a limit. */
import { type PatternProgram, type PatternStep, patternProgram } from '@capstan/schema';

/** A set of texts, read character by character. */
export interface Language {
  /** Where characters begin to be distinguished. */
  readonly bounds: readonly number[];
  readonly start: string;
  /** The state after one more character. */
  readonly next: (state: string, char: number) => string;
  readonly accepts: (state: string) => boolean;
  /** Whether everything that begins like this is in the language. */
  readonly acceptsAll: (state: string) => boolean;
  /** Whether nothing that begins like this is in the language, as far as that is seen at once. */
  readonly acceptsNone: (state: string) => boolean;
}

/** An answer; a text that is in the one language and not in the other. */
export type Inclusion =
  | { readonly kind: 'included' | 'undecided' }
  | { readonly kind: 'outside'; readonly text: string };

/** More states than this are not looked at: then nothing is decided. */
const MAX_STATES = 4000;
const MAX_STEPS = 150_000;
const SURROGATES = 0xd8_00;
const BEYOND_SURROGATES = 0xe0_00;
const ALL = 'all';

interface Closure {
  readonly chars: readonly (PatternStep & { readonly kind: 'char' })[];
  readonly matches: boolean;
}

/** The texts that a pattern matches anywhere. */
class PatternLanguage implements Language {
  readonly bounds: readonly number[];
  readonly start: string;
  readonly #program: PatternProgram;
  readonly #closures = new Map<string, Closure>();

  constructor(program: PatternProgram) {
    this.#program = program;
    this.bounds = program.steps.flatMap((step) =>
      step.kind === 'char' ? step.ranges.flatMap(([low, high]) => [low, high + 1]) : [],
    );
    this.start = this.#stateOf([program.start], true);
  }

  /** A state names the steps that come next, and whether the text has begun. */
  #stateOf(steps: readonly number[], begins: boolean): string {
    const state = `${begins ? '^' : ''}${[...new Set(steps)].toSorted((a, b) => a - b).join(',')}`;
    return this.#closure(state, false).matches ? ALL : state;
  }

  #closure(state: string, ends: boolean): Closure {
    const key = ends ? `${state}$` : state;
    let closure = this.#closures.get(key);
    if (closure === undefined) this.#closures.set(key, (closure = this.#close(state, ends)));
    return closure;
  }

  #close(state: string, ends: boolean): Closure {
    const begins = state.startsWith('^');
    const stack = state
      .slice(begins ? 1 : 0)
      .split(',')
      .map(Number);
    const seen = new Set(stack);
    const chars: (PatternStep & { readonly kind: 'char' })[] = [];
    let matches = false;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const step = this.#program.steps[at];
      if (step?.kind === 'match') matches = true;
      else if (step?.kind === 'char') chars.push(step);
      else if (step?.kind === 'jump' && passes(step, begins, ends)) {
        const fresh = step.next.filter((next) => !seen.has(next));
        for (const next of new Set(fresh)) stack.push(next);
        for (const next of fresh) seen.add(next);
      }
    }
    return { chars, matches };
  }

  next(state: string, char: number): string {
    if (state === ALL) return ALL;
    const { chars } = this.#closure(state, false);
    const steps = chars.filter(({ ranges }) => ranges.some(([low, high]) => char >= low && char <= high));
    // A match may begin anywhere.
    return this.#stateOf([this.#program.start, ...steps.map(({ next }) => next)], false);
  }

  accepts(state: string): boolean {
    return state === ALL || this.#closure(state, true).matches;
  }

  acceptsAll(state: string): boolean {
    return state === ALL;
  }

  acceptsNone(state: string): boolean {
    return !this.accepts(state) && this.#closure(state, false).chars.length === 0;
  }
}

function passes({ begin, end }: PatternStep & { readonly kind: 'jump' }, begins: boolean, ends: boolean): boolean {
  return (!begin || begins) && (!end || ends);
}

/** The language of a pattern; undefined where its steps cannot be followed. */
export function patternLanguage(pattern: string): Language | undefined {
  const program = patternProgram(pattern);
  return program && new PatternLanguage(program);
}

/** Texts of so many characters. */
export function lengthLanguage(least: number, most: number): Language {
  const last = most === Infinity ? least : most + 1;
  return {
    bounds: [],
    start: '0',
    next: (state) => String(Math.min(Number(state) + 1, last)),
    accepts: (state) => Number(state) >= least && Number(state) <= most,
    acceptsAll: (state) => most === Infinity && Number(state) >= least,
    acceptsNone: (state) => Number(state) > most,
  };
}

/** One character of each kind that the languages tell apart; half characters are in no text. */
function charactersOf(languages: readonly Language[]): readonly number[] {
  const bounds = new Set([0, BEYOND_SURROGATES, ...languages.flatMap((language) => language.bounds)]);
  return [...bounds]
    .filter((bound) => bound < SURROGATES || (bound >= BEYOND_SURROGATES && bound <= 0x10_ff_ff))
    .toSorted((a, b) => a - b);
}

/** Letters first, so that examples can be read. */
function readable(characters: readonly number[]): readonly number[] {
  const rank = (char: number): number => (char >= 97 && char <= 122 ? 0 : char > 32 && char < 127 ? 1 : 2);
  return characters.toSorted((a, b) => rank(a) - rank(b));
}

interface Visit {
  readonly inner: readonly string[];
  readonly outer: string;
  readonly text: string;
}

/** Whether texts that are in all the inner languages are in the outer one. */
export function inclusionOf(inner: readonly Language[], outer: Language): Inclusion {
  const characters = readable(charactersOf([...inner, outer]));
  const first: Visit = { inner: inner.map(({ start }) => start), outer: outer.start, text: '' };
  const keyOf = (visit: Visit): string => `${visit.inner.join('|')}#${visit.outer}`;
  const seen = new Set([keyOf(first)]);
  const queue = [first];
  let steps = 0;
  for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
    const { inner: states, outer: state, text } = visit;
    if (outer.acceptsAll(state) || inner.some((language, at) => language.acceptsNone(states[at] ?? ''))) continue;
    const isIn = inner.every((language, at) => language.accepts(states[at] ?? ''));
    if (isIn && !outer.accepts(state)) return { kind: 'outside', text };
    for (const char of characters) {
      if (++steps > MAX_STEPS || seen.size > MAX_STATES) return { kind: 'undecided' };
      const next = {
        inner: inner.map((language, at) => language.next(states[at] ?? '', char)),
        outer: outer.next(state, char),
        text: text + String.fromCodePoint(char),
      };
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      queue.push(next);
    }
  }
  return { kind: 'included' };
}
