/** Types of conditions, and the order in which they stand on an object. */

export const ORDER: readonly string[] = [
  'Available',
  'Ready',
  'UpToDate',
  'RemoteConnectionProbe',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'ControlPlaneInitialized',
  'ControlPlaneAvailable',
  'WorkersAvailable',
  'CertificatesAvailable',
  'Initialized',
  'EtcdClusterHealthy',
  'ControlPlaneComponentsHealthy',
  'NodeHealthy',
  'NodeReady',
  'NodeKubeadmLabelsAndTaintsSet',
  'EtcdPodHealthy',
  'EtcdMemberHealthy',
  'APIServerPodHealthy',
  'ControllerManagerPodHealthy',
  'SchedulerPodHealthy',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'TopologyReconciled',
  'Updating',
  'RollingOut',
  'Remediating',
  'ScalingDown',
  'ScalingUp',
  'MachinesReady',
  'ControlPlaneMachinesReady',
  'WorkerMachinesReady',
  'MachinesUpToDate',
  'ControlPlaneMachinesUpToDate',
  'WorkerMachinesUpToDate',
  // Here come all that are not named.
  '',
  'Paused',
  'Deleting',
];

const RANK: ReadonlyMap<string, number> = new Map(ORDER.map((type, index) => [type, index]));
const UNNAMED = RANK.get('') ?? 0;

/** Compares two conditions by where they stand. */
export function compareConditions(a: { readonly type: string }, b: { readonly type: string }): number {
  const [first, second] = [RANK.get(a.type) ?? UNNAMED, RANK.get(b.type) ?? UNNAMED];
  if (first !== second) return first - second;
  if (a.type === b.type) return 0;
  return a.type < b.type ? -1 : 1;
}
