/** Why two copies are not synchronised: reasons of the condition Synchronized. The README lists them. */
export const REASONS = {
  synchronized: 'ResourceSynchronized',
  authorityChanged: 'AuthoritativeAPIChanged',
  conversionFailed: 'ConversionFailed',
  unsupportedOwner: 'UnsupportedOwner',
  ownerNotSynchronized: 'OwnerNotSynchronized',
  clusterNameUnknown: 'ClusterNameUnknown',
  clusterNotFound: 'ClusterNotFound',
  infrastructureClusterNotFound: 'InfrastructureClusterNotFound',
  infrastructureMissing: 'InfrastructureObjectNotFound',
  recreating: 'RecreatingInfrastructureMachine',
  writeRefused: 'WriteRefused',
  collectingTemplates: 'CollectingTemplates',
  deleting: 'Deleting',
  counterpartDeleting: 'CounterpartDeleting',
} as const;

export type Reason = (typeof REASONS)[keyof typeof REASONS];

/** Why a copy cannot be brought up to date. */
export interface Problem {
  readonly reason: Reason;
  readonly message: string;
  /** Only a change of an object that is watched helps: no retry does. */
  readonly isFinal: boolean;
}
