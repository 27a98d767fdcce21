import { compareBytes } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { controllerReference } from '../workload/claim.js';
import { podFromTemplate, sameTemplate, templateHash } from '../workload/templates.js';
import type { Pod, PodTemplate } from '../workload/resources.js';
import { REVISION_LABEL } from './decide.js';
import type { NewPod, StatefulSet } from './decide.js';

export interface ControllerRevision extends KubeObject {
  data?: { spec?: { template?: PodTemplate & { $patch?: string } } };
  revision: number;
}

/** The template a revision has kept. */
export function revisionTemplate(revision: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = revision.data?.spec?.template ?? {};
  return template;
}

/** Oldest first. */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  return a.revision - b.revision || compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** The newest revision with the template of the set. */
export function matchingRevision(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
): ControllerRevision | undefined {
  return revisions.findLast((revision) => sameTemplate(revisionTemplate(revision), set.spec.template));
}

/** A revision of the template the set has now. */
export function makeRevision(set: StatefulSet, revision: number): ControllerRevision {
  const hash = templateHash(set.spec.template, set.status?.collisionCount ?? 0);
  const { name = '', namespace = '' } = set.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...set.spec.template.metadata?.labels, 'controller.kubernetes.io/hash': hash },
      ownerReferences: [controllerReference(set)],
    },
    data: { spec: { template: { ...set.spec.template, $patch: 'replace' } } },
    revision,
  };
}

/** The claims a pod needs before it, by the names of their templates. */
export function podClaims(set: StatefulSet, podName: string): Map<string, KubeObject> {
  const labels = set.spec.selector.matchLabels ?? {};
  return new Map(
    (set.spec.volumeClaimTemplates ?? []).map(({ apiVersion: _a, kind: _k, metadata, status: _s, ...rest }) => {
      const template = metadata.name ?? '';
      const { namespace = '' } = set.metadata;
      const own = { ...metadata, name: `${template}-${podName}`, namespace, labels: { ...metadata.labels, ...labels } };
      return [template, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: own, ...rest }];
    }),
  );
}

/** The pod of an ordinal: its name, address and volumes are its own for ever. */
export function makePod(set: StatefulSet, template: PodTemplate, { ordinal, revision }: NewPod): Pod {
  const name = `${set.metadata.name ?? ''}-${ordinal}`;
  const { metadata, spec, ...pod } = podFromTemplate(set, template);
  const { generateName: _, ...meta } = metadata;
  const claims = podClaims(set, name);
  const others = ((spec?.['volumes'] ?? []) as { name: string }[]).filter((volume) => !claims.has(volume.name));
  const mine = [...claims].map(([volume, claim]) => ({
    name: volume,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }));
  const labels = {
    ...metadata.labels,
    [REVISION_LABEL]: revision,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  return {
    ...pod,
    metadata: { ...meta, name, labels },
    spec: { ...spec, hostname: name, subdomain: set.spec.serviceName ?? '', volumes: [...others, ...mine] },
  };
}
