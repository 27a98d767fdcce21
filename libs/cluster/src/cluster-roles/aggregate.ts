import { canonicalJson, compareBytes, compileLabelSelector } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';

export interface ClusterRole extends KubeObject {
  rules?: unknown[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

/** The rules of the roles a role selects, each once, in the order of selectors and names; undefined when it selects none. */
export function aggregatedRules(role: ClusterRole, roles: Iterable<ClusterRole>): unknown[] | undefined {
  const { aggregationRule, metadata } = role;
  if (aggregationRule === undefined) return undefined;
  const others = [...roles]
    .filter((other) => other.metadata.name !== metadata.name)
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
  const seen = new Set<string>();
  const rules: unknown[] = [];
  for (const selector of aggregationRule.clusterRoleSelectors ?? []) {
    const matcher = compileLabelSelector(selector);
    for (const other of others.filter(({ metadata: { labels } }) => matcher.matches(labels ?? {}))) {
      for (const rule of other.rules ?? []) {
        const text = canonicalJson(rule);
        if (!seen.has(text)) rules.push(rule);
        seen.add(text);
      }
    }
  }
  return rules;
}
