import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Store } from '../store/index.js';
import { ManualClock } from '../testing/fixture.js';
import type { ServiceAddress } from './call.js';
import { storedServices } from './resolve-service.js';

function storeOf(service: object | undefined, slices: Record<string, object>): Store {
  const store = new Store({ clock: new ManualClock() });
  const put = (partition: string, name: string, fields: object): void =>
    void store.create(partition, 'ns', name, {
      kind: 'X',
      apiVersion: 'v1',
      metadata: { name },
      ...fields,
    } as KubeObject);
  if (service !== undefined) put('/services', 'hooks', { spec: service });
  for (const [name, slice] of Object.entries(slices))
    put('discovery.k8s.io/endpointslices', name, {
      metadata: { name, labels: { 'kubernetes.io/service-name': 'hooks' } },
      addressType: 'IPv4',
      ...slice,
    });
  return store;
}

const SPEC = { type: 'ClusterIP', ipFamilies: ['IPv4'], ports: [{ name: 'web', port: 443 }, { port: 8443 }] };
const slice = (address: string, fields: object = {}): object => ({
  ports: [{ name: 'web', port: 9443 }, { port: 9444 }],
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ...fields,
});

const found: ServiceAddress = { host: '10.1.0.1', port: 9443 };
const none = 'no endpoints available for service "hooks"';

describe('finding who serves a Service', () => {
  it.each<readonly [string, object | undefined, Record<string, object>, number | undefined, ServiceAddress | string]>([
    ['the port of the endpoint', SPEC, { a: slice('10.1.0.1') }, undefined, found],
    ['another port', SPEC, { a: slice('10.1.0.1') }, 8443, { host: '10.1.0.1', port: 9444 }],
    ['no such port', SPEC, { a: slice('10.1.0.1') }, 80, 'no service port 80 found for service "hooks"'],
    ['no service', undefined, {}, undefined, 'service "hooks" not found'],
    ['no slices', SPEC, {}, undefined, none],
    ['no endpoints', SPEC, { a: slice('x', { endpoints: null }) }, undefined, none],
    [
      'nobody ready',
      SPEC,
      { a: slice('x', { endpoints: [{ addresses: ['x'], conditions: { ready: false } }] }) },
      undefined,
      none,
    ],
    ['readiness unknown', SPEC, { a: slice('x', { endpoints: [{ addresses: ['10.1.0.1'] }] }) }, undefined, found],
    ['the second slice', SPEC, { a: slice('x', { endpoints: [] }), b: slice('10.1.0.1') }, undefined, found],
    ['the first family', SPEC, { a: slice('::1', { addressType: 'IPv6' }), b: slice('10.1.0.1') }, undefined, found],
    ['a name elsewhere', { type: 'ExternalName' }, {}, undefined, 'unsupported service type "ExternalName"'],
  ])('%s', (...[, service, slices, port, expected]) => {
    const resolve = storedServices(storeOf(service, slices));
    expect(resolve({ namespace: 'ns', name: 'hooks', port })).toEqual(expected);
  });
});
