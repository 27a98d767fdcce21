import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { backendGroups } from './addresses.js';
import type { Service } from './addresses.js';
import { endpointSubsets, sliceChanges } from './objects.js';
import type { EndpointSlice } from './objects.js';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'n', uid: 'service', labels: { a: 'b' } },
  spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }], ipFamilies: ['IPv4'] },
};

function pod(index: number, fields: { ready?: boolean; leaving?: boolean; phase?: string; port?: number } = {}): Pod {
  const { leaving = false, phase = 'Running', port = 8080, ready = true } = fields;
  const name = `p${String(index).padStart(3, '0')}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'n', uid: name, ...(leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
    spec: { nodeName: 'node', containers: [{ ports: [{ name: 'web', containerPort: port }] }] },
    status: { phase, podIP: `10.0.0.${index}`, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

const changes = (pods: readonly Pod[], existing: readonly EndpointSlice[] = []) =>
  sliceChanges(service, backendGroups(service, pods), existing);

/** Slices as the server would give them back. */
const named = (slices: readonly EndpointSlice[]): EndpointSlice[] =>
  slices.map((slice, index) => ({ ...slice, metadata: { ...slice.metadata, name: `s-${index}` } }));

describe('endpointSubsets', () => {
  it('separates ready from other pods and leaves out those that leave or are over', () => {
    const pods = [pod(1), pod(2, { ready: false }), pod(3, { leaving: true }), pod(4, { phase: 'Succeeded' })];
    const address = (name: string, ip: string) => ({
      ip,
      nodeName: 'node',
      targetRef: { kind: 'Pod', namespace: 'n', name, uid: name },
    });
    expect(endpointSubsets(backendGroups(service, pods), 'IPv4')).toEqual([
      {
        addresses: [address('p001', '10.0.0.1')],
        notReadyAddresses: [address('p002', '10.0.0.2')],
        ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
      },
    ]);
  });

  it('publishes pods that are not ready when the service asks for it', () => {
    const eager = { ...service, spec: { ...service.spec, publishNotReadyAddresses: true } };
    const [subset] = endpointSubsets(backendGroups(eager, [pod(1, { ready: false })]), 'IPv4');
    expect(Object.keys(subset as object)).toEqual(['addresses', 'ports']);
  });

  it('has a subset for every meaning of a named port', () => {
    const subsets = endpointSubsets(backendGroups(service, [pod(1), pod(2, { port: 9090 })]), 'IPv4');
    expect(subsets.map((subset) => (subset as { ports: { port: number }[] }).ports[0]?.port)).toEqual([8080, 9090]);
  });
});

describe('sliceChanges', () => {
  it('makes one empty slice for a service without pods, and leaves it', () => {
    const { create } = changes([]);
    expect(create.map(({ endpoints, ports }) => [endpoints, ports])).toEqual([[[], []]]);
    expect(changes([], named(create))).toEqual({ create: [], update: [], remove: [] });
  });

  it('has the conditions of every pod', () => {
    const [slice] = changes([pod(1, { leaving: true })]).create;
    expect(slice?.endpoints?.[0]?.['conditions']).toEqual({ ready: false, serving: true, terminating: true });
    expect(slice?.metadata.labels).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 's',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
  });

  it('cuts into hundreds, and touches only the slice that changes', () => {
    const pods = Array.from({ length: 150 }, (_, index) => pod(index));
    const existing = named(changes(pods).create);
    expect(existing.map(({ endpoints }) => endpoints?.length)).toEqual([100, 50]);
    expect(changes(pods, existing)).toEqual({ create: [], update: [], remove: [] });
    const { create, remove, update } = changes(pods.slice(1), existing);
    expect([create.length, remove.length]).toEqual([0, 0]);
    expect(update.map(({ metadata, endpoints }) => [metadata.name, endpoints?.length])).toEqual([['s-0', 99]]);
  });

  it('removes slices nobody is left in', () => {
    const existing = named([...changes([pod(1)]).create, ...changes([pod(2, { port: 9090 })]).create]);
    expect(changes([pod(1)], existing).remove.map(({ metadata }) => metadata.name)).toEqual(['s-1']);
  });
});
