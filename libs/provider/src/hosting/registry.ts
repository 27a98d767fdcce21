import type { HostingPlatform } from './platform.js';

/** The platforms of this installation, by what users write. */
export class HostingPlatforms implements Iterable<HostingPlatform> {
  readonly #byType = new Map<string, HostingPlatform>();

  /** Two platforms of one type or key are a programming error. */
  constructor(platforms: Iterable<HostingPlatform>) {
    const keys = new Set<string>();
    for (const platform of platforms) {
      const { key, type } = platform;
      if (this.#byType.has(type) || keys.has(key)) throw new RangeError(`platform ${type} (${key}) is there twice`);
      keys.add(key);
      this.#byType.set(type, platform);
    }
  }

  /** The platform of `spec.platform.type`; undefined when this installation has none. */
  find(type: string): HostingPlatform | undefined {
    return this.#byType.get(type);
  }

  /** Their types, in order. */
  get types(): readonly string[] {
    return [...this.#byType.keys()].toSorted();
  }

  [Symbol.iterator](): Iterator<HostingPlatform> {
    return this.#byType.values();
  }
}
