import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { endpointText, publishedEndpoint, publishingOf } from './endpoints.js';
import type { Publishing } from './endpoints.js';

type Strategy = NonNullable<Publishing['servicePublishingStrategy']>;

function service(fields: object = {}, status: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'clusters-a', name: 'kube-apiserver' },
    spec: { ports: [{ port: 6443, ...fields }] },
    status,
  };
}

const balanced = (...ingress: object[]): object => ({ loadBalancer: { ingress } });
const AT = 'Service clusters-a/kube-apiserver';

describe('a published service is reached', () => {
  it.each<[string, Strategy | undefined, KubeObject | undefined, { host: string; port: number }]>([
    [
      'by the name of its load balancer',
      { type: 'LoadBalancer' },
      service({}, balanced({ hostname: 'lb', ip: '1.2.3.4' })),
      { host: 'lb', port: 6443 },
    ],
    [
      'by the address of its load balancer',
      { type: 'LoadBalancer' },
      service({}, balanced({ ip: '1.2.3.4' })),
      { host: '1.2.3.4', port: 6443 },
    ],
    [
      'by a name of the user for its load balancer',
      { type: 'LoadBalancer', loadBalancer: { hostname: 'api.example.com' } },
      service({}, balanced({ ip: '1.2.3.4' })),
      { host: 'api.example.com', port: 6443 },
    ],
    [
      'by a node',
      { type: 'NodePort', nodePort: { address: '10.0.0.1' } },
      service({ nodePort: 30_443 }),
      { host: '10.0.0.1', port: 30_443 },
    ],
    [
      'by a route',
      { type: 'Route', route: { hostname: 'api.example.com' } },
      undefined,
      { host: 'api.example.com', port: 443 },
    ],
    [
      'inside, when its route has no name',
      { type: 'Route' },
      service(),
      { host: 'kube-apiserver.clusters-a.svc', port: 6443 },
    ],
    ['inside, when it is not published', undefined, service(), { host: 'kube-apiserver.clusters-a.svc', port: 6443 }],
  ])('%s', (_, strategy, given, endpoint) => {
    expect(publishedEndpoint(strategy, given)).toEqual({ endpoint });
  });

  it.each<[string, Strategy, KubeObject | undefined, string]>([
    ['its Service', { type: 'LoadBalancer' }, undefined, 'the Service has not been created yet'],
    ['a port', { type: 'None' }, { ...service(), spec: {} }, `a port of ${AT}`],
    [
      'a balancer',
      { type: 'LoadBalancer', loadBalancer: { hostname: 'x' } },
      service(),
      `an address of the load balancer of ${AT}`,
    ],
    ['a node port', { type: 'NodePort', nodePort: { address: '10.0.0.1' } }, service(), `a node port of ${AT}`],
    [
      'an address of nodes',
      { type: 'NodePort' },
      service({ nodePort: 30_443 }),
      'nodePort.address in spec.services, where nodes are reached',
    ],
  ])('later, when it waits for %s', (_, strategy, given, waitingFor) => {
    expect(publishedEndpoint(strategy, given)).toEqual({ waitingFor });
  });
});

it('the strategy of a service is found by its name', () => {
  const services = [{ service: 'Ignition', servicePublishingStrategy: { type: 'Route' } }];
  expect(publishingOf(services, 'Ignition')).toEqual({ type: 'Route' });
  expect(publishingOf(services, 'APIServer')).toBeUndefined();
  expect(publishingOf(undefined, 'APIServer')).toBeUndefined();
});

it.each([
  [{ host: 'a.b', port: 443 }, 'a.b'],
  [{ host: 'a.b', port: 6443 }, 'a.b:6443'],
  [{ host: 'fd00::1', port: 6443 }, '[fd00::1]:6443'],
])('%j is written %s', (endpoint, text) => {
  expect(endpointText(endpoint)).toBe(text);
});
