import type { HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES, newComplaints } from '@capstan/hosting';
import type { Complaint, Pause } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import type { Client, EventRecorder } from '@capstan/kube';
import { deepEqual, getCondition } from '@capstan/meta';
import type { Clock, Condition } from '@capstan/meta';
import { DEPLOYMENTS, SECRETS, STATEFUL_SETS } from '../../kinds.js';
import { regeneratedSecrets } from '../../pki/kept-keys.js';
import { CUSTOM_KUBECONFIG } from '../../pki/kubeconfigs.js';
import { ONCE } from '../../pki/decide.js';
import { KEYS_KEPT } from '../conditions.js';
import { controlPlaneImage } from '../inputs.js';
import type { State } from '../state.js';
import { differInMessagesOnly, writtenVersion } from '../status-writes.js';
import type { StatusWrites } from '../status-writes.js';
import { pausedStatus, statusOf } from '../status.js';
import type { StatusFindings } from '../status.js';
import { versionOf } from '../version.js';

/** What writes the status of control planes. */
export interface StatusWriter {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly writes: StatusWrites;
}

function findingsOf(state: State, pause: Pause, { writes }: Pick<StatusWriter, 'writes'>): StatusFindings {
  const { components, hcp, invalid, key, objects, payload, published, releaseError, routes, spec } = state;
  const { snapshot } = objects;
  return {
    spec,
    pause,
    releaseError,
    invalid,
    routes,
    waitingFor: published?.waitingFor ?? ['the Services of the control plane'],
    endpoints: published?.endpoints ?? {},
    etcd: snapshot.get(STATEFUL_SETS, 'etcd'),
    apiServer: snapshot.get(DEPLOYMENTS, 'kube-apiserver'),
    hasKubeconfig: snapshot.get(SECRETS, 'admin-kubeconfig') !== undefined,
    hasCustomKubeconfig: snapshot.get(SECRETS, CUSTOM_KUBECONFIG) !== undefined,
    components,
    regenerated: regeneratedSecrets(ONCE.map((name) => snapshot.get(SECRETS, name))),
    wereRegenerated: getCondition(hcp.status?.conditions, KEYS_KEPT) !== undefined,
    namespace: hcp.metadata.namespace ?? '',
    wasAvailable: hcp.status?.initialized === true,
    version: payload?.version,
    controlPlaneVersion: versionOf(state, writtenVersion(writes, key, hcp)),
    releaseImage: controlPlaneImage(spec),
  };
}

/** Conditions that are a warning event when they get worse: the user has to fix something. */
const COMPLAINTS: readonly Complaint[] = [
  ...['ValidReleaseInfo', 'ValidHostedControlPlaneConfiguration', KEYS_KEPT].map((type) => ({
    type,
    isBad: ({ status }: Condition) => status !== 'True',
  })),
  { type: 'Degraded', isBad: ({ status }) => status !== 'False' },
];

/** Writes the status of what was found; a change of messages only waits for the minimum interval. */
export async function writeDueStatus(state: State, pause: Pause, options: StatusWriter): Promise<void> {
  const { hcp, key, now } = state;
  const findings = findingsOf(state, pause, options);
  const status = pause.isPaused ? pausedStatus(hcp, findings, now) : statusOf(hcp, findings, now);
  if (deepEqual(hcp.status, status)) {
    options.writes.record(hcp);
    return;
  }
  const nowMs = options.clock.now();
  const waitMs = differInMessagesOnly(hcp.status, status) ? options.writes.waitMs(key, nowMs) : 0;
  if (waitMs === 0) await writeStatus(hcp, status, options);
  else state.dueMs = Math.min(state.dueMs ?? Infinity, nowMs + waitMs);
}

/** Writes the status when it differs, and emits events for new faults. */
export async function writeStatus(
  before: HostedControlPlane,
  status: HostedControlPlaneStatus | undefined,
  { client, clock, recorder, writes }: StatusWriter,
): Promise<void> {
  if (status === undefined || deepEqual(before.status, status)) return;
  const { name = '', namespace = '', uid = '' } = before.metadata;
  const key = `${namespace}/${name}`;
  writes.discard(key);
  const after = { ...before, status };
  // Whole, which its resource version locks: a merge patch cannot say null, and the part of others may.
  await new Converger({ client }).replaceStatus(HOSTED_CONTROL_PLANES, after);
  writes.record(after);
  writes.startInterval(key, clock.now());
  const subject = { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedControlPlane', namespace, name, uid };
  for (const { message, reason } of newComplaints(COMPLAINTS, before.status?.conditions, status.conditions))
    recorder.record(subject, { type: 'Warning', reason, message });
}
