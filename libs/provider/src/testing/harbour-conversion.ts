import { integer, kind, object, optional, string } from '@capstan/api/model';
import { move, unsupported, warned } from '@capstan/convert';
import { fromProviderId, ofCluster, optionalNumber, optionalText, userData } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform, RefusedPlatform } from '@capstan/convert/machine-api';
import { HARBOUR_CLUSTERS, HARBOUR_MACHINE_TEMPLATES, HARBOUR_MACHINES } from './harbour-kinds.js';

const machineSpec = {
  cranes: optional(integer()),
  size: optional(string()),
  image: optional(string()),
  pilot: optional(string()),
  providerID: optional(string()),
};

function harbourKind(
  { group, kind: name, plural, version }: typeof HARBOUR_MACHINES,
  spec: Parameters<typeof object>[0],
): MachinePlatform['machine'] {
  const schema = object({ spec: optional(object(spec)), status: optional(object({})) });
  return {
    kind: kind({
      group,
      kind: name,
      plural,
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema }],
    }),
    version,
  };
}

/** The made-up platform in both APIs: one value of each fate that a field can have. */
export const harbourConversion: MachinePlatform = {
  type: 'Harbour',
  providerSpec: {
    kind: 'HarbourMachineProviderSpec',
    apiVersions: ['machine.openshift.io/v1beta1'],
    fields: [
      'berth string',
      'cranes int64',
      'size string',
      'image string',
      'port string',
      'tugs int64',
      'flag string',
      'userDataSecret.name string',
    ],
  },
  machine: harbourKind(HARBOUR_MACHINES, machineSpec),
  template: harbourKind(HARBOUR_MACHINE_TEMPLATES, { template: optional(object({ spec: object(machineSpec) })) }),
  cluster: harbourKind(HARBOUR_CLUSTERS, { port: optional(string()) }),
  infrastructure: [
    move('cranes', 'cranes', optionalNumber),
    move('size', 'size', optionalText),
    move('image', 'image', optionalText),
    ofCluster('port', { path: 'spec.port', isOptional: true }),
    unsupported('left', 'tugs', 'Cluster API has no tugs: order them at the port'),
    warned('left', 'flag', 'machines of Cluster API fly none'),
    unsupported('right', 'pilot', 'Machine API has no pilots'),
  ],
  machineSpec: [userData, move('berth', 'failureDomain', optionalText)],
  identity: [fromProviderId('providerID', (id) => ({ value: id }))],
  traits: ({ berth, size }) => ({
    ...(typeof size === 'string' ? { instanceType: size } : {}),
    ...(typeof berth === 'string' ? { zone: berth } : {}),
  }),
  equivalences: [],
};

/** A platform that is known, and that Cluster API has no machines for. */
export const driftwoodConversion: RefusedPlatform = {
  type: 'Driftwood',
  providerSpec: { kind: 'DriftwoodMachineProviderSpec', apiVersions: ['machine.openshift.io/v1beta1'] },
  refused: 'Cluster API has no machines of driftwood: keep them in Machine API',
};

/** What surrounds the machines of the made-up platform. */
export const harbourContext: MachineContext = {
  clusterName: 'fleet-x7k2p',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'HarbourCluster',
    metadata: { name: 'fleet-x7k2p', namespace: 'openshift-cluster-api' },
    spec: { port: 'rotterdam' },
  },
};
