import { identityKey } from './identity.js';
import type { Identity } from './identity.js';

/** Owners known not to exist. A uid never comes back, so an entry never becomes wrong; the bound only saves memory. */
export class AbsentOwners {
  readonly #limit: number;
  readonly #keys = new Set<string>();

  constructor(limit = 500) {
    this.#limit = limit;
  }

  has(identity: Identity): boolean {
    const key = identityKey(identity);
    if (!this.#keys.delete(key)) return false;
    // Back in, as the youngest.
    this.#keys.add(key);
    return true;
  }

  add(identity: Identity): void {
    const key = identityKey(identity);
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#limit) return;
    const [oldest] = this.#keys;
    if (oldest !== undefined) this.#keys.delete(oldest);
  }
}
