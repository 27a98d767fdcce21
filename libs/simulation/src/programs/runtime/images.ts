/** The images that stand for the programs here, whatever their tag. */
export const IMAGES = {
  clusterApi: 'quay.io/capstan/cluster-api-controller',
  infrastructure: 'quay.io/capstan/infrastructure-provider',
  machineApprover: 'quay.io/capstan/machine-approver',
} as const;
