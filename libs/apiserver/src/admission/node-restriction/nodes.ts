import { compareBytes, goQuote } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { equalJson, fields, textMap } from '../../builtin/shared/json.js';
import { refused, type NodeRequest } from './request.js';

const RESTRICTED = 'node-restriction.kubernetes.io';
/** Labels of Kubernetes that a kubelet sets on its node. */
const KUBELET_LABELS = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const KUBELET_LABEL_NAMESPACES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/** A node writes its own Node object, but not what decides which pods come to it. */
export function admitNode({ attributes, node }: NodeRequest): void {
  const { name, object, oldObject, operation } = attributes;
  const quoted = goQuote(node);
  if (name !== node) throw refused(attributes, `node ${quoted} is not allowed to modify node ${goQuote(name)}`);
  if (object === undefined) return;
  if (operation === 'CREATE') {
    if (configSource(object) !== undefined)
      throw refused(attributes, `node ${quoted} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(object, undefined);
    if (labels.length > 0)
      throw refused(attributes, `node ${quoted} is not allowed to set the following labels: ${labels.join(', ')}`);
  }
  const reason = operation === 'UPDATE' && oldObject !== undefined ? changeFault(quoted, object, oldObject) : undefined;
  if (reason !== undefined) throw refused(attributes, reason);
}

function configSource(node: KubeObject): unknown {
  return fields(node['spec'])['configSource'] ?? undefined;
}

function changeFault(quoted: string, node: KubeObject, old: KubeObject): string | undefined {
  const source = configSource(node);
  if (source !== undefined && !equalJson(source, configSource(old)))
    return `node ${quoted} is not allowed to update configSource to a new non-nil configSource`;
  if (!equalJson(fields(node['spec'])['taints'], fields(old['spec'])['taints']))
    return `node ${quoted} is not allowed to modify taints`;
  if (!equalJson(node.metadata.ownerReferences, old.metadata.ownerReferences))
    return `node ${quoted} is not allowed to modify ownerReferences`;
  const labels = forbiddenLabels(node, old);
  return labels.length > 0 ? `is not allowed to modify labels: ${labels.join(', ')}` : undefined;
}

/** The labels that differ although a node may not set them, sorted. */
function forbiddenLabels(node: KubeObject, old: KubeObject | undefined): string[] {
  const [now, before] = [textMap(node.metadata.labels), textMap(old?.metadata.labels)];
  return [...new Set([...Object.keys(now), ...Object.keys(before)])]
    .filter((key) => now[key] !== before[key] && isForbidden(key))
    .sort(compareBytes);
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const namespace = slash < 0 ? '' : label.slice(0, slash);
  if (isWithin(namespace, RESTRICTED)) return true;
  if (!isWithin(namespace, 'kubernetes.io') && !isWithin(namespace, 'k8s.io')) return false;
  return !KUBELET_LABELS.has(label) && !KUBELET_LABEL_NAMESPACES.some((domain) => isWithin(namespace, domain));
}
