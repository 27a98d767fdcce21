import { compareBytes } from './compare-bytes.js';

/** Those of the sorted paths from `first` to before `end` that go on from where a reader is. */
interface Range {
  readonly first: number;
  readonly end: number;
  /** How much of each has been followed. */
  readonly length: number;
}

/**
 * Finds given paths in a text while it is read, without writing down the path of every key: that takes as long as all
 * paths together, which may be the square of the text.
 */
export class PathFollower {
  /** In the order and as often as they were met. */
  readonly met: string[] = [];
  readonly #paths: readonly string[];
  readonly #open: Range[] = [];

  constructor(paths: readonly string[]) {
    this.#paths = [...new Set(paths)].sort(compareBytes);
  }

  /** A container begins behind a step. */
  open(step: string): void {
    const around = this.#open.at(-1);
    this.#open.push(
      around === undefined ? { first: 0, end: this.#paths.length, length: 0 } : this.#within(around, step),
    );
  }

  close(): void {
    this.#open.pop();
  }

  /** A key is met. */
  key(step: string): void {
    const around = this.#open.at(-1);
    if (around === undefined || around.first === around.end) return;
    // Of those that go on from here the one that ends here comes first.
    const path = this.#paths[this.#firstNotBefore(around, step)];
    if (path?.length === around.length + step.length && path.endsWith(step)) this.met.push(path);
  }

  #within(around: Range, step: string): Range {
    const { length } = around;
    const first = this.#firstNotBefore(around, step);
    const end = this.#firstWhere({ ...around, first }, (rest) => !rest.startsWith(step));
    return { first, end, length: length + step.length };
  }

  #firstNotBefore(range: Range, step: string): number {
    return this.#firstWhere(range, (rest) => compareBytes(rest, step) >= 0);
  }

  /** The first path whose rest meets what all behind it meet as well. */
  #firstWhere({ first, end, length }: Range, isMet: (rest: string) => boolean): number {
    let [low, high] = [first, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isMet((this.#paths[middle] ?? '').slice(length))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
