import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { all, CONTROL_PLANE, EVENTS, LEASES } from './rules.js';

/** Runs the CSI snapshot controller. */
export const csiSnapshotControllerOperator: ComponentDefinition = guestOperator(
  'csi-snapshot-controller-operator',
  {
    image: 'cluster-csi-snapshot-controller-operator',
    args: ['start', '-v=2', `--guest-kubeconfig=${GUEST_KUBECONFIG}`],
    env: versionEnv,
    memory: '65Mi',
  },
  {
    dependencies: [OPENSHIFT_API],
    hasOperands: true,
    servingCertificate: 'csi-snapshot-controller-operator-serving-cert',
    access: { rules: [all('', 'configmaps', 'secrets'), all('apps', 'deployments'), CONTROL_PLANE, LEASES, EVENTS] },
  },
);
