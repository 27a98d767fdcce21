import { ApiServer } from '@capstan/apiserver';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { definitionsFor } from './definitions.js';
import { clusterNamespace, clusterObjects, clusterPrograms, fleetOf } from './fleet.js';
import { Installer } from './install.js';

const images = { clusterApi: 'a', clusterAutoscaler: 'b', infrastructure: 'c', machineApprover: 'd' };
const guest = {
  host: '127.0.0.1',
  port: 1,
  kubeconfigSecret: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kubeconfig', namespace: 'default' } },
  userData: '{}',
};

describe('a fleet', () => {
  it('is spread over platforms, and has a name for every cluster however many there are', () => {
    expect(fleetOf(0)).toEqual([]);
    expect(fleetOf(3).map(({ name, platform }) => `${name} on ${platform}`)).toEqual([
      'anchor on aws',
      'bollard on azure',
      'cleat on kubevirt',
    ]);
    expect(new Set(fleetOf(200).map(({ namespace }) => namespace)).size).toBe(200);
  });

  it('is made of objects that the published kinds of every platform accept', async () => {
    const clusters = fleetOf(6);
    const { signal } = new AbortController();
    const server = new ApiServer({ clock: systemClock(), random: systemRandom() });
    const installer = new Installer(new Client(server));
    await installer.applyAll(await definitionsFor(clusters, []), signal);
    for (const cluster of clusters) {
      await installer.apply(clusterNamespace(cluster), signal);
      await installer.applyAll([...clusterPrograms(cluster, images), ...clusterObjects(cluster, guest)], signal);
    }
    const { items } = await new Client(server).list({
      group: 'cluster.hypershift.openshift.io',
      version: 'v1beta2',
      plural: 'clusters',
      namespaced: true,
    });
    expect(items).toHaveLength(6);
  });
});
