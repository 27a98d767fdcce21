import type { Clock } from '@capstan/meta';

const TIMEOUT_MS = 300_000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly since: number;
}

/**
 * What a controller has done and not seen yet. Until its cache shows that, deciding again would do it twice. An
 * expectation not met within five minutes no longer counts: something was missed.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names, by key, what is about to be created and deleted. Set before the requests: the watch may be faster. */
  expect(owner: string, creations: number, deletions: readonly string[] = []): void {
    this.#expected.set(owner, { creations, deletions: new Set(deletions), since: this.#clock.monotonic() });
  }

  /** A creation was seen, or failed and will not be. */
  created(owner: string, count = 1): void {
    const expected = this.#expected.get(owner);
    if (expected !== undefined) expected.creations -= count;
  }

  /** A deletion was seen, or failed and will not be. */
  deleted(owner: string, key: string): void {
    this.#expected.get(owner)?.deletions.delete(key);
  }

  satisfied(owner: string): boolean {
    const expected = this.#expected.get(owner);
    if (expected === undefined) return true;
    if (expected.creations <= 0 && expected.deletions.size === 0) return true;
    return this.#clock.monotonic() - expected.since > TIMEOUT_MS;
  }

  forget(owner: string): void {
    this.#expected.delete(owner);
  }
}
