import { agentCluster, agentMachine, agentMachineTemplate } from '@capstan/api/infrastructure/agent';
import type { AgentClusterSpec, AgentMachineTemplateSpec } from '@capstan/api/infrastructure/agent';
import { resource } from '@capstan/api/model';
import type { LabelSelector } from '@capstan/api/model';
import { CLUSTER_ANNOTATION } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { missingSettings, withoutUndefined, settingsOf } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, InfrastructureCluster, ProviderProgram } from '@capstan/provider';
import { create } from './create.js';

const KEY = 'agent';
const RBAC = 'rbac.authorization.k8s.io';
const RBAC_LABEL = 'hypershift.openshift.io/capi-provider-agent-rbac';

function namespaceOf({ hostedCluster }: Pick<HostedClusterInputs, 'hostedCluster'>): string {
  const { agentNamespace } = settingsOf(hostedCluster, { key: KEY });
  return typeof agentNamespace === 'string' ? agentNamespace : '';
}

const cluster: InfrastructureCluster = {
  kind: resource(agentCluster),
  isExternal: false,
  namedBy: 'hosted-cluster',
  takesEndpoint: true,
  // Hosts boot with its content: it must never have a wrong address at first.
  notYet: ({ hostedCluster }) =>
    (hostedCluster.status?.ignitionEndpoint ?? '') === '' ? 'the ignition endpoint is not known yet' : undefined,
  spec: ({ controlPlaneNamespace: namespace, hostedCluster }) => {
    const spec: AgentClusterSpec = {
      ignitionEndpoint: {
        url: `https://${hostedCluster.status?.ignitionEndpoint ?? ''}/ignition`,
        caCertificateReference: { name: 'ignition-server-ca-cert', namespace },
      },
    };
    return { ...spec };
  },
};

/** The hosts are in a namespace of their own: each cluster has a role and a binding of its own there. */
function extraRoles(inputs: HostedClusterInputs): KubeObject[] {
  const { controlPlaneNamespace, hostedCluster } = inputs;
  const role = `capi-provider-role-${controlPlaneNamespace}`;
  const owner = `${hostedCluster.metadata.namespace ?? ''}/${hostedCluster.metadata.name ?? ''}`;
  const metadata = (name: string): KubeObject['metadata'] => ({
    name,
    namespace: namespaceOf(inputs),
    labels: { [RBAC_LABEL]: 'true' },
    annotations: { [CLUSTER_ANNOTATION]: owner },
  });
  const verbs = ['get', 'list', 'watch', 'update', 'patch'];
  return [
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: metadata(role),
      rules: [{ apiGroups: ['agent-install.openshift.io'], resources: ['agents'], verbs }],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(`cluster-api-agent-${controlPlaneNamespace}`),
      roleRef: { apiGroup: RBAC, kind: 'Role', name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'capi-provider', namespace: controlPlaneNamespace }],
    },
  ];
}

function program(inputs: HostedClusterInputs): ProviderProgram {
  const all = (group: string, ...resources: string[]): ProviderProgram['rules'][number] => ({
    apiGroups: [group],
    resources,
    verbs: ['*'],
  });
  return {
    containers: [
      {
        name: 'manager',
        image: {
          env: 'IMAGE_AGENT_CAPI_PROVIDER',
          annotation: 'hypershift.openshift.io/capi-provider-agent-image',
          fallback: 'quay.io/edge-infrastructure/cluster-api-provider-agent:latest',
        },
        command: ['/manager'],
        args: [
          `--namespace=${inputs.controlPlaneNamespace}`,
          '--health-probe-bind-address=:8081',
          '--metrics-bind-address=127.0.0.1:8080',
          '--leader-elect',
          `--agent-namespace=${namespaceOf(inputs)}`,
        ],
        healthPort: 8081,
      },
    ],
    rules: [
      all('extensions.hive.openshift.io', 'agentclusterinstalls'),
      all('capi-provider.agent-install.openshift.io', '*'),
      all('hive.openshift.io', 'clusterdeployments'),
    ],
    objects: extraRoles(inputs),
  };
}

/** Hosted clusters whose machines are hosts that an installer has found. */
export const hosting: HostingPlatform = {
  type: 'Agent',
  key: KEY,
  hasSettings: true,
  // It reads the annotation of each object alone.
  ignoresClusterPause: true,
  cluster,
  machineTemplate: {
    kind: resource(agentMachineTemplate),
    machine: resource(agentMachine),
    spec: ({ nodePool }) => {
      const { agentLabelSelector } = settingsOf(nodePool, { key: KEY }) as { agentLabelSelector?: LabelSelector };
      const spec: AgentMachineTemplateSpec = { template: { spec: withoutUndefined({ agentLabelSelector }) } };
      return { ...spec };
    },
  },
  nodePools: {
    architectures: ['amd64', 'ppc64le', 'arm64'],
    scalesFromZero: false,
    keepsUserData: false,
    // Real hosts take their time to boot.
    unhealthyTimeoutSeconds: 16 * 60,
  },
  validate: ({ hostedCluster }) => missingSettings(hostedCluster, KEY, ['agentNamespace']),
  validateNodePool: () => [],
  secretNames: () => [],
  namespaces: (inputs) => {
    const name = namespaceOf(inputs);
    return name === '' ? [] : [{ name, path: `spec.platform.${KEY}.agentNamespace` }];
  },
  credentials: () => [],
  program,
  // The control plane has nothing to do with the hosts.
  controlPlane: () => ({ type: 'None' }),
  components: () => [],
  create,
};
