import { connect } from 'node:net';
import { expect, inject, it } from 'vitest';
import { openPodServer } from '../pods/backend.js';
import { servePodProxy } from '../src/pod-proxy.js';
import { configureHook, describeEndpoints } from './webhook-services-suite.js';

const ENDPOINTS = { group: '', version: 'v1', plural: 'endpoints', namespaced: true };
const SLICES = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', namespaced: true };
/** The first of the minors in use that reads slices. */
const READS_SLICES = 36;
/** An address that no host has: the proxy knows the target it stands for. */
const ADDRESS = '10.254.0.1';

it('webhooks behind Services are found by the endpoints of the Service, once there are any', async () => {
  const { podProxySocket = '', version } = inject('realKube');
  const { close, namespace, transport } = await openPodServer();
  const fixture = await configureHook(namespace, () => Promise.resolve(transport));
  const dialled: string[] = [];
  const proxy = await servePodProxy(podProxySocket, async (host, port) => {
    dialled.push(`${host}:${port}`);
    return connect(fixture.port, '127.0.0.1');
  });
  try {
    const addEndpoint = async (): Promise<void> => {
      const metadata = { name: 'hooks', namespace, labels: { 'kubernetes.io/service-name': 'hooks' } };
      // Older servers read Endpoints, newer ones slices, and no controller here derives one from the other.
      await fixture.client.create(ENDPOINTS, {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata,
        subsets: [{ addresses: [{ ip: ADDRESS }], ports: [{ port: 9443 }] }],
      });
      await fixture.client.create(SLICES, {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata,
        addressType: 'IPv4',
        ports: [{ port: 9443 }],
        endpoints: [{ addresses: [ADDRESS] }],
      });
    };
    const old = Number(version.split('.')[1]) < READS_SLICES ? { nothingBehind: 'endpoints "hooks" not found' } : {};
    await describeEndpoints(fixture, namespace, { addEndpoint, ...old });
    expect(dialled).toEqual([`${ADDRESS}:9443`]);
  } finally {
    await fixture.close();
    await proxy.close();
    await close();
  }
});
