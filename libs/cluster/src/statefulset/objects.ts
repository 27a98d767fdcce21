import type { KubeObject } from '@capstan/meta';
import { podFromTemplate } from '../workload/templates.js';
import type { Pod, PodTemplate } from '../workload/resources.js';
import { REVISION_LABEL } from './decide.js';
import type { NewPod, StatefulSet } from './decide.js';

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
