/** Machines on bare metal: hosts that Metal3 installs, in Machine API and in Cluster API. */
import { metal3Cluster, metal3Machine, metal3MachineTemplate } from '@capstan/api/infrastructure/metal3';
import { baremetalProviderSpecFields } from '@capstan/api/machine/provider-specs';
import { getAt } from '@capstan/convert';
import type { Equivalence, MachinePlatform } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { hostOf, identity } from './host-id.js';
import { newCluster } from './new-cluster.js';
import { infrastructure, machineSpec } from './provider-spec.js';

const VERSION = 'v1beta2';

const equivalent = (paths: readonly string[], reason: string): Equivalence[] =>
  paths.flatMap((path) => [
    { side: 'machine-api', path, reason },
    { side: 'cluster-api', path, reason },
  ]);

const equivalences: readonly Equivalence[] = [
  ...equivalent(['image.url', 'image.checksum', 'customDeploy.method'], 'an empty string means the same as absent'),
  ...equivalent(['hostSelector.matchExpressions[].values'], 'a value that is listed twice counts once'),
  { side: 'machine-api', path: 'userData.name', reason: 'an empty string means the same as absent' },
];

const isSet = (providerSpec: JsonObject, path: string): boolean => (getAt(providerSpec, path.split('.')) ?? '') !== '';

/** What Machine API and Cluster API say of machines on bare metal. */
export const conversion: MachinePlatform = {
  type: 'BareMetal',
  providerSpec: {
    kind: 'BareMetalMachineProviderSpec',
    apiVersions: ['baremetal.cluster.k8s.io/v1alpha1'],
    fields: baremetalProviderSpecFields,
  },
  machine: { kind: metal3Machine, version: VERSION },
  template: { kind: metal3MachineTemplate, version: VERSION },
  cluster: { kind: metal3Cluster, version: VERSION },
  infrastructure,
  machineSpec,
  identity,
  // Hosts differ in what they are, and nobody has names for it.
  traits: () => ({}),
  check: (providerSpec) =>
    isSet(providerSpec, 'image.url') || isSet(providerSpec, 'customDeploy.method')
      ? []
      : [{ path: 'image', message: 'is needed where there is no customDeploy: nothing sets what a host runs' }],
  hosts: {
    kind: { group: 'metal3.io', version: 'v1alpha1', plural: 'baremetalhosts', kind: 'BareMetalHost' },
    of: hostOf,
  },
  newCluster,
  equivalences,
};
