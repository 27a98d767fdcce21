import { ApiServer } from '@capstan/apiserver';
import { ManualClock, systemRandom } from '@capstan/kube';
import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { PODS, PodCluster } from './virtual-cluster.js';

/** A server that knows which watches of ConfigMaps and Secrets are open. */
class WatchedServer extends ApiServer {
  readonly open = new Set<string>();

  override async send(request: ApiRequest): Promise<ApiResponse> {
    const response = await super.send(request);
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

it('a kubelet watches what its pods are fed with, once and no longer than they need it', async () => {
  const clock = new ManualClock();
  const server = new WatchedServer({ clock, random: systemRandom('feeds') });
  const cluster = new PodCluster({ clock, server });
  const starting = cluster.start();
  await clock.advance(0);
  await starting;
  expect([...server.open]).toEqual([]);
  for (const name of ['one', 'other']) {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { k: 'v' } };
    await cluster.client.create({ ...PODS, plural: 'configmaps' }, map as KubeObject);
  }
  await cluster.createPod('a', mounting('one'));
  await cluster.createPod('b', mounting('one'));
  await clock.advance(100);
  expect([await cluster.isReady('a'), await cluster.isReady('b')]).toEqual([true, true]);
  expect([...server.open]).toEqual([
    '/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name=one',
  ]);
  await cluster.client.delete(PODS, 'a', { namespace: 'default' });
  await clock.advance(5000);
  expect(server.open.size).toBe(1);
  await cluster.client.delete(PODS, 'b', { namespace: 'default' });
  await clock.advance(5000);
  expect([...server.open]).toEqual([]);
  const stopping = cluster.stop();
  await clock.advance(0);
  await stopping;
});
