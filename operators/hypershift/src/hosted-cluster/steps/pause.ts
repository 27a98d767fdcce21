import { CLUSTERS, HOSTED_CONTROL_PLANES, reconciliationActive } from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { found, lookAgain } from '../scope.js';
import type { Scope } from '../scope.js';

/** Says whether the cluster is left alone; where it is, its control plane and Cluster API are told so too. */
export async function pause(scope: Scope): Promise<'stop' | void> {
  const { controlPlane, hostedCluster, namespace, nowMs, pause: of, converger } = scope;
  const { infraID = '', pausedUntil } = hostedCluster.spec ?? {};
  const said = reconciliationActive(of, pausedUntil);
  found(scope, said);
  if (!of.isPaused) return;
  scope.blocked = `${said.type} is false: ${said.message}`;
  if (of.untilMs !== undefined) lookAgain(scope, Math.max(1, of.untilMs - nowMs));
  if (controlPlane !== undefined) await setSpec(scope, HOSTED_CONTROL_PLANES, controlPlane, { pausedUntil });
  const cluster = infraID === '' ? undefined : await converger.find(CLUSTERS, infraID, namespace);
  if (cluster !== undefined) await setSpec(scope, CLUSTERS, cluster, { paused: true });
  return 'stop';
}

async function setSpec(
  { parts: { client }, signal }: Scope,
  kind: ResourceKind,
  before: KubeObject,
  fields: object,
): Promise<void> {
  const after = { ...before, spec: { ...(before['spec'] as object), ...fields } };
  await patchFrom(client, kind, { before, after }, { optimisticLock: true, signal });
}
