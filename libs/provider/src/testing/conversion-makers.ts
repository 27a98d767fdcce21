import { absent } from '@capstan/convert';
import type { Choices } from '@capstan/convert';

/** Draws one value of a random record. */
export type Maker = (choices: Choices) => unknown;
/** Makers by the paths of what they draw. */
export type Makers = Readonly<Record<string, Maker>>;

/** One of several values. */
export const oneOf =
  (...values: readonly unknown[]): Maker =>
  (choices) =>
    values[choices.below(values.length)];

/** Now and then what cannot be converted. */
export const rarely =
  (wrong: unknown, right: Maker): Maker =>
  (choices) =>
    choices.below(300) === 1 ? wrong : right(choices);

/** A text and a number of one digit behind it. */
export const numbered =
  (prefix: string, least = 0): Maker =>
  (choices) =>
    `${prefix}${least + choices.below(9)}`;

/** One of so many numbers that follow each other. */
export const from =
  (least: number, count: number): Maker =>
  (choices) =>
    least + choices.below(count);

/** No value. */
export const nothing: Maker = () => absent;

/** Leaves of one record that go together: the first one decides for those that follow. */
export function remembered<T>(
  decide: (choices: Choices) => T,
): Readonly<Record<'first' | 'after', (use: (value: T) => Maker) => Maker>> {
  let value: T | undefined;
  return {
    first: (use) => (choices) => {
      value = decide(choices);
      return use(value)(choices);
    },
    after: (use) => (choices) => use(value ?? decide(choices))(choices),
  };
}

/** Items of a list of which there may be one: those after the first are left out. */
export class Single {
  #count = 0;
  #isThere = true;
  readonly #sometimes: boolean;

  /** `sometimes`: now and then there are more. */
  constructor(sometimes: boolean) {
    this.#sometimes = sometimes;
  }

  /** For a leaf before the list: what follows is of a list again. */
  reset = <T>(maker: (choices: Choices) => T): ((choices: Choices) => T) => {
    return (choices) => {
      this.#count = 0;
      return maker(choices);
    };
  };

  /** For the first leaf of an item. */
  first = (maker: Maker): Maker => {
    return (choices) => {
      this.#count += 1;
      this.#isThere = this.#count === 1 || (this.#sometimes && choices.below(100) === 1);
      return this.#isThere ? maker(choices) : absent;
    };
  };

  /** For its other leaves. */
  after = (maker: Maker): Maker => {
    return (choices) => (this.#isThere ? maker(choices) : absent);
  };
}
