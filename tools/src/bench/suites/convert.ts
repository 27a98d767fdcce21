import { clusterApiConversions } from '@capstan/convert/cluster-api';
import type { JsonObject } from '@capstan/meta';

import type { BenchRow, BenchSuite } from '../model.js';
import { machineRows } from './convert-machines.js';

const context = { apiVersionOf: (group: string) => `${group}/v1beta2` };
const conditions = ['Ready', 'InfrastructureReady', 'BootstrapReady'].map((type) => ({
  type,
  status: 'True',
  lastTransitionTime: '2026-01-02T03:04:05Z',
}));

/** A machine that runs, as most of a list do. */
const machine: JsonObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'workers-7c5ddbdf54-x',
    namespace: 'default',
    uid: '5d3f1a2b-0000-4000-8000-000000000001',
    labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/deployment-name': 'workers' },
    annotations: { note: 'a text' },
  },
  spec: {
    clusterName: 'c',
    bootstrap: { dataSecretName: 'workers-7c5ddbdf54-x' },
    infrastructureRef: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      name: 'workers-7c5ddbdf54-x',
      namespace: 'default',
    },
    version: 'v1.33.1',
    providerID: 'aws:///eu-1a/i-0123456789abcdef0',
    failureDomain: 'eu-1a',
    nodeDrainTimeout: '10m0s',
    nodeDeletionTimeout: '10s',
  },
  status: {
    phase: 'Running',
    nodeRef: { apiVersion: 'v1', kind: 'Node', name: 'ip-10-0-0-7' },
    addresses: [
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'Hostname', address: 'ip-10-0-0-7' },
    ],
    bootstrapReady: true,
    infrastructureReady: true,
    observedGeneration: 3,
    conditions,
    v1beta2: { conditions: conditions.map((each) => ({ ...each, reason: 'Ready', message: '' })) },
  },
};

function row(
  name: string,
  side: 'left' | 'right',
  object: JsonObject,
  convert: (object: JsonObject) => unknown,
): BenchRow {
  const text = JSON.stringify(object);
  return {
    name: `a Machine from ${side === 'left' ? 'v1beta1 to v1beta2' : 'v1beta2 to v1beta1'}${name}`,
    unit: 'objects/s',
    better: 'higher',
    reference: {
      name: 'JSON.parse and JSON.stringify',
      run: (bench) => bench.rate(() => JSON.stringify(JSON.parse(text) as unknown)),
    },
    run: (bench) => bench.rate(() => convert(object)),
  };
}

function rows(): BenchRow[] {
  const map = clusterApiConversions.find(({ kind }) => kind === 'Machine')?.map;
  if (map === undefined) throw new Error('Machine is not converted');
  const there = map.forward(machine, context);
  const back = map.backward(there.value, context);
  if (there.errors.length + back.errors.length > 0) throw new Error('the machine of the benchmark cannot be converted');
  const forward = (object: JsonObject): unknown => map.forward(object, context);
  return [
    row('', 'left', machine, forward),
    row('', 'right', there.value, (object) => map.backward(object, context)),
    row(', with what was put aside', 'left', back.value, forward),
  ];
}

/** Conversion between versions and between APIs, against reading and writing the same objects as text. */
export const convertSuite: BenchSuite = {
  name: 'convert',
  open: async ({ quick }) => {
    const machines = await machineRows(quick);
    return { ...machines, rows: [...rows(), ...machines.rows] };
  },
};
