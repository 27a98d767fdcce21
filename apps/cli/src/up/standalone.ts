import type { KubeObject } from '@capstan/meta';
import { CORE } from './groups.js';
import { all, programObjects, read } from './programs.js';

/** Where the platform keeps its own machines. */
const MACHINE_NAMESPACE = 'openshift-machine-api';
const CONFIG_NAMESPACE = 'openshift-machine-config-operator';
/** Whom nodes are before they have a certificate of their own. */
export const BOOTSTRAP_ACCOUNT = { namespace: CONFIG_NAMESPACE, name: 'node-bootstrapper' } as const;
const USER_DATA = 'worker-user-data';
/** What the management cluster is called where its machines are. */
export const INFRASTRUCTURE_NAME = 'harbour-x7k2p';
const MACHINE = 'machine.openshift.io';
const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
/** The signers whose requests the machine approver decides on. */
const KUBELET_SIGNERS = ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'];

/** What the management cluster is: an OpenShift cluster with machines of its own. */
export function platformObjects(): KubeObject[] {
  const config = 'config.openshift.io/v1';
  const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const bind = (name: string, role: string, subject: object): KubeObject => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [subject],
  });
  return [
    namespace(MACHINE_NAMESPACE),
    namespace(CONFIG_NAMESPACE),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...BOOTSTRAP_ACCOUNT } },
    bind('system-bootstrap-node-bootstrapper', 'system:node-bootstrapper', {
      kind: 'ServiceAccount',
      ...BOOTSTRAP_ACCOUNT,
    }),
    bind('system-bootstrap-node-renewal', 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', {
      apiGroup: RBAC,
      kind: 'Group',
      name: 'system:nodes',
    }),
    {
      apiVersion: config,
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      spec: { platformSpec: { type: 'AWS', aws: {} } },
    },
    { apiVersion: config, kind: 'FeatureGate', metadata: { name: 'cluster' }, spec: {} },
  ];
}

/** The controllers of the platform's own machines. */
export function platformPrograms(images: {
  readonly machineApi: string;
  readonly machineApprover: string;
}): KubeObject[] {
  const namespace = MACHINE_NAMESPACE;
  const nodes = { apiGroups: [''], resources: ['nodes', 'nodes/status'], verbs: ['*'] };
  const pods = {
    apiGroups: [''],
    resources: ['pods', 'pods/eviction'],
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
  };
  return [
    ...programObjects({
      namespace,
      name: 'machine-api-controllers',
      image: images.machineApi,
      args: [`--namespace=${namespace}`, '--leader-elect'],
      rules: [all(MACHINE), read('', 'secrets')],
      clusterRules: [
        nodes,
        pods,
        read('apiextensions.k8s.io', 'customresourcedefinitions'),
        read('apps', 'daemonsets'),
      ],
    }),
    ...programObjects({
      namespace,
      name: 'machine-approver',
      image: images.machineApprover,
      args: [`--apigroup=${MACHINE}`, `--apigroup=${CORE}`],
      rules: [],
      clusterRules: [
        read(MACHINE, 'machines'),
        read(CORE, 'machines'),
        read('', 'nodes'),
        read(CERTIFICATES, 'certificatesigningrequests'),
        { apiGroups: [CERTIFICATES], resources: ['certificatesigningrequests/approval'], verbs: ['update'] },
        { apiGroups: [CERTIFICATES], resources: ['signers'], resourceNames: KUBELET_SIGNERS, verbs: ['approve'] },
      ],
    }),
  ];
}

/** The platform's own machines. */
export function platformMachines(userData: string, replicas: number): KubeObject[] {
  const name = `${INFRASTRUCTURE_NAME}-worker-us-east-1a`;
  const own = {
    [`${MACHINE}/cluster-api-cluster`]: INFRASTRUCTURE_NAME,
    [`${MACHINE}/cluster-api-machineset`]: name,
  };
  const roles = {
    [`${MACHINE}/cluster-api-machine-role`]: 'worker',
    [`${MACHINE}/cluster-api-machine-type`]: 'worker',
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: USER_DATA, namespace: MACHINE_NAMESPACE },
      data: {
        userData: Buffer.from(userData).toString('base64'),
        disableTemplating: Buffer.from('true').toString('base64'),
      },
    },
    {
      apiVersion: `${MACHINE}/v1beta1`,
      kind: 'MachineSet',
      metadata: {
        name,
        namespace: MACHINE_NAMESPACE,
        labels: { [`${MACHINE}/cluster-api-cluster`]: INFRASTRUCTURE_NAME },
      },
      spec: {
        replicas,
        selector: { matchLabels: own },
        template: {
          metadata: { labels: { ...own, ...roles } },
          spec: {
            metadata: {},
            providerSpec: {
              value: {
                apiVersion: `${MACHINE}/v1beta1`,
                kind: 'AWSMachineProviderConfig',
                ami: { id: 'ami-0c1ea12ff0a5f9d41' },
                instanceType: 'm6i.xlarge',
                placement: { region: 'us-east-1', availabilityZone: 'us-east-1a' },
                securityGroups: [{ id: 'sg-0c1ea12ff0a5f9d41' }],
                subnet: { id: 'subnet-0c1ea12ff0a5f9d41' },
                userDataSecret: { name: USER_DATA },
              },
            },
          },
        },
      },
    },
  ];
}
