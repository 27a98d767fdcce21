/** Variables of a dashboard: which management clusters and which namespaces its panels are about. */
export const SCOPE = [
  { name: 'cluster', label: 'Cluster', values: 'label_values(up, cluster)' },
  { name: 'namespace', label: 'Namespace', values: 'label_values(up{cluster=~"$cluster"}, namespace)' },
] as const;

const MATCHERS = SCOPE.map(({ name }) => `${name}=~"$${name}"`).join(',');

/**
 * An expression about the clusters and namespaces that are chosen. `All` also matches series without the label: a Prometheus
 * of one cluster adds no `cluster`.
 */
export function scoped(expr: string, metrics: Iterable<string>): string {
  const names = [...metrics].toSorted((one, other) => other.length - one.length);
  if (names.length === 0) return expr;
  const selector = new RegExp(
    `(?<![\\w:])((?:${names.join('|')})(?:_bucket|_count|_sum)?)(?![\\w:])(?:\\{([^}]*)\\})?`,
    'g',
  );
  return expr.replaceAll(selector, (_, name: string, own: string | undefined) =>
    own === undefined || own === '' ? `${name}{${MATCHERS}}` : `${name}{${own},${MATCHERS}}`,
  );
}
