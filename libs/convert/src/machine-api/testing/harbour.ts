/** A made-up platform for tests of what is the same on every platform. */
import { kind, object, optional, string } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import { constant, same } from '../../engine/field-rules.js';
import type { MachineContext, MachinePlatform } from '../platform.js';
import { fromProviderId, ofCluster } from '../rules.js';
import { userData } from '../values.js';
import { move } from '../../engine/field-rules.js';
import { zeroValue } from '../../engine/codec.js';

const spec = { berth: optional(string()), size: string({ default: 'small' }), boatID: optional(string()) };

function infrastructureKind(name: string, plural: string, schema: ReturnType<typeof object>) {
  return {
    version: 'v1beta1',
    kind: kind({
      group: 'infrastructure.cluster.x-k8s.io',
      kind: name,
      plural,
      scope: 'Namespaced',
      meanings: {},
      versions: [{ name: 'v1beta1', storage: true, schema }],
    }),
  };
}

/** Boats in a harbour. */
export const harbour: MachinePlatform = {
  type: 'Harbour',
  providerSpec: {
    kind: 'HarbourMachineProviderSpec',
    apiVersions: ['machine.openshift.io/v1beta1', 'harbour.openshift.io/v1alpha1'],
    fields: ['berth string', 'size string', 'port string', 'quay string', 'userDataSecret.name string'],
  },
  machine: infrastructureKind('HarbourMachine', 'harbourmachines', object({ spec: object(spec) })),
  template: infrastructureKind(
    'HarbourMachineTemplate',
    'harbourmachinetemplates',
    object({ spec: object({ template: object({ spec: object(spec) }) }) }),
  ),
  cluster: infrastructureKind(
    'HarbourCluster',
    'harbourclusters',
    object({ spec: object({ port: optional(string()) }) }),
  ),
  infrastructure: [
    same('berth'),
    same('size', zeroValue('small', { left: 'omit', right: 'fill' })),
    ofCluster('port', { path: 'spec.port' }),
  ],
  machineSpec: [userData, move('quay', 'failureDomain')],
  identity: [
    fromProviderId('boatID', (id) =>
      id.startsWith('harbour://')
        ? { value: id.slice('harbour://'.length) }
        : { message: 'names no boat: harbour://<id>' },
    ),
  ],
  traits: ({ port, quay, size }) => ({
    instanceType: typeof size === 'string' ? size : 'small',
    region: typeof port === 'string' ? port : undefined,
    zone: typeof quay === 'string' ? quay : undefined,
  }),
  check: (providerSpec, { isControlPlane }) =>
    isControlPlane && providerSpec['size'] === 'tiny'
      ? [{ path: 'size', message: 'is too small for a control plane' }]
      : [],
  failureDomains: {
    key: 'harbour',
    platform: 'Harbour',
    toName: ({ quay }) => (typeof quay === 'string' ? { name: quay } : { path: 'quay', message: 'must be a string' }),
    toDomain: (name) => ({ domain: { quay: name } }),
  },
  equivalences: [{ side: 'machine-api', path: 'size', reason: 'small when absent' }],
};

/** Without a field for the zone in the provider spec: only the label has it. */
export const nameless: MachinePlatform = {
  ...harbour,
  providerSpec: { ...harbour.providerSpec, fields: ['berth string', 'size string', 'port string'] },
  machineSpec: [constant<MachineContext>('right', 'bootstrap.dataSecretName', 'worker-user-data')],
};

/** The cluster of the tests. */
export const context: MachineContext = {
  clusterName: 'fleet',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: { spec: { port: 'hamburg' } },
};

/** A machine of Machine API as its programs leave it. */
export function boat(
  change: (machine: JsonObject & { metadata: JsonObject; spec: JsonObject }) => void = () => undefined,
): JsonObject {
  const machine = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name: 'worker-a-1',
      namespace: 'openshift-machine-api',
      labels: {
        'machine.openshift.io/cluster-api-cluster': 'fleet',
        'machine.openshift.io/cluster-api-machine-role': 'worker',
        'machine.openshift.io/cluster-api-machine-type': 'worker',
        'machine.openshift.io/cluster-api-machineset': 'worker-a',
        'machine.openshift.io/instance-type': 'large',
        'machine.openshift.io/region': 'hamburg',
        'machine.openshift.io/zone': 'q1',
      },
      annotations: { 'machine.openshift.io/instance-state': 'afloat' },
    },
    spec: {
      providerID: 'harbour://boat-7',
      providerSpec: {
        value: {
          apiVersion: 'machine.openshift.io/v1beta1',
          kind: 'HarbourMachineProviderSpec',
          size: 'large',
          berth: 'b-4',
          port: 'hamburg',
          quay: 'q1',
          userDataSecret: { name: 'worker-user-data' },
        },
      },
    },
  };
  change(machine as unknown as JsonObject & { metadata: JsonObject; spec: JsonObject });
  return machine;
}

/** A set of control plane machines of Machine API, over two quays. */
export function controlPlane(change: (template: JsonObject) => void = () => undefined): JsonObject {
  const master = {
    'machine.openshift.io/cluster-api-cluster': 'fleet',
    'machine.openshift.io/cluster-api-machineset': 'worker-a',
    'machine.openshift.io/cluster-api-machine-role': 'master',
    'machine.openshift.io/cluster-api-machine-type': 'master',
  };
  const template: JsonObject = {
    failureDomains: { platform: 'Harbour', harbour: [{ quay: 'q1' }, { quay: 'q2' }] },
    metadata: { labels: master },
    spec: { providerSpec: (boat()['spec'] as JsonObject)['providerSpec'] },
  };
  change(template);
  return {
    apiVersion: 'machine.openshift.io/v1',
    kind: 'ControlPlaneMachineSet',
    metadata: { name: 'cluster', namespace: 'openshift-machine-api' },
    spec: {
      replicas: 3,
      state: 'Active',
      strategy: { type: 'RollingUpdate' },
      selector: { matchLabels: { ...master } },
      template: {
        machineType: 'machines_v1beta1_machine_openshift_io',
        machines_v1beta1_machine_openshift_io: template,
      },
    },
  };
}
