/** The images of the stand-ins, whatever their tag. */
export const IMAGES = {
  clusterApi: 'quay.io/capstan/cluster-api-controller',
  clusterAutoscaler: 'quay.io/capstan/cluster-autoscaler',
  conversion: 'quay.io/capstan/cluster-api-conversion',
  infrastructure: 'quay.io/capstan/infrastructure-provider',
  machineApi: 'quay.io/capstan/machine-api-controllers',
  machineApprover: 'quay.io/capstan/machine-approver',
} as const;
