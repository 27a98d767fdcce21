import { absent } from '@capstan/convert';
import type { Choices, LeafMaker } from '@capstan/convert';
import type { ConversionExamples } from '@capstan/provider/testing';

const pick = <T>(values: readonly T[], choices: Choices): T => values[choices.below(values.length)] as T;
const UUID = '0005b6f1-8f43-4c2e-b2a5-1d2f3a4b5c6';
const PROVIDER_ID = 'nutanix://5e8c1d9a-7b3f-4a60-9d21-3c4b5a697887';
const uuidOf = (choices: Choices): string => `${UUID}${choices.below(10)}`;

const adapters = ['IDE', 'SATA', 'IDE', 'SATA', 'IDE', 'SATA', 'SCSI', 'PCI', 'SPAPR'];

/** Values that a field of either side can have. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  vcpusPerSocket: [1, 2, 16],
  vcpuSockets: [1, 4],
  memorySize: ['16Gi', '2048Mi'],
  systemDiskSize: ['120Gi', '20Gi'],
  'dataDisks[].diskSize': ['1Gi', '100Gi'],
  'dataDisks[].deviceProperties.deviceType': ['Disk', 'Disk', 'CDRom', '', absent, 'Disk'],
  'dataDisks[].deviceProperties.adapterType': adapters,
  'dataDisks[].storageConfig.diskMode': ['Standard', 'Flash', '', absent],
};

const leftValues: Readonly<Record<string, readonly unknown[]>> = {
  bootType: ['Legacy', 'UEFI', '', absent, 'Legacy', 'UEFI', '', absent, 'Legacy', 'SecureBoot'],
  'credentialsSecret.name': ['nutanix-credentials', absent],
  metadata: [{ creationTimestamp: null }, absent],
};

const rightValues: Readonly<Record<string, readonly unknown[]>> = {
  ...values,
  memorySize: ['16Gi', 17_179_869_184],
  bootType: ['legacy', 'uefi', '', absent],
  'bootstrapRef.apiVersion': [absent, absent, absent, 'v1'],
  'bootstrapRef.kind': [absent, absent, absent, 'Secret'],
  'bootstrapRef.name': [absent, absent, absent, 'worker-user-data'],
  'bootstrapRef.namespace': [absent, absent, absent, 'openshift-cluster-api'],
};

/** Fields that the controller of Cluster API never writes. */
const foreign = new Set(['bootstrapRef.fieldPath', 'bootstrapRef.resourceVersion', 'bootstrapRef.uid']);
const IDENTIFIER = /(?:^|\.)(?:cluster|image|project|subnets?\[\]|dataSource|storageContainer)\.(type|uuid|name)$/;
const GPU = /^gpus\[\]\.(type|deviceID|name)$/;

/** Fields of a record that one of them decides about. They are made one after the other, the same one first each time. */
class Alternatives {
  readonly #first: string;
  readonly #values: Readonly<Record<string, (choices: Choices) => unknown>>;
  readonly #types: readonly (readonly [field: string, type: string])[];
  #chosen: readonly [field: string, type: string] = ['', ''];

  /** `types` are the fields that may be chosen, some more often than others, and the words for them. */
  constructor(
    first: string,
    types: readonly (readonly [field: string, type: string])[],
    makers: Readonly<Record<string, (choices: Choices) => unknown>>,
  ) {
    this.#first = first;
    this.#types = types;
    this.#values = makers;
  }

  value(field: string, choices: Choices): unknown {
    if (field === this.#first) this.#chosen = pick(this.#types, choices);
    const [chosen, type] = this.#chosen;
    if (field === 'type') return type;
    return field === chosen ? this.#values[field]?.(choices) : absent;
  }
}

const identifierMakers = { uuid: uuidOf, name: (choices: Choices) => `n-${choices.below(500)}` };
const gpuMakers = { deviceID: (choices: Choices) => choices.below(9000), name: () => 'Ampere 40' };

interface SideExamples {
  readonly prefix: string;
  readonly own: Readonly<Record<string, readonly unknown[]>>;
  readonly identifiers: Alternatives;
  readonly containers: Alternatives;
  readonly gpus: Alternatives;
}

/** Values outside of what the platform has of its own. */
const outside: Readonly<Record<string, readonly unknown[]>> = {
  'spec.providerID': [PROVIDER_ID, absent],
  'machine.spec.providerID': [PROVIDER_ID, absent],
  'infrastructure.spec.providerID': [absent, PROVIDER_ID],
  'machine.spec.bootstrap.dataSecretName': ['worker-user-data'],
  'machine.spec.failureDomain': ['fd-1', absent],
};

function alternativeOf(
  name: string,
  { containers, gpus, identifiers }: SideExamples,
): [Alternatives, string] | undefined {
  const identifier = IDENTIFIER.exec(name)?.[1];
  if (identifier !== undefined) return [name.includes('.storageContainer.') ? containers : identifiers, identifier];
  const gpu = GPU.exec(name)?.[1];
  return gpu === undefined ? undefined : [gpus, gpu];
}

function maker(side: SideExamples): LeafMaker {
  return (path, choices) => {
    const name = path.slice(side.prefix.length);
    const known = outside[path] ?? side.own[name] ?? values[name];
    if (known !== undefined) return pick(known, choices);
    if (!path.startsWith(side.prefix)) return undefined;
    if (foreign.has(name)) return choices.below(50) === 49 ? 'odd' : absent;
    if (/ategories\[\]\.(?:key|value)$/.test(name)) return `c-${choices.below(500)}`;
    const [alternatives, field] = alternativeOf(name, side) ?? [];
    return alternatives?.value(field ?? '', choices);
  };
}

const byUuid = [['uuid', 'uuid']] as const;
const either = [...byUuid, ['name', 'name']] as const;
/** By name they are refused. */
const mostlyByUuid = [...Array.from({ length: 30 }, () => byUuid[0]), ['name', 'name']] as const;

/** What conversions of the platform are tried with. */
export const conversionExamples: ConversionExamples = {
  context: {
    clusterName: 'fleet-x7k2p',
    namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
    infrastructureCluster: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'NutanixCluster',
      metadata: { name: 'fleet-x7k2p', namespace: 'openshift-cluster-api' },
      spec: { prismCentral: { address: 'prism.example.com', port: 9440 } },
    },
  },
  makers: {
    left: maker({
      prefix: 'spec.providerSpec.value.',
      own: leftValues,
      identifiers: new Alternatives('type', either, identifierMakers),
      containers: new Alternatives('type', byUuid, identifierMakers),
      gpus: new Alternatives(
        'type',
        [
          ['deviceID', 'DeviceID'],
          ['name', 'Name'],
        ],
        gpuMakers,
      ),
    }),
    right: maker({
      prefix: 'infrastructure.spec.',
      own: rightValues,
      identifiers: new Alternatives('name', either, identifierMakers),
      containers: new Alternatives('name', mostlyByUuid, identifierMakers),
      gpus: new Alternatives(
        'deviceID',
        [
          ['deviceID', 'deviceID'],
          ['name', 'name'],
        ],
        gpuMakers,
      ),
    }),
  },
  required: ['spec.providerSpec.value.', 'infrastructure.spec.'].flatMap((prefix) => [
    `${prefix}cluster`,
    `${prefix}image`,
  ]),
  unconvertible: Object.fromEntries([
    ...[...foreign].map((name) => [`infrastructure.spec.${name}`, 'is no part of what names a secret']),
    [
      'infrastructure.spec.dataDisks[].storageConfig.storageContainer.name',
      'Machine API names containers by UUID alone',
    ],
  ]) as Record<string, string>,
};
