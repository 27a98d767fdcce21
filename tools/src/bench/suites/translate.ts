import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import type { BenchContext, BenchRow, BenchSuite } from '../model.js';

const PRIVATE = 'cluster.hypershift.openshift.io';
const CHUNK_BYTES = 64 * 1024;
const MEGABYTE = 1e6;

/** A machine as a server lists it: six groups to rename, and more of its bytes in managed fields than anywhere. */
const machine = (index: number): unknown => ({
  apiVersion: `${PRIVATE}/v1beta2`,
  kind: 'Machine',
  metadata: {
    creationTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['machine.cluster.x-k8s.io'],
    labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/set-name': `s${index}` },
    managedFields: ['manager', 'capi-machine'].map((manager) => ({
      apiVersion: `${PRIVATE}/v1beta2`,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': {
          'f:finalizers': { '.': {}, 'v:"machine.cluster.x-k8s.io"': {} },
          'f:labels': { 'f:cluster.x-k8s.io/cluster-name': {} },
        },
        'f:spec': {
          'f:bootstrap': { 'f:configRef': { 'f:apiGroup': {}, 'f:kind': {}, 'f:name': {} } },
          'f:clusterName': {},
        },
      },
      manager,
      operation: 'Apply',
    })),
    name: `machine-${index}`,
    ownerReferences: [
      { apiVersion: `${PRIVATE}/v1beta2`, kind: 'MachineSet', name: 's', uid: '0af3c1a2-1111-2222-3333-444455556666' },
    ],
    uid: `0af3c1a2-1111-2222-3333-${index}`,
  },
  spec: {
    bootstrap: { configRef: { apiGroup: `bootstrap.${PRIVATE}`, kind: 'KubeadmConfig', name: `b${index}` } },
    clusterName: 'c',
    infrastructureRef: { apiGroup: `infrastructure.${PRIVATE}`, kind: 'AWSMachine', name: `m${index}` },
    providerID: 'aws:///us-east-1a/i-0123456789',
  },
  status: {
    addresses: [{ address: '10.0.0.1', type: 'InternalIP' }],
    conditions: ['Ready', 'BootstrapReady', 'InfrastructureReady'].map((type) => ({
      message: 'all is well',
      reason: 'Fine',
      status: 'True',
      type,
    })),
    phase: 'Running',
  },
});

const configMap = (index: number): unknown => ({
  metadata: { name: `c${index}`, uid: `u${index}` },
  data: { a: 'x'.repeat(400), b: 'key: value\n'.repeat(200) },
});

const listOf = (count: number, make: (index: number) => unknown): Buffer =>
  Buffer.from(
    JSON.stringify({ apiVersion: 'v1', items: Array.from({ length: count }, (_, index) => make(index)), kind: 'List' }),
  );

function chunksOf(bytes: Buffer): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

const translator = translate(new GroupMapping(CLUSTER_API_RULES));

function rewrite(target: string, chunks: readonly Uint8Array[]): number {
  const request = translator.request({ method: 'GET', target, headers: {} });
  if ('refuse' in request) return 0;
  const { body } = request.response(200, { 'content-type': 'application/json' });
  if (body === 'pass') return 0;
  let size = 0;
  for (const chunk of chunks) for (const part of body.push(chunk)) size += part.length;
  for (const part of body.end()) size += part.length;
  return size;
}

function plainLoop(chunks: readonly Uint8Array[]): number {
  let sum = 0;
  for (const chunk of chunks) for (let at = 0; at < chunk.length; at += 1) sum += chunk[at] as number;
  return sum;
}

function row(name: string, target: string, bytes: Buffer, goal: number): BenchRow {
  const chunks = chunksOf(bytes);
  const megabytes = (work: () => unknown) => (context: BenchContext) => (context.rate(work) * bytes.length) / MEGABYTE;
  return {
    name,
    unit: 'MB/s',
    better: 'higher',
    target: goal,
    reference: { name: 'a loop over the bytes', run: megabytes(() => plainLoop(chunks)) },
    run: megabytes(() => rewrite(target, chunks)),
  };
}

/** Translation of groups in bodies, against a loop that only reads every byte. */
export const translateSuite: BenchSuite = {
  name: 'translate',
  open: () => ({
    rows: [
      row('a list of machines, six groups each', '/apis/cluster.x-k8s.io/v1beta2/machines', listOf(1000, machine), 250),
      row('a list of config maps without groups', '/api/v1/configmaps', listOf(1000, configMap), 1000),
    ],
  }),
};
