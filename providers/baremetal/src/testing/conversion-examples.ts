import { absent } from '@capstan/convert';
import type { LeafMaker } from '@capstan/convert';
import type { ConversionExamples } from '@capstan/provider/testing';

const hostIds = [
  'baremetalhost:///openshift-machine-api/worker-0/5e1bd4d9-1d70-4e4a-9f2f-1d2c9a6a8b11',
  'baremetalhost:///openshift-machine-api/worker-1',
];

/** Values that must be of one form on both sides; `undefined` where any will do. */
const either: LeafMaker = (path, choices) => {
  const name = path.slice(path.lastIndexOf('.') + 1);
  switch (name) {
    case 'url':
      return choices.below(4) === 0 ? absent : `http://images.example.com/os-${choices.below(9)}.qcow2`;
    case 'checksum':
      return `sum-${choices.below(9)}`;
    case 'method':
      return ['install_coreos', ''][choices.below(2)];
    case 'key':
      // Rarely the same twice in one selector, which is an error.
      return `label-${choices.below(60)}`;
    case 'operator':
      return ['In', 'notin', 'Exists'][choices.below(3)];
    case 'values[]':
      return ['a', 'b', 'c', 'd'][choices.below(4)];
    default:
      return undefined;
  }
};

/** The host of the machine that is made: its infrastructure machine has the same. */
let hostId = hostIds[0];

const left: LeafMaker = (path, choices) => {
  if (path === 'spec.providerID') return choices.below(3) === 0 ? absent : hostIds[choices.below(2)];
  if (path.endsWith('.userData.namespace')) return ['openshift-machine-api', ''][choices.below(2)];
  return either(path, choices);
};

const right: LeafMaker = (path, choices) => {
  if (path === 'machine.spec.providerID') return (hostId = hostIds[choices.below(2)]);
  if (path === 'infrastructure.spec.providerID') return choices.below(3) === 0 ? absent : hostId;
  if (path === 'machine.spec.bootstrap.dataSecretName') return 'worker-user-data';
  return either(path, choices);
};

/** What the conversion is tried with. */
export const conversionExamples: ConversionExamples = {
  context: {
    clusterName: 'metal-x7k2p',
    namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
    infrastructureCluster: { spec: { controlPlaneEndpoint: { host: '192.0.2.5', port: 6443 } } },
  },
  makers: { left, right },
};
