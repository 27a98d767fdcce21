import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { MANAGED_BY_LABEL } from '@capstan/hosting';
import { changeTo, includesDesired } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { desiredVersion, MANAGER, nodeBindings, OBSOLETE_BINDINGS } from '../guest/objects.js';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS } from '../kinds.js';
import type { Snapshot } from './gather.js';

/** What is written into the hosted cluster: the bindings of nodes first, then the ClusterVersion. */
export function decide(spec: HostedControlPlaneSpec, { bindings, version }: Snapshot): readonly Change[] {
  return [
    ...OBSOLETE_BINDINGS.flatMap((name) => deletionOf(bindings.get(name))),
    ...nodeBindings().flatMap((desired) => bindingChanges(bindings.get(desired.metadata.name ?? ''), desired)),
    ...changeTo(CLUSTER_VERSIONS, version, desiredVersion(spec, version)),
  ];
}

/** What an earlier release bound; a binding of that name that is not ours stays. */
function deletionOf(existing: KubeObject | undefined): readonly Change[] {
  return existing?.metadata.labels?.[MANAGED_BY_LABEL] === MANAGER ? deletions(existing) : [];
}

function bindingChanges(existing: KubeObject | undefined, object: KubeObject): readonly Change[] {
  if (existing !== undefined && includesDesired(comparable(existing), comparable(object), 'named')) return [];
  // The role of a binding cannot be changed.
  return [...deletions(existing), { verb: 'create', kind: CLUSTER_ROLE_BINDINGS, object }];
}

function deletions(object: KubeObject | undefined): readonly Change[] {
  if (object === undefined || object.metadata.deletionTimestamp != null) return [];
  return [{ verb: 'delete', kind: CLUSTER_ROLE_BINDINGS, object }];
}

function comparable({ metadata, roleRef, subjects }: KubeObject): object {
  return { labels: metadata.labels, roleRef, subjects };
}
