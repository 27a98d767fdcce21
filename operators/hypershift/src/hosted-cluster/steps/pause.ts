import { CLUSTERS, HOSTED_CONTROL_PLANES, reconciliationActive } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { setFinding, requeueAfter } from '../state.js';
import type { State } from '../state.js';

/** Sets ReconciliationActive; while the cluster is paused, pauses its control plane and Cluster API too. */
export async function pause(state: State): Promise<'stop' | void> {
  const { controlPlane, hostedCluster, namespace, nowMs, pause: of, converger } = state;
  const { infraID = '', pausedUntil } = hostedCluster.spec ?? {};
  const active = reconciliationActive(of, pausedUntil);
  setFinding(state, active);
  if (!of.isPaused) return;
  state.blocked = `${active.type} is false: ${active.message}`;
  if (of.untilMs !== undefined) requeueAfter(state, Math.max(1, of.untilMs - nowMs));
  if (controlPlane !== undefined) await setSpec(state, HOSTED_CONTROL_PLANES, controlPlane, { pausedUntil });
  const cluster = infraID === '' ? undefined : await converger.find(CLUSTERS, infraID, namespace);
  if (cluster !== undefined) await setSpec(state, CLUSTERS, cluster, { paused: true });
  return 'stop';
}

async function setSpec({ converger }: State, kind: ResourceKind, before: KubeObject, fields: object): Promise<void> {
  const after = { ...before, spec: { ...(before['spec'] as object), ...fields } };
  await converger.patch(kind, before, after);
}
