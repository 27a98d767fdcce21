import { convertedBy, instantShim, reviewOf } from '@capstan/conversion-shim/testing';
import type { JsonObject } from '@capstan/meta';
import type { BenchContext, BenchRow, BenchSuite } from '../model.js';

const CORE = 'cluster.hypershift.openshift.io';
const INFRASTRUCTURE = `infrastructure.${CORE}`;
const MANY = 500;
const MICROSECONDS = 1e6;

const metadata = (index: number): JsonObject => ({
  name: `machine-${index}`,
  namespace: 'clusters',
  uid: `0af3c1a2-1111-2222-3333-${index}`,
  labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/set-name': `s${index}` },
  finalizers: ['machine.cluster.x-k8s.io'],
  ownerReferences: [{ apiVersion: `${CORE}/v1beta2`, kind: 'Machine', name: `m${index}`, uid: 'u' }],
  managedFields: ['manager', 'provider'].map((manager) => ({
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { 'f:cluster.x-k8s.io/cluster-name': {} } }, 'f:spec': { 'f:ami': {} } },
    manager,
    operation: 'Apply',
  })),
});

/** An object of a provider, of about one and a half kilobytes. */
const awsMachine = (index: number): JsonObject => ({
  apiVersion: `${INFRASTRUCTURE}/v1beta1`,
  kind: 'AWSMachine',
  metadata: metadata(index),
  spec: {
    ami: { id: 'ami-0123456789abcdef0' },
    instanceType: 'm6i.xlarge',
    iamInstanceProfile: 'nodes',
    additionalTags: { cluster: 'c', owner: 'a-team' },
    rootVolume: { size: 120, type: 'gp3', encrypted: true },
    identityRef: { apiVersion: `${INFRASTRUCTURE}/v1beta1`, kind: 'AWSClusterRoleIdentity', name: 'i' },
    subnet: { filters: [{ name: 'tag:Name', values: ['private-a', 'private-b'] }] },
  },
  status: {
    ready: true,
    instanceState: 'running',
    addresses: [{ address: '10.0.0.1', type: 'InternalIP' }],
    conditions: ['Ready', 'InstanceReady', 'SecurityGroupsReady'].map((type) => ({ type, status: 'True' })),
  },
});

const machine = (index: number): JsonObject => ({
  apiVersion: `${CORE}/v1beta2`,
  kind: 'Machine',
  metadata: metadata(index),
  spec: {
    bootstrap: { configRef: { apiGroup: `bootstrap.${CORE}`, kind: 'KubeadmConfig', name: `b${index}` } },
    clusterName: 'c',
    infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name: `m${index}` },
    providerID: 'aws:///us-east-1a/i-0123456789',
  },
});

/** A review, and how it is answered and checked: the same answer every time, made beforehand. */
function prepared(
  objects: readonly JsonObject[],
  desired: string,
): { readonly body: Buffer; readonly ask: () => Promise<unknown> } {
  const body = Buffer.from(JSON.stringify(reviewOf(objects, { desired })));
  let known: Buffer | undefined;
  const answer = instantShim(
    (review) => (known ??= Buffer.from(JSON.stringify(convertedBy(JSON.parse(String(review)))))),
  );
  return { body, ask: () => answer(body) };
}

function row(name: string, objects: readonly JsonObject[], desired: string, goal?: number): BenchRow {
  const { ask, body } = prepared(objects, desired);
  const count = objects.length;
  const perSecond = (rate: number): number => (count === 1 ? MICROSECONDS / rate : rate * count);
  const [unit, better] = count === 1 ? (['µs', 'lower'] as const) : (['objects/s', 'higher'] as const);
  return {
    name,
    unit,
    better,
    ...(goal === undefined ? {} : { target: goal }),
    reference: {
      name: 'parsed and printed once',
      run: (context: BenchContext) => perSecond(context.rate(() => JSON.stringify(JSON.parse(body.toString())))),
    },
    run: async (context: BenchContext) => perSecond(await context.rateAsync(ask)),
  };
}

const many = (make: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: MANY }, (_, index) => make(index));

/** What the shim adds to a conversion: reading, translating there and back, checking. */
export const shimSuite: BenchSuite = {
  name: 'shim',
  open: () => ({
    rows: [
      row('a review of one object, without the delegate', [awsMachine(0)], `${INFRASTRUCTURE}/v1beta2`, 1000),
      row('a review of 500 objects, without the delegate', many(awsMachine), `${INFRASTRUCTURE}/v1beta2`, 20_000),
      row('a review of 500 machines, converted by the shim', many(machine), `${CORE}/v1beta1`),
    ],
  }),
};
