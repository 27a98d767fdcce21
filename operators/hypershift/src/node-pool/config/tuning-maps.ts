import { NODE_POOL_ANNOTATION, PERFORMANCE_PROFILE_LABEL, TUNED_LABEL } from '@capstan/hosting';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import { CONFIG_MAPS } from '../../kinds.js';
import type { Facts } from '../facts.js';
import { withWords } from '../machines/shared.js';
import { profileName, tunedName } from '../names.js';

import type { ConfigMap } from '../resources.js';
import type { Tuning } from './documents.js';

/** What the node tuning operator is told of a pool: ConfigMaps in the control plane namespace. */
export function tuningMaps(facts: Facts, { profile, tuned }: Tuning): readonly Change[] {
  const { name: pool = '' } = facts.nodePool.metadata;
  const wanted = new Map<string, ConfigMap>();
  const want = (name: string, label: string, text: string): void => {
    const before = facts.made.configMaps.find(({ metadata }) => metadata.name === name);
    wanted.set(name, desired(facts, { name, label, text }, before));
  };
  if (tuned !== '') want(tunedName(pool), TUNED_LABEL, tuned);
  if (profile !== undefined) want(profileName(profile.source, pool), PERFORMANCE_PROFILE_LABEL, profile.text);
  const unwanted = facts.made.configMaps.filter(({ metadata }) => !wanted.has(metadata.name ?? ''));
  return [
    ...unwanted.map((object): Change => ({ verb: 'delete', kind: CONFIG_MAPS, object })),
    ...[...wanted].flatMap(([name, object]) =>
      changeTo(
        CONFIG_MAPS,
        facts.made.configMaps.find(({ metadata }) => metadata.name === name),
        object,
      ),
    ),
  ];
}

function desired(
  { controlPlaneNamespace: namespace, key, nodePool }: Facts,
  { label, name, text }: { readonly name: string; readonly label: string; readonly text: string },
  before: ConfigMap | undefined,
): ConfigMap {
  return {
    ...(before ?? { apiVersion: 'v1', kind: 'ConfigMap' }),
    metadata: {
      ...(before?.metadata ?? { name, namespace }),
      labels: withWords(before?.metadata.labels, {
        [label]: 'true',
        [NODE_POOL_ANNOTATION]: nodePool.metadata.name ?? '',
      }),
      annotations: withWords(before?.metadata.annotations, { [NODE_POOL_ANNOTATION]: key }),
    },
    data: { ...before?.data, tuning: text },
  };
}
