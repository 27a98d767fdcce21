/** What the admission plugins that every cluster runs add to new objects. Not part of any strategy: admission calls these. */
import type { KubeObject } from '@capstan/meta';
import { ensure, fields, records, text } from '../shared/json.js';

const UNTIL_EVICTED = 300;

/** DefaultTolerationSeconds: pods that say nothing of dying nodes stay on them for five minutes. */
export function addDefaultTolerations(pod: KubeObject): void {
  const spec = ensure(pod, 'spec');
  const tolerations = records(spec['tolerations']);
  const tolerates = (key: string): boolean =>
    tolerations.some((toleration) => {
      const own = text(toleration['key']);
      const effect = text(toleration['effect']);
      return (own === '' || own === key) && (effect === '' || effect === 'NoExecute');
    });
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !tolerates(key))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: UNTIL_EVICTED }));
  if (added.length > 0) spec['tolerations'] = [...tolerations, ...added];
}

/** Priority: what it set when the pod was made stays when an update does not mention it. */
export function keepPriority(pod: KubeObject, old: KubeObject): void {
  const spec = ensure(pod, 'spec');
  const before = fields(old['spec']);
  for (const name of ['priority', 'preemptionPolicy']) {
    if (spec[name] === undefined && before[name] !== undefined) spec[name] = before[name];
  }
}

/** TaintNodesByCondition: a new node takes no pods until the node lifecycle controller has found it ready. */
export function addNotReadyTaint(node: KubeObject): void {
  const spec = ensure(node, 'spec');
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const taints = records(spec['taints']);
  if (!taints.some((other) => other['key'] === taint.key && other['effect'] === taint.effect))
    spec['taints'] = [...taints, taint];
}

/** StorageObjectInUseProtection: claims and volumes outlive their users. */
export function addProtectionFinalizer(obj: KubeObject): void {
  const finalizer = obj.kind === 'PersistentVolume' ? 'kubernetes.io/pv-protection' : 'kubernetes.io/pvc-protection';
  const finalizers = obj.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) obj.metadata.finalizers = [...finalizers, finalizer];
}
