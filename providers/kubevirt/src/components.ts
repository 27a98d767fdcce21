import type { ControlPlaneInputs, PlatformComponent, PolicyRule } from '@capstan/provider';
import { GUEST_KUBECONFIG } from '@capstan/provider';
import { clusterSettings, INFRA_CREDENTIALS, INFRA_ID_LABEL, infraNamespaceOf } from './settings.js';

const INFRA_FOLDER = '/etc/kubernetes/infra-kubeconfig';
const INFRA_KUBECONFIG = `${INFRA_FOLDER}/kubeconfig`;

function cloudConfig({ controlPlane, controlPlaneNamespace, infraID }: ControlPlaneInputs): string {
  const isElsewhere = clusterSettings(controlPlane).credentials !== undefined;
  return [
    `kubeconfig: "${isElsewhere ? INFRA_KUBECONFIG : ''}"`,
    'loadBalancer:',
    '  enabled: true',
    '  creationPollInterval: 0',
    '  selectorless: true',
    'instancesV2:',
    '  enabled: true',
    '  zoneAndRegionEnabled: false',
    `namespace: "${infraNamespaceOf(controlPlane, controlPlaneNamespace)}"`,
    'infraLabels:',
    `  ${INFRA_ID_LABEL}: "${infraID}"`,
    '',
  ].join('\n');
}

const READ = ['get', 'list', 'watch'];

const CLOUD_RULES: readonly PolicyRule[] = [
  { apiGroups: ['kubevirt.io'], resources: ['virtualmachines', 'virtualmachineinstances'], verbs: READ },
  { apiGroups: [''], resources: ['pods', 'nodes'], verbs: READ },
  { apiGroups: [''], resources: ['services'], verbs: ['*'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['*'] },
];

const STORAGE_RULES: readonly PolicyRule[] = [
  { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['get', 'create', 'delete'] },
  { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances', 'virtualmachines'], verbs: ['get', 'list'] },
  {
    apiGroups: ['subresources.kubevirt.io'],
    resources: ['virtualmachines/addvolume', 'virtualmachines/removevolume'],
    verbs: ['update'],
  },
  { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'patch'] },
  { apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots'], verbs: ['get', 'create', 'delete'] },
];

function cloudControllerManager(inputs: ControlPlaneInputs): PlatformComponent {
  const isElsewhere = clusterSettings(inputs.controlPlane).credentials !== undefined;
  return {
    name: 'kubevirt-cloud-controller-manager',
    image: 'kubevirt-cloud-controller-manager',
    command: ['/bin/kubevirt-cloud-controller-manager'],
    args: [
      '--cloud-provider=kubevirt',
      '--cloud-config=/etc/cloud/cloud-config',
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      '--authentication-skip-lookup',
      `--cluster-name=${inputs.infraID}`,
    ],
    files: { '/etc/cloud/cloud-config': cloudConfig(inputs) },
    ...(isElsewhere ? { secrets: { [INFRA_FOLDER]: INFRA_CREDENTIALS } } : {}),
    needsManagementAccess: !isElsewhere,
    rules: CLOUD_RULES,
  };
}

/** What a storage class of the infrastructure is called in the hosted cluster. */
function enforcement({ controlPlane }: ControlPlaneInputs): string {
  const { manual, type = 'Default' } = clusterSettings(controlPlane).storageDriver ?? {};
  if (type !== 'Manual') return `allowAll: ${type === 'Default'}\n`;
  const classes = [...new Set((manual?.storageClassMapping ?? []).map((each) => each.infraStorageClassName))];
  return ['allowAll: false', 'allowDefault: false', 'allowList:', ...classes.map((each) => `- ${each}`), ''].join('\n');
}

function storageController(inputs: ControlPlaneInputs): PlatformComponent {
  const { controlPlane, controlPlaneNamespace, infraID } = inputs;
  const isElsewhere = clusterSettings(controlPlane).credentials !== undefined;
  const sockets = '/var/lib/csi/sockets/pluginproxy';
  const sidecar = (name: string, image: string): NonNullable<PlatformComponent['sidecars']>[number] => ({
    name,
    image,
    command: [],
    args: [`--csi-address=${sockets}/csi.sock`, `--kubeconfig=${GUEST_KUBECONFIG}`, '--timeout=3m', '--v=5'],
    sharedFolders: [sockets],
  });
  return {
    name: 'kubevirt-csi-controller',
    image: 'kubevirt-csi-driver',
    command: [],
    args: [
      `--endpoint=unix://${sockets}/csi.sock`,
      `--infra-cluster-namespace=${infraNamespaceOf(controlPlane, controlPlaneNamespace)}`,
      `--infra-cluster-labels=${INFRA_ID_LABEL}=${infraID}`,
      `--tenant-cluster-kubeconfig=${GUEST_KUBECONFIG}`,
      '--run-node-service=false',
      '--run-controller-service=true',
      '--v=5',
      ...(isElsewhere ? [`--infra-cluster-kubeconfig=${INFRA_KUBECONFIG}`] : []),
    ],
    env: { INFRA_STORAGE_CLASS_ENFORCEMENT: enforcement(inputs) },
    ...(isElsewhere ? { secrets: { [INFRA_FOLDER]: INFRA_CREDENTIALS } } : {}),
    sharedFolders: [sockets],
    sidecars: [
      sidecar('csi-provisioner', 'csi-external-provisioner'),
      sidecar('csi-attacher', 'csi-external-attacher'),
      sidecar('csi-snapshotter', 'csi-external-snapshotter'),
    ],
    needsManagementAccess: !isElsewhere,
    rules: STORAGE_RULES,
  };
}

/** Components of the control plane. */
export function components(inputs: ControlPlaneInputs): readonly PlatformComponent[] {
  const hasStorage = clusterSettings(inputs.controlPlane).storageDriver?.type !== 'None';
  return [cloudControllerManager(inputs), ...(hasStorage ? [storageController(inputs)] : [])];
}
