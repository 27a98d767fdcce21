import { canonicalHash } from '@capstan/meta/stringify';
import { TranslationError } from '../errors.js';
import { checkRules, isBelow } from './rules.js';
import type { GroupRules } from './rules.js';

/** Which name of a group a name is. */
export type Side = 'standard' | 'private';

const CACHE_LIMIT = 1024;

/**
 * Renames groups, both ways at once: the standard name becomes the private one and the private one the standard.
 * Being a swap, renaming twice is the identity, so a client that writes back what it read changes nothing.
 */
export class GroupMapping {
  /** Names the rules: differs when they do. */
  readonly hash: string;
  readonly #rules: GroupRules;
  readonly #shared: ReadonlySet<string>;
  readonly #swapped = new Map<string, string>();
  readonly #sides = new Map<string, Side | undefined>();
  #refusing: RefusingMapping | undefined;

  /** Throws a TranslationError for rules that are no swap. */
  constructor(rules: GroupRules) {
    checkRules(rules);
    this.#rules = rules;
    this.#shared = new Set(rules.shared ?? []);
    this.hash = canonicalHash(rules).slice(0, 16);
  }

  /** The same mapping for what a client writes without having read it. */
  get refusing(): RefusingMapping {
    return (this.#refusing ??= new RefusingMapping(this.#rules));
  }

  /** The texts of which every name that is renamed contains one. */
  get needles(): readonly string[] {
    return this.#rules.rules.flatMap((rule) => [rule.standard, rule.private]);
  }

  /** The other name of a group; the same where it has only one. */
  swap(group: string): string {
    const known = this.#swapped.get(group);
    if (known !== undefined) return known;
    const swapped = this.#compute(group);
    // Names come from clients: what is remembered must stay bounded.
    if (this.#swapped.size < CACHE_LIMIT) this.#swapped.set(group, swapped);
    return swapped;
  }

  /** Which of its names this is; undefined for a group that has only one. */
  side(group: string): Side | undefined {
    const known = this.#sides.get(group);
    if (known !== undefined || this.#sides.has(group)) return known;
    const side = this.#sideOf(group);
    if (this.#sides.size < CACHE_LIMIT) this.#sides.set(group, side);
    return side;
  }

  #sideOf(group: string): Side | undefined {
    if (this.#shared.has(group)) return undefined;
    for (const rule of this.#rules.rules) {
      const matches = (name: string): boolean => (rule.suffix === false ? group === name : isBelow(group, name));
      if (matches(rule.standard)) return 'standard';
      if (matches(rule.private)) return this.#isShared(group) ? undefined : 'private';
    }
    return undefined;
  }

  /** `group/version`; a version alone is of the core group and stays. */
  swapApiVersion(apiVersion: string): string {
    const slash = apiVersion.indexOf('/');
    if (slash <= 0) return apiVersion;
    const group = apiVersion.slice(0, slash);
    const swapped = this.swap(group);
    return swapped === group ? apiVersion : swapped + apiVersion.slice(slash);
  }

  /** `plural.group`, as CustomResourceDefinitions are named, or `version.group`, as APIServices are. */
  swapAfterDot(name: string): string {
    const dot = name.indexOf('.');
    if (dot <= 0) return name;
    const group = name.slice(dot + 1);
    const swapped = this.swap(group);
    return swapped === group ? name : name.slice(0, dot + 1) + swapped;
  }

  /** The same for the side alone. */
  sideAfterDot(name: string): Side | undefined {
    const dot = name.indexOf('.');
    return dot <= 0 ? undefined : this.side(name.slice(dot + 1));
  }

  #compute(group: string): string {
    if (this.side(group) === undefined) return group;
    return this.#renamed(group);
  }

  #renamed(group: string): string {
    for (const rule of this.#rules.rules) {
      for (const [from, to] of [
        [rule.standard, rule.private],
        [rule.private, rule.standard],
      ] as const) {
        if (rule.suffix === false ? group === from : isBelow(group, from))
          return group.slice(0, group.length - from.length) + to;
      }
    }
    return group;
  }

  /** A group whose standard name is shared has no private counterpart either. */
  #isShared(group: string): boolean {
    return this.#shared.has(this.#renamed(group));
  }
}

/**
 * Refuses private names. Only what was read shows a client one: it is the name of the platform's own group, and a client that
 * creates an object that has it would name, own or grant what is the platform's.
 */
export class RefusingMapping extends GroupMapping {
  #isLenient = false;

  /** Throws a TranslationError for a private name. */
  override swap(group: string): string {
    const swapped = super.swap(group);
    if (!this.#isLenient && this.side(group) === 'private')
      throw new TranslationError(
        'HIDDEN',
        `the API group ${JSON.stringify(group)} is not served here: write ${JSON.stringify(swapped)}; what was read is written back by a patch, or with its metadata.uid`,
      );
    return swapped;
  }

  /** Does something that renames private names too. */
  leniently<T>(act: () => T): T {
    this.#isLenient = true;
    try {
      return act();
    } finally {
      this.#isLenient = false;
    }
  }
}

/** Cluster API as hosted clusters keep it: the core group with everything below it, and the provider outside of it. */
export const CLUSTER_API_RULES: GroupRules = {
  rules: [
    { standard: 'cluster.x-k8s.io', private: 'cluster.hypershift.openshift.io' },
    {
      standard: 'capi-provider.agent-install.openshift.io',
      private: 'capi-provider.agent-install.private.hypershift.openshift.io',
      suffix: false,
    },
  ],
};
