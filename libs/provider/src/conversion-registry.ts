import type { MachinePlatform, RefusedPlatform } from '@capstan/convert/machine-api';

/** A platform of Machine API, whether its machines can be converted or not. */
export type ConversionPlatform = MachinePlatform | RefusedPlatform;

/** The platforms whose machines this installation recognises, by the types of their objects. */
export class ConversionPlatforms implements Iterable<ConversionPlatform> {
  readonly #bySpec = new Map<string, ConversionPlatform>();
  readonly #byKind = new Map<string, MachinePlatform>();

  /** Two platforms with one kind are a programming error. */
  constructor(platforms: Iterable<ConversionPlatform>) {
    for (const platform of platforms) {
      const { kind } = platform.providerSpec;
      if (this.#bySpec.has(kind)) throw new RangeError(`provider specs of kind ${kind} have two platforms`);
      this.#bySpec.set(kind, platform);
      if ('refused' in platform) continue;
      for (const { kind: own } of [platform.machine, platform.template, platform.cluster])
        this.#byKind.set(`${own.kind}.${own.group}`, platform);
    }
  }

  /** The platform that writes provider specs of the kind. */
  ofProviderSpec(kind: string): ConversionPlatform | undefined {
    return this.#bySpec.get(kind);
  }

  /** The platform with an infrastructure machine, template or cluster of the kind. */
  ofInfrastructure(group: string, kind: string): MachinePlatform | undefined {
    return this.#byKind.get(`${kind}.${group}`);
  }

  /** Kinds of provider specs, in order. */
  get providerSpecKinds(): readonly string[] {
    return [...this.#bySpec.keys()].toSorted();
  }

  [Symbol.iterator](): Iterator<ConversionPlatform> {
    return this.#bySpec.values();
  }
}
