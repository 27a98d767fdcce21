import { NODE_POOL_ANNOTATION, PERFORMANCE_PROFILE_LABEL, TUNED_LABEL } from '@capstan/hosting';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import { CONFIG_MAPS } from '../../kinds.js';
import type { Snapshot } from '../snapshot.js';
import { withEntries } from '../machines/shared.js';
import { profileName, tunedName } from '../names.js';

import type { ConfigMap } from '../resources.js';
import type { Tuning } from './documents.js';

/** The ConfigMaps in the control plane namespace by which the node tuning operator gets the tuning of a NodePool. */
export function tuningMaps(snapshot: Snapshot, { profile, tuned }: Tuning): readonly Change[] {
  const { name: pool = '' } = snapshot.nodePool.metadata;
  const wanted = new Map<string, ConfigMap>();
  const want = (name: string, label: string, text: string): void => {
    const before = snapshot.existing.configMaps.find(({ metadata }) => metadata.name === name);
    wanted.set(name, desired(snapshot, { name, label, text }, before));
  };
  if (tuned !== '') want(tunedName(pool), TUNED_LABEL, tuned);
  if (profile !== undefined) want(profileName(profile.source, pool), PERFORMANCE_PROFILE_LABEL, profile.text);
  const unwanted = snapshot.existing.configMaps.filter(({ metadata }) => !wanted.has(metadata.name ?? ''));
  return [
    ...unwanted.map((object): Change => ({ verb: 'delete', kind: CONFIG_MAPS, object })),
    ...[...wanted].flatMap(([name, object]) =>
      changeTo(
        CONFIG_MAPS,
        snapshot.existing.configMaps.find(({ metadata }) => metadata.name === name),
        object,
      ),
    ),
  ];
}

function desired(
  { controlPlaneNamespace: namespace, key, nodePool }: Snapshot,
  { label, name, text }: { readonly name: string; readonly label: string; readonly text: string },
  before: ConfigMap | undefined,
): ConfigMap {
  return {
    ...(before ?? { apiVersion: 'v1', kind: 'ConfigMap' }),
    metadata: {
      ...(before?.metadata ?? { name, namespace }),
      labels: withEntries(before?.metadata.labels, {
        [label]: 'true',
        [NODE_POOL_ANNOTATION]: nodePool.metadata.name ?? '',
      }),
      annotations: withEntries(before?.metadata.annotations, { [NODE_POOL_ANNOTATION]: key }),
    },
    data: { ...before?.data, tuning: text },
  };
}
