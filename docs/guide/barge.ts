import { missingSettings, settingsOf, withoutUndefined } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';

const INFRA = { group: 'infrastructure.cluster.x-k8s.io', version: 'v1beta1', namespaced: true };
const key = 'barge';

/** Hosted clusters whose machines are barges. */
export const hosting: HostingPlatform = {
  type: 'Barge',
  key,
  hasSettings: true,
  cluster: {
    kind: { ...INFRA, kind: 'BargeCluster', plural: 'bargeclusters' },
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: ({ hostedCluster }) => ({ river: settingsOf(hostedCluster, { key })['river'] }),
  },
  machineTemplate: {
    kind: { ...INFRA, kind: 'BargeMachineTemplate', plural: 'bargemachinetemplates' },
    machine: { ...INFRA, kind: 'BargeMachine', plural: 'bargemachines' },
    spec: ({ nodePool }) => ({ template: { spec: withoutUndefined({ load: settingsOf(nodePool, { key })['load'] }) } }),
  },
  nodePools: { architectures: ['amd64'], scalesFromZero: false, keepsUserData: false },
  validate: ({ hostedCluster }) => missingSettings(hostedCluster, key, ['river']),
  validateNodePool: ({ nodePool }) => missingSettings(nodePool, key, ['load']),
  secretNames: () => [],
  credentials: () => [],
  program: ({ controlPlaneNamespace }) => ({
    containers: [
      {
        name: 'manager',
        image: { env: 'IMAGE_BARGE_CAPI_PROVIDER', fallback: 'example.com/barge-provider:1.0.0' },
        args: [`--namespace=${controlPlaneNamespace}`, '--leader-elect=true'],
      },
    ],
    rules: [],
  }),
  controlPlane: ({ hostedCluster }) => ({ type: 'Barge', settings: settingsOf(hostedCluster, { key }) }),
  components: () => [],
  create: {
    clusterFlags: [{ name: 'river', value: '<name>', help: 'the river it lies on', default: 'Rhine' }],
    nodePoolFlags: [{ name: 'load', value: '<tons>', help: 'what a machine carries', default: '100' }],
    cluster: ({ flags }) => ({
      settings: { river: flags['river'] },
      objects: [],
      publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    }),
    nodePool: ({ flags }) => ({ load: Number(flags['load']) }),
  },
};
