import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { CORE_GROUP } from './shared.js';
import { read } from './rules.js';
import { hasMachines } from './predicates.js';

/** Approves the certificate requests of nodes that belong to a Machine. */
export const machineApprover: ComponentDefinition = guestOperator(
  'machine-approver',
  {
    image: 'cluster-machine-approver',
    command: ['/usr/bin/machine-approver'],
    args: ({ namespace }) => [
      '--v=3',
      `--apigroup=${CORE_GROUP}`,
      `--machine-namespace=${namespace}`,
      `--workload-cluster-kubeconfig=${GUEST_KUBECONFIG}`,
      '--disable-status-controller',
    ],
    memory: '50Mi',
  },
  { isOptional: false, isPartOf: hasMachines, access: { rules: [read(CORE_GROUP, 'machines', 'machines/status')] } },
);
