/** The images that stand for the programs here, whatever their tag. */
export const IMAGES = {
  clusterAutoscaler: 'quay.io/capstan/cluster-autoscaler',
  infrastructure: 'quay.io/capstan/infrastructure-provider',
  machineApi: 'quay.io/capstan/machine-api-controllers',
  machineApprover: 'quay.io/capstan/machine-approver',
} as const;
