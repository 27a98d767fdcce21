import { MemoryLink } from '@capstan/cluster';
import type { ApiRequest, ApiResponse, KubeObject, Transport } from '@capstan/meta';
import { systemClock } from '@capstan/kube';
import { afterEach, expect, it } from 'vitest';
import { PODS, PodCluster } from '../cluster/virtual-cluster.js';
import { openPodServer } from './backend.js';

/** Knows which watches of ConfigMaps and Secrets are open. */
class WatchedWay implements Transport {
  readonly open = new Set<string>();
  readonly #server: Transport;

  constructor(server: Transport) {
    this.#server = server;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const response = await this.#server.send(request);
    const { target } = request;
    if (response.body.type !== 'watch' || !/\/(configmaps|secrets)\?/.test(target)) return response;
    const name = decodeURIComponent(target).replace(/&resourceVersion.*/, '');
    this.open.add(name);
    request.signal?.addEventListener('abort', () => this.open.delete(name), { once: true });
    return response;
  }
}

const mounting = (map: string): object => ({
  containers: [{ name: 'main', image: 'any' }],
  volumes: [{ name: 'v', configMap: { name: map } }],
});

let cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

it('a kubelet watches what its pods are fed with, once and no longer than they need it', async () => {
  const { close, namespace, prefix, transport } = await openPodServer();
  const way = new WatchedWay(transport);
  const cluster = new PodCluster({ clock: systemClock(), link: new MemoryLink(), server: way, namespace, prefix });
  cleanups.push(close, () => cluster.stop());
  await cluster.start();
  expect([...way.open]).toEqual([]);
  for (const name of ['one', 'other']) {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { k: 'v' } };
    await cluster.client.create({ ...PODS, plural: 'configmaps' }, map as KubeObject);
  }
  const grace = { terminationGracePeriodSeconds: 1 };
  await cluster.createPod('a', { ...mounting('one'), ...grace });
  await cluster.createPod('b', { ...mounting('one'), ...grace });
  for (const name of ['a', 'b']) await expect.poll(() => cluster.isReady(name)).toBe(true);
  expect([...way.open]).toEqual([
    `/api/v1/namespaces/${namespace}/configmaps?watch=true&fieldSelector=metadata.name=one`,
  ]);
  await cluster.client.delete(PODS, 'a', { namespace });
  await expect.poll(() => cluster.podIfThere('a')).toBeUndefined();
  expect(way.open.size).toBe(1);
  await cluster.client.delete(PODS, 'b', { namespace });
  await expect.poll(() => [...way.open]).toEqual([]);
  expect(await cluster.podIfThere('b')).toBeUndefined();
});
