import { kubevirtCluster } from '@capstan/api/infrastructure/kubevirt';
import { resource } from '@capstan/api/model';
import { copiedSecret, missingSettings, settingsOf } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem, ProviderProgram } from '@capstan/provider';
import { components } from './components.js';
import { create } from './create.js';
import { machineTemplate } from './machine-template.js';
import { clusterSettings, INFRA_CREDENTIALS, KEY, poolSettings } from './settings.js';

const ALL = ['*'];

function program({ controlPlaneNamespace }: HostedClusterInputs): ProviderProgram {
  return {
    containers: [
      {
        name: 'manager',
        // No release has it: a flag of the operator names it, or the annotation of a cluster.
        image: {
          env: 'IMAGE_KUBEVIRT_CAPI_PROVIDER',
          annotation: 'hypershift.openshift.io/capi-provider-kubevirt-image',
        },
        command: ['/manager'],
        args: [`--namespace=${controlPlaneNamespace}`, '--v=4', '--leader-elect=true'],
        healthPort: 9440,
      },
    ],
    rules: [
      { apiGroups: [''], resources: ['services'], verbs: ALL },
      { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances', 'virtualmachines'], verbs: ALL },
      { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['get', 'list', 'watch'] },
    ],
  };
}

function validate({ hostedCluster, secrets }: HostedClusterInputs): Problem[] {
  const { credentials } = clusterSettings(hostedCluster);
  if (credentials === undefined) return [];
  const path = 'spec.platform.kubevirt.credentials.infraKubeConfigSecret';
  if (credentials.infraKubeConfigSecret === undefined)
    return [{ path, message: 'another cluster is to run the machines: name the Secret with its kubeconfig' }];
  const { key, name } = credentials.infraKubeConfigSecret;
  const secret = secrets.get(name);
  const data = secret?.['data'] as Readonly<Record<string, string>> | undefined;
  if (secret === undefined || data?.[key] !== undefined) return [];
  return [{ path, message: `Secret ${name} has no key ${key}: put the kubeconfig of the infrastructure there` }];
}

function validateNodePool({ nodePool }: NodePoolInputs): Problem[] {
  const problems = missingSettings(nodePool, KEY, ['rootVolume']);
  if (problems.length > 0) return problems;
  const { additionalNetworks = [], attachDefaultNetwork, rootVolume } = poolSettings(nodePool);
  if ((rootVolume.type ?? 'Persistent') === 'Persistent' && rootVolume.persistent === undefined)
    problems.push({
      path: 'spec.platform.kubevirt.rootVolume.persistent',
      message: 'the root volume is persistent, but has no size: set it',
    });
  if (attachDefaultNetwork === false && additionalNetworks.length === 0)
    problems.push({
      path: 'spec.platform.kubevirt.attachDefaultNetwork',
      message: 'machines would have no network at all: attach the default one, or name others',
    });
  return problems;
}

/** Hosted clusters whose machines run on a cluster as virtual machines: on this one, or on another. */
export const hosting: HostingPlatform = {
  type: 'KubeVirt',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(kubevirtCluster),
    isExternal: true,
    namedBy: 'infra-id',
    takesEndpoint: false,
    spec: ({ controlPlaneNamespace: namespace, hostedCluster }) =>
      clusterSettings(hostedCluster).credentials === undefined
        ? {}
        : { infraClusterSecretRef: { kind: 'Secret', name: INFRA_CREDENTIALS, namespace } },
  },
  machineTemplate,
  nodePools: { architectures: ['amd64', 's390x'], scalesFromZero: false, keepsUserData: true },
  validate,
  validateNodePool,
  secretNames: ({ hostedCluster }) => {
    const name = clusterSettings(hostedCluster).credentials?.infraKubeConfigSecret?.name;
    return name === undefined ? [] : [name];
  },
  credentials: ({ controlPlaneNamespace: namespace, hostedCluster, secrets }) => {
    const source = secrets.get(clusterSettings(hostedCluster).credentials?.infraKubeConfigSecret?.name ?? '');
    return source === undefined ? [] : [copiedSecret(source, { name: INFRA_CREDENTIALS, namespace })];
  },
  program,
  controlPlane: ({ hostedCluster }) => ({ type: 'KubeVirt', settings: settingsOf(hostedCluster, { key: KEY }) }),
  components,
  create,
};
