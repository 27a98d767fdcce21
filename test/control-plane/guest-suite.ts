import type { HostedControlPlane } from '@capstan/api/hypershift';
import type { KubeObject, Transport } from '@capstan/meta';
import {
  HOSTED_CONTROL_PLANES,
  MACHINE_SETS,
  MACHINES,
  RELEASE_VERSION_ANNOTATION,
  TARGET_CONFIG_ANNOTATION,
  CURRENT_CONFIG_ANNOTATION,
  MAX_UNAVAILABLE_ANNOTATION,
} from '@capstan/provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER_VERSIONS, GuestStage } from './guest-stage.js';
import type { Node } from './guest-stage.js';
import { NODES } from './kinds.js';
import { controlPlane, IMAGE } from './objects.js';

/** What the operator inside does with a hosted cluster, by what is told of it. */
const STORIES: Readonly<Record<string, (stage: GuestStage) => Promise<void>>> = {
  'is told its version, and what it says of it is told outside': async (stage) => {
    await stage.configOperator();
    await stage.until(async () => (await stage.version()) !== undefined);
    expect((await stage.version())?.spec).toMatchObject({ desiredUpdate: { image: IMAGE } });
    const status = {
      availableUpdates: null,
      desired: { image: IMAGE, version: '4.22.0' },
      history: [
        {
          state: 'Partial',
          startedTime: '2026-01-01T00:00:00Z',
          completionTime: null,
          version: '4.22.0',
          image: IMAGE,
          verified: false,
        },
      ],
      observedGeneration: 1,
      versionHash: 'x',
      conditions: [
        {
          type: 'Failing',
          status: 'True',
          reason: 'Broken',
          message: 'it is broken',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    };
    const told = { ...(await stage.version()), status } as KubeObject;
    await stage.guest.update(CLUSTER_VERSIONS, told, { subresource: 'status' });
    await stage.condition('ClusterVersionFailing', { status: 'True', reason: 'Broken', message: 'it is broken' });
    await stage.condition('ClusterVersionSucceeding', { status: 'False', reason: 'Broken' });
    await stage.condition('ClusterVersionUpgradeable', { status: 'True', reason: 'FromClusterVersion' });
    await stage.condition('ClusterVersionAvailable', { status: 'Unknown', reason: 'StatusUnknown' });
    expect((await stage.plane()).status?.versionStatus).toMatchObject({
      desired: { version: '4.22.0' },
      availableUpdates: null,
    });
    await stage.quiet();
    const spec = { releaseImage: 'registry.example.com/release:4.22.1' };
    await stage.client.patch(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { spec } },
      { namespace: stage.namespace },
    );
    await stage.until(async () => (await stage.version())?.spec?.desiredUpdate?.image === spec.releaseImage);
  },

  'has nodes with the labels and taints of their machines, and counts them': async (stage) => {
    await stage.configOperator();
    await stage.pool('workers', ['n-0', 'n-1'], 'aaaa');
    await stage.until(async () => (await stage.guest.get(NODES, 'n-0')).metadata.labels?.['tier'] === 'gold');
    const node = await stage.guest.get<Node>(NODES, 'n-0');
    expect(node.metadata.labels).toMatchObject({ 'hypershift.openshift.io/nodePool': 'workers' });
    expect(node.spec?.taints).toContainEqual({ key: 'dedicated', value: 'x', effect: 'NoSchedule' });
    await stage.until(async () => (await stage.plane()).status?.nodeCount === 2);
    const value = { metadata: { labels: { 'managed.hypershift.openshift.io.tier': null } } };
    await stage.client.patch(MACHINES, 'm-n-0', { type: 'merge', value }, { namespace: stage.namespace });
    await stage.until(async () => (await stage.guest.get(NODES, 'n-0')).metadata.labels?.['tier'] === undefined);
  },

  'has its nodes upgraded in place, no more at a time than may be missing': async (stage) => {
    const names = ['n-0', 'n-1', 'n-2', 'n-3', 'n-4'];
    await stage.pool('workers', names, 'aaaa');
    stage.configureNodes();
    await stage.configOperator();
    const annotations = { [TARGET_CONFIG_ANNOTATION]: 'bbbb', [MAX_UNAVAILABLE_ANNOTATION]: '2' };
    const value = { metadata: { annotations }, spec: { template: { spec: { version: 'v4.22.1' } } } };
    await stage.client.patch(MACHINE_SETS, 'workers', { type: 'merge', value }, { namespace: stage.namespace });
    const set = (): Promise<KubeObject> => stage.client.get(MACHINE_SETS, 'workers', { namespace: stage.namespace });
    await stage.until(async () => (await set()).metadata.annotations?.[CURRENT_CONFIG_ANNOTATION] === 'bbbb');
    await stage.quiet();
    for (const name of names) {
      const node = await stage.guest.get<Node>(NODES, name);
      expect(node.spec?.unschedulable).toBeUndefined();
      expect(node.metadata.annotations).toMatchObject({ 'hypershift.openshift.io/desired-release': '4.22.1' });
      expect(node.metadata.annotations).not.toHaveProperty('capstan.dev/in-place-turn');
      const machine = await stage.client.get(MACHINES, `m-${name}`, { namespace: stage.namespace });
      expect(machine.metadata.annotations?.[RELEASE_VERSION_ANNOTATION]).toBe('4.22.1');
    }
    expect(stage.mostCordoned).toBe(2);
    expect((await set()).metadata.annotations).not.toHaveProperty(
      'hypershift.openshift.io/nodePoolUpgradeInProgressTrue',
    );
  },

  'lets go of what it has in a cloud before its control plane goes': async (stage) => {
    const services = { group: '', version: 'v1', plural: 'services', namespaced: true };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'balanced', namespace: 'default', finalizers: ['example.com/cloud'] },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    };
    await stage.guest.create(services, service as KubeObject);
    const metadata = {
      finalizers: ['example.com/keep'],
      annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' },
    };
    await stage.client.patch<HostedControlPlane>(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { metadata } },
      { namespace: stage.namespace },
    );
    await stage.configOperator();
    await stage.client.delete(HOSTED_CONTROL_PLANES, 'one', { namespace: stage.namespace });
    await stage.condition('CloudResourcesDestroyed', {
      status: 'False',
      reason: 'RemainingCloudResources',
      message: 'Remaining resources: service default/balanced',
    });
    await stage.guest.patch(
      services,
      'balanced',
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace: 'default' },
    );
    await stage.condition('CloudResourcesDestroyed', { status: 'True', reason: 'CloudResourcesDestroyed' });
    await stage.client.patch(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace: stage.namespace },
    );
  },
};

/** Tells all of it to an API server. */
export function tellOfHostedClusters(server: string, open: () => { management: Transport; guest: Transport }): void {
  describe(`a hosted cluster on ${server}`, () => {
    let servers: { readonly management: Transport; readonly guest: Transport };
    let count = 0;

    beforeAll(() => {
      servers = open();
    });

    it.each(Object.entries(STORIES))('%s', async (_, tell) => {
      count += 1;
      const stage = new GuestStage(servers.management, servers.guest, `hosted-${count}`);
      try {
        await stage.open();
        await stage.client.create(HOSTED_CONTROL_PLANES, controlPlane({}, { namespace: stage.namespace }));
        await tell(stage);
      } finally {
        await stage.close();
        await stage.sweep();
      }
    });
  });
}
