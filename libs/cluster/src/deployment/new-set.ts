import { maxOf } from '@capstan/meta';
import type { Deployment, ReplicaSet } from '../workload/resources.js';
import { sameTemplate, TEMPLATE_HASH, templateHash } from '../workload/templates.js';
import { controllerReference } from '../workload/claim.js';
import { DESIRED, MAX, REVISION, REVISION_HISTORY, revisionOf } from './annotations.js';
import { byCreation, fenceposts, newSetReplicas, replicasOf } from './replicas.js';

/** A limit on the history of a revision that comes back again and again. */
const HISTORY_MAX_CHARS = 2000;

const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED,
  MAX,
  'deprecated.deployment.rollback.to',
]);

/** The annotations of a ReplicaSet about the Deployment's size. */
export function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const wanted = replicasOf(deployment);
  return { [DESIRED]: String(wanted), [MAX]: String(wanted + fenceposts(deployment).surge) };
}

/** The annotations of the new ReplicaSet: the Deployment's, its revision, and the revisions it once was. */
export function newSetAnnotations(
  deployment: Deployment,
  existing: ReplicaSet | undefined,
  revision: number,
): Record<string, string> {
  const annotations = { ...existing?.metadata.annotations };
  for (const [name, value] of Object.entries(deployment.metadata.annotations ?? {}))
    if (!NOT_COPIED.has(name)) annotations[name] = value;
  const before = annotations[REVISION];
  if (before === undefined || Number(before) < revision) {
    annotations[REVISION] = String(revision);
    if (before !== undefined) annotations[REVISION_HISTORY] = withRevision(annotations[REVISION_HISTORY], before);
  }
  return existing === undefined ? { ...annotations, ...sizeAnnotations(deployment) } : annotations;
}

function withRevision(history: string | undefined, revision: string): string {
  let revisions = history === undefined || history === '' ? [] : history.split(',');
  while (revisions.length > 0 && [...revisions, revision].join(',').length > HISTORY_MAX_CHARS)
    revisions = revisions.slice(1);
  return [...revisions, revision].join(',');
}

/** Finds the ReplicaSet with the Deployment's template, and the others. */
export function splitSets(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): { newSet: ReplicaSet | undefined; old: ReplicaSet[] } {
  const sorted = [...sets].sort(byCreation);
  const newSet = sorted.find((set) => sameTemplate(set.spec.template, deployment.spec.template));
  return { newSet, old: sorted.filter((set) => set !== newSet) };
}

/** The revision of what is new, given what is old. */
export function nextRevision(old: readonly ReplicaSet[]): number {
  return maxOf(old.map(revisionOf), 0) + 1;
}

/** The ReplicaSet of the Deployment's template, in the size it may have at once. */
export function makeNewSet(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const { minReadySeconds, selector, template } = deployment.spec;
  const hash = templateHash(template, deployment.status?.collisionCount ?? 0);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name ?? ''}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      annotations: newSetAnnotations(deployment, undefined, nextRevision(old)),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newSetReplicas(deployment, old, 0),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [TEMPLATE_HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The old ReplicaSets too many to be kept, the oldest revisions first, as far as they are done with. */
export function surplusHistory(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp == null);
  const surplus = kept.length - (deployment.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  return kept
    .sort((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b))
    .slice(0, surplus)
    .filter(
      (set) =>
        (set.status?.replicas ?? 0) === 0 &&
        replicasOf(set) === 0 &&
        (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0),
    );
}
