import { compileLabelSelector, pushAll } from '@capstan/meta';
import type { KubeObject, LabelMatcher, LabelSelector } from '@capstan/meta';
import { rulesOf, type PolicyRule } from './rules.js';

interface ClusterRole {
  readonly own: readonly PolicyRule[];
  readonly labels: Readonly<Record<string, string>>;
  /** Present where the role is made of others. */
  readonly selectors: readonly LabelMatcher[] | undefined;
}

/**
 * Cluster roles and what they allow. Roles with an aggregation rule allow what the roles they select do, whether or not
 * a controller has written that into them yet.
 */
export class ClusterRoles {
  readonly #roles = new Map<string, ClusterRole>();
  readonly #aggregated = new Map<string, readonly PolicyRule[]>();

  /** Adds or removes a stored role. */
  set(object: KubeObject, isThere: boolean): void {
    const { name = '', labels = {} } = object.metadata;
    this.#aggregated.clear();
    if (!isThere) {
      this.#roles.delete(name);
      return;
    }
    const aggregation = object['aggregationRule'] as { clusterRoleSelectors?: LabelSelector[] } | null | undefined;
    const selectors = aggregation?.clusterRoleSelectors?.map((selector) => compileLabelSelector(selector));
    this.#roles.set(name, { own: rulesOf(object['rules']), labels, selectors });
  }

  /** What the role allows; undefined when there is none. */
  rules(name: string): readonly PolicyRule[] | undefined {
    const role = this.#roles.get(name);
    if (role?.selectors === undefined) return role?.own;
    let rules = this.#aggregated.get(name);
    if (rules === undefined) this.#aggregated.set(name, (rules = this.#collect(name, new Set())));
    return rules;
  }

  /** Aggregation goes through other aggregated roles (edit is part of admin), and may come back to where it began. */
  #collect(name: string, seen: Set<string>): readonly PolicyRule[] {
    const role = this.#roles.get(name);
    if (role === undefined || seen.has(name)) return [];
    seen.add(name);
    const { own, selectors } = role;
    if (selectors === undefined) return own;
    const parts = [...own];
    for (const [other, { labels }] of this.#roles)
      if (other !== name && selectors.some((selector) => selector.matches(labels)))
        pushAll(parts, this.#collect(other, seen));
    return parts;
  }
}
