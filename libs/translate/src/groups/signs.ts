import type { GroupMapping } from './mapping.js';

/** Finds out quickly whether a name that is renamed can be in some bytes. */
export class Signs {
  /** The one that was found last is looked for first: bytes that have it are not gone through for the others. */
  #endings: readonly Buffer[];

  constructor({ needles }: GroupMapping) {
    this.#endings = [...sharedEndings(needles)].map((ending) => Buffer.from(ending));
  }

  /** Whether bytes must be looked at. */
  areIn(bytes: Buffer): boolean {
    const found = this.#endings.findIndex((ending) => bytes.includes(ending));
    const ending = this.#endings[found];
    if (found > 0 && ending !== undefined) this.#endings = [ending, ...this.#endings.toSpliced(found, 1)];
    return found >= 0;
  }
}

/** Few texts of which every name has one: names of one domain end alike. */
function sharedEndings(names: readonly string[]): ReadonlySet<string> {
  const byDomain = new Map<string, string>();
  for (const name of names) {
    const labels = name.split('.');
    const domain = labels.slice(-2).join('.');
    const known = byDomain.get(domain)?.split('.');
    let shared = known === undefined ? labels.length : 0;
    while (known !== undefined && shared < labels.length && labels.at(-1 - shared) === known.at(-1 - shared))
      shared += 1;
    byDomain.set(domain, labels.slice(-shared).join('.'));
  }
  return new Set(byDomain.values());
}
