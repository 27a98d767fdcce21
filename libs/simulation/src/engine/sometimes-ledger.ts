/** How often a hook was passed, and how often it returned true. */
export interface HookCount {
  passed: number;
  hit: number;
}

/** Counts the hooks in controllers, so that one that never returns true is not taken for tested. */
export class SometimesLedger {
  readonly #counts = new Map<string, HookCount>();

  passed(hook: string, isHit: boolean): void {
    this.#add(hook, { passed: 1, hit: isHit ? 1 : 0 });
  }

  /** Adds what another one has counted. */
  merge(other: SometimesLedger): void {
    for (const [hook, count] of other.counts()) this.#add(hook, count);
  }

  /** In order of name. */
  counts(): readonly (readonly [hook: string, count: Readonly<HookCount>])[] {
    return [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Of these and all that were passed, the ones that never returned true. */
  neverHit(known: readonly string[] = []): readonly string[] {
    const names = new Set([...known, ...this.#counts.keys()]);
    return [...names].filter((hook) => (this.#counts.get(hook)?.hit ?? 0) === 0).toSorted();
  }

  #add(hook: string, { passed, hit }: Readonly<HookCount>): void {
    const count = this.#counts.get(hook) ?? { passed: 0, hit: 0 };
    this.#counts.set(hook, { passed: count.passed + passed, hit: count.hit + hit });
  }
}
