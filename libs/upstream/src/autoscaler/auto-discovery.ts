import { BadUsage } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { GroupNames } from './group-api.js';

/** Which node groups are scaled. */
export interface DiscoveryRule {
  readonly namespace: string;
  readonly clusterName: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads `clusterapi:namespace=a,clusterName=b,label=value`. */
export function parseDiscoveryRule(text: string): DiscoveryRule {
  const [discoverer, settings, ...more] = text.split(':');
  if (settings === undefined || more.length > 0)
    throw new BadUsage(`spec "${text}" should be discoverer:key=value,key=value`);
  if (discoverer !== 'clusterapi') throw new BadUsage(`unsupported discoverer specified: ${discoverer ?? ''}`);
  const labels: Record<string, string> = {};
  let namespace = '';
  let clusterName = '';
  for (const setting of settings.split(',').filter((each) => each !== '')) {
    const [key = '', value, ...rest] = setting.split('=');
    if (value === undefined || rest.length > 0)
      throw new BadUsage(`invalid key=value pair [${setting.split('=').join(' ')}]`);
    if (key === 'namespace') namespace = value;
    else if (key === 'clusterName') clusterName = value;
    else labels[key] = value;
  }
  return { namespace, clusterName, labels };
}

/** The namespace to watch: that of the first rule that names one, else all. */
export function watchedNamespace(rules: readonly DiscoveryRule[]): string {
  return rules.find(({ namespace }) => namespace !== '')?.namespace ?? '';
}

function clusterOf(object: KubeObject, names: GroupNames): string {
  const { clusterName } = (object['spec'] ?? {}) as { readonly clusterName?: string };
  return clusterName ?? object.metadata.labels?.[names.clusterName] ?? '';
}

/** Whether any rule lets the object in; without rules all are. */
export function isAllowed(object: KubeObject, rules: readonly DiscoveryRule[], names: GroupNames): boolean {
  const { labels = {}, namespace } = object.metadata;
  const isLetIn = (rule: DiscoveryRule): boolean =>
    (rule.namespace === '' || rule.namespace === namespace) &&
    (rule.clusterName === '' || rule.clusterName === clusterOf(object, names)) &&
    Object.entries(rule.labels).every(([key, value]) => labels[key] === value);
  return rules.length === 0 || rules.some(isLetIn);
}
