import type { ControlPlaneInputs, PlatformComponent } from '@capstan/provider';
import { componentTokenMinter, GUEST_KUBECONFIG, TOKEN_FOLDER } from '@capstan/provider';
import { clusterSettings } from './settings.js';

const CREDENTIALS_FOLDER = '/etc/kubernetes/secrets/cloud-provider';

const CREDENTIALS_ENV = {
  AWS_SHARED_CREDENTIALS_FILE: `${CREDENTIALS_FOLDER}/credentials`,
  AWS_SDK_LOAD_CONFIG: 'true',
  AWS_EC2_METADATA_DISABLED: 'true',
};

function cloudConfig({ controlPlane, infraID }: ControlPlaneInputs): string {
  const { cloudProviderConfig } = clusterSettings(controlPlane);
  return [
    '[Global]',
    `Zone = ${cloudProviderConfig?.zone ?? ''}`,
    `VPC = ${cloudProviderConfig?.vpc ?? ''}`,
    `KubernetesClusterID = ${infraID}`,
    `SubnetID = ${cloudProviderConfig?.subnet?.id ?? ''}`,
    'ClusterServiceLoadBalancerHealthProbeMode = Shared',
    'NLBSecurityGroupMode = Managed',
  ].join('\n');
}

function cloudControllerManager(inputs: ControlPlaneInputs): PlatformComponent {
  return {
    name: 'aws-cloud-controller-manager',
    image: 'aws-cloud-controller-manager',
    command: ['/bin/aws-cloud-controller-manager'],
    args: [
      '--cloud-provider=aws',
      '--use-service-account-credentials=false',
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      '--cloud-config=/etc/cloud/aws.conf',
      '--configure-cloud-routes=false',
      '--leader-elect=true',
      '--leader-elect-lease-duration=137s',
      '--leader-elect-renew-deadline=107s',
      '--leader-elect-retry-period=26s',
      '--leader-elect-resource-namespace=openshift-cloud-controller-manager',
      `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
      `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
    ],
    env: CREDENTIALS_ENV,
    secrets: { [CREDENTIALS_FOLDER]: 'cloud-controller-creds' },
    files: { '/etc/cloud/aws.conf': cloudConfig(inputs) },
    sharedFolders: [TOKEN_FOLDER],
    sidecars: [componentTokenMinter({ account: 'kube-controller-manager' })],
  };
}

/** Drains nodes that are about to be interrupted, as a queue reports; it has the role of the machine controller. */
function terminationHandler(region: string, queue: string): PlatformComponent {
  return {
    name: 'aws-node-termination-handler',
    image: 'aws-node-termination-handler',
    command: [],
    args: [],
    env: {
      ...CREDENTIALS_ENV,
      AWS_REGION: region,
      QUEUE_URL: queue,
      ENABLE_SQS_TERMINATION_DRAINING: 'true',
      ENABLE_SPOT_INTERRUPTION_DRAINING: 'true',
      ENABLE_SCHEDULED_EVENT_DRAINING: 'true',
      ENABLE_REBALANCE_MONITORING: 'true',
      ENABLE_REBALANCE_DRAINING: 'true',
      TAINT_NODE: 'true',
      KUBECONFIG: GUEST_KUBECONFIG,
    },
    secrets: { [CREDENTIALS_FOLDER]: 'node-management-creds' },
    sharedFolders: [TOKEN_FOLDER],
    sidecars: [componentTokenMinter({ account: 'aws-node-termination-handler' })],
  };
}

/** Components of the control plane. */
export function components(inputs: ControlPlaneInputs): readonly PlatformComponent[] {
  const { region, terminationHandlerQueueURL: queue } = clusterSettings(inputs.controlPlane);
  return [cloudControllerManager(inputs), ...(queue === undefined ? [] : [terminationHandler(region, queue)])];
}
