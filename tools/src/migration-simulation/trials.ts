import type { StoreSnapshot } from '@capstan/apiserver';
import type { HostingPlatform } from '@capstan/provider';
import { fleetSnapshot } from './fleet.js';
import type { Trial } from './run.js';
import { ENDINGS, IN_FLIGHT, NOTHING } from './variants.js';

/** Trials by seed alone: every ending, everything under way and every platform in turn, with faults. */
export class Trials {
  readonly #platforms: readonly HostingPlatform[];
  readonly #snapshots = new Map<HostingPlatform, Promise<StoreSnapshot>>();

  constructor(platforms: Iterable<HostingPlatform>) {
    this.#platforms = [...platforms];
  }

  of(seed: number): Trial & { readonly platform: HostingPlatform } {
    const ending = pick(ENDINGS, seed);
    const platform = pick(this.#platforms, Math.floor(seed / ENDINGS.length));
    const inFlight = pick(IN_FLIGHT, Math.floor(seed / ENDINGS.length / this.#platforms.length));
    // Without machines there is nothing to be under way.
    return {
      seed,
      ending,
      platform,
      inFlight: platform.machineTemplate === undefined ? NOTHING : inFlight,
      hasFaults: true,
    };
  }

  /** A server with the kinds of a platform; made once. */
  snapshot(platform: HostingPlatform): Promise<StoreSnapshot> {
    const found = this.#snapshots.get(platform) ?? fleetSnapshot([platform]);
    this.#snapshots.set(platform, found);
    return found;
  }
}

function pick<T>(all: readonly T[], at: number): T {
  return all[at % all.length] as T;
}
