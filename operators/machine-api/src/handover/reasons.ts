/** What a change of authority waits for: reasons of the condition AuthorityHandover. The README lists them. */
export const HANDOVER_REASONS = {
  complete: 'HandoverComplete',
  cancelled: 'HandoverCancelled',
  migrating: 'Migrating',
  notSynchronized: 'WaitingForSynchronization',
  instancePending: 'WaitingForInstance',
  failed: 'MachineFailed',
  hostInUse: 'HostInUse',
  deleting: 'BeingDeleted',
  machineApi: 'WaitingForMachineAPI',
  machineApiResumes: 'WaitingForMachineAPIToResume',
  clusterApi: 'WaitingForClusterAPI',
  clusterApiResumes: 'WaitingForClusterAPIToResume',
} as const;

export type HandoverReason = (typeof HANDOVER_REASONS)[keyof typeof HANDOVER_REASONS];
