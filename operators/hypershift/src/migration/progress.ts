import type { EndedMigration } from '@capstan/hosting';
import type { MigrationMemory } from './model.js';

/** What one controller remembers of the clusters that it migrates; a restart begins with nothing. */
export class MigrationProgress {
  readonly #memories = new Map<string, MigrationMemory>();
  readonly #reported = new Set<string>();
  readonly #problems = new Map<string, string>();
  readonly #done = new Map<string, number>();
  /** Called once for each migration that has succeeded. */
  readonly #onSucceeded: (ended: EndedMigration) => void;

  constructor(onSucceeded: (ended: EndedMigration) => void = () => undefined) {
    this.#onSucceeded = onSucceeded;
  }

  /** Of the attempt with that id. */
  of(id: string): MigrationMemory {
    const found = this.#memories.get(id) ?? newMemory();
    this.#memories.set(id, found);
    return found;
  }

  /** Forgets all attempts but those that are under way. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#memories.keys()) if (!ids.has(id)) this.#memories.delete(id);
  }

  /** Counts the migration with that key that has succeeded; whether it was not counted before. */
  succeeded(key: string, ended: EndedMigration): boolean {
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    this.#onSucceeded(ended);
    return true;
  }

  /** Whether something is to be done that is done once in a while; from now on it is not, for so long. */
  isDue(what: string, { everyMs, now }: { readonly now: number; readonly everyMs: number }): boolean {
    const last = this.#done.get(what);
    if (last !== undefined && now - last < everyMs) return false;
    this.#done.set(what, now);
    return true;
  }

  /** Whether a problem is another one than the last of what it is about, or the first; undefined: there is none any more. */
  isNews(about: string, problem: string | undefined): boolean {
    if (problem === undefined) {
      this.#problems.delete(about);
      return false;
    }
    const isNews = this.#problems.get(about) !== problem;
    this.#problems.set(about, problem);
    return isNews;
  }
}

function newMemory(): MigrationMemory {
  return { waits: new Map(), healthySince: undefined, failed: [], restarts: undefined };
}
