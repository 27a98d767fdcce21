import type { HostedControlPlane } from '@capstan/api/hypershift';
import {
  CURRENT_CONFIG_ANNOTATION,
  HOSTED_CONTROL_PLANES,
  MACHINE_SETS,
  MACHINES,
  MAX_UNAVAILABLE_ANNOTATION,
  RELEASE_VERSION_ANNOTATION,
  TARGET_CONFIG_ANNOTATION,
} from '@capstan/hosting';
import type { KubeObject, Transport } from '@capstan/meta';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER_VERSIONS, GuestFixture } from './guest-fixture.js';
import type { Node } from './guest-fixture.js';
import { NODES } from './kinds.js';
import { controlPlane, IMAGE } from './objects.js';

/** What the operator inside does with a hosted cluster. */
const SCENARIOS: Readonly<Record<string, (fixture: GuestFixture) => Promise<void>>> = {
  'is given its version, and its ClusterVersion status is reported on the management cluster': async (fixture) => {
    await fixture.configOperator();
    await fixture.until(async () => (await fixture.version()) !== undefined);
    expect((await fixture.version())?.spec).toMatchObject({ desiredUpdate: { image: IMAGE } });
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
    const upgraded = { ...(await fixture.version()), status } as KubeObject;
    await fixture.guest.update(CLUSTER_VERSIONS, upgraded, { subresource: 'status' });
    await fixture.condition('ClusterVersionFailing', { status: 'True', reason: 'Broken', message: 'it is broken' });
    await fixture.condition('ClusterVersionSucceeding', { status: 'False', reason: 'Broken' });
    await fixture.condition('ClusterVersionUpgradeable', { status: 'True', reason: 'FromClusterVersion' });
    await fixture.condition('ClusterVersionAvailable', { status: 'Unknown', reason: 'StatusUnknown' });
    expect((await fixture.plane()).status?.versionStatus).toMatchObject({
      desired: { version: '4.22.0' },
      availableUpdates: null,
    });
    await fixture.quiet();
    const spec = { releaseImage: 'registry.example.com/release:4.22.1' };
    await fixture.client.patch(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { spec } },
      { namespace: fixture.namespace },
    );
    await fixture.until(async () => (await fixture.version())?.spec?.desiredUpdate?.image === spec.releaseImage);
  },

  'sets the labels and taints of machines on their nodes, and counts the nodes': async (fixture) => {
    await fixture.configOperator();
    await fixture.pool('workers', ['n-0', 'n-1'], 'aaaa');
    await fixture.until(async () => (await fixture.guest.get(NODES, 'n-0')).metadata.labels?.['tier'] === 'gold');
    const node = await fixture.guest.get<Node>(NODES, 'n-0');
    expect(node.metadata.labels).toMatchObject({ 'hypershift.openshift.io/nodePool': 'workers' });
    expect(node.spec?.taints).toContainEqual({ key: 'dedicated', value: 'x', effect: 'NoSchedule' });
    await fixture.until(async () => (await fixture.plane()).status?.nodeCount === 2);
    const value = { metadata: { labels: { 'managed.hypershift.openshift.io.tier': null } } };
    await fixture.client.patch(MACHINES, 'm-n-0', { type: 'merge', value }, { namespace: fixture.namespace });
    await fixture.until(async () => (await fixture.guest.get(NODES, 'n-0')).metadata.labels?.['tier'] === undefined);
  },

  'upgrades its nodes in place, no more at a time than maxUnavailable': async (fixture) => {
    const names = ['n-0', 'n-1', 'n-2', 'n-3', 'n-4'];
    await fixture.pool('workers', names, 'aaaa');
    fixture.configureNodes();
    await fixture.configOperator();
    const annotations = { [TARGET_CONFIG_ANNOTATION]: 'bbbb', [MAX_UNAVAILABLE_ANNOTATION]: '2' };
    const value = { metadata: { annotations }, spec: { template: { spec: { version: 'v4.22.1' } } } };
    await fixture.client.patch(MACHINE_SETS, 'workers', { type: 'merge', value }, { namespace: fixture.namespace });
    const set = (): Promise<KubeObject> =>
      fixture.client.get(MACHINE_SETS, 'workers', { namespace: fixture.namespace });
    await fixture.until(async () => (await set()).metadata.annotations?.[CURRENT_CONFIG_ANNOTATION] === 'bbbb');
    await fixture.quiet();
    for (const name of names) {
      const node = await fixture.guest.get<Node>(NODES, name);
      expect(node.spec?.unschedulable).toBeUndefined();
      expect(node.metadata.annotations).toMatchObject({ 'hypershift.openshift.io/desired-release': '4.22.1' });
      expect(node.metadata.annotations).not.toHaveProperty('capstan.dev/in-place-turn');
      const machine = await fixture.client.get(MACHINES, `m-${name}`, { namespace: fixture.namespace });
      expect(machine.metadata.annotations?.[RELEASE_VERSION_ANNOTATION]).toBe('4.22.1');
    }
    expect(fixture.mostCordoned).toBe(2);
    expect((await set()).metadata.annotations).not.toHaveProperty(
      'hypershift.openshift.io/nodePoolUpgradeInProgressTrue',
    );
  },

  'is left as it is while a migration has locked its control plane': async (fixture) => {
    await fixture.pool('workers', ['n-0'], 'aaaa');
    fixture.configureNodes();
    await fixture.configOperator();
    await fixture.until(async () => (await fixture.plane()).status?.nodeCount === 1);
    const { client, namespace } = fixture;
    const lock = (id: string | null): Promise<KubeObject> => {
      const value = { metadata: { annotations: { 'hypershift.openshift.io/migration-in-progress': id } } };
      return client.patch(HOSTED_CONTROL_PLANES, 'one', { type: 'merge', value }, { namespace });
    };
    await lock('a1');
    await fixture.quiet();
    const before = fixture.writes.length;
    const value = { metadata: { annotations: { [TARGET_CONFIG_ANNOTATION]: 'bbbb' } } };
    await client.patch(MACHINE_SETS, 'workers', { type: 'merge', value }, { namespace });
    await fixture.guest.delete(NODES, 'n-0');
    await fixture.quiet(2_000);
    expect(fixture.writes.slice(before)).toEqual([]);
    await lock(null);
    await fixture.until(async () => (await fixture.plane()).status?.nodeCount === 0);
    const set = (): Promise<KubeObject> => client.get(MACHINE_SETS, 'workers', { namespace });
    await fixture.until(async () => (await set()).metadata.annotations?.[CURRENT_CONFIG_ANNOTATION] === 'bbbb');
  },

  'releases its cloud resources before its control plane is deleted': async (fixture) => {
    const services = { group: '', version: 'v1', plural: 'services', namespaced: true };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'balanced', namespace: 'default', finalizers: ['example.com/cloud'] },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    };
    await fixture.guest.create(services, service as KubeObject);
    const metadata = {
      finalizers: ['example.com/keep'],
      annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' },
    };
    await fixture.client.patch<HostedControlPlane>(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { metadata } },
      { namespace: fixture.namespace },
    );
    await fixture.configOperator();
    await fixture.client.delete(HOSTED_CONTROL_PLANES, 'one', { namespace: fixture.namespace });
    await fixture.condition('CloudResourcesDestroyed', {
      status: 'False',
      reason: 'RemainingCloudResources',
      message: 'Remaining resources: service default/balanced',
    });
    await fixture.guest.patch(
      services,
      'balanced',
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace: 'default' },
    );
    await fixture.condition('CloudResourcesDestroyed', { status: 'True', reason: 'CloudResourcesDestroyed' });
    await fixture.client.patch(
      HOSTED_CONTROL_PLANES,
      'one',
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace: fixture.namespace },
    );
  },
};

/** Runs all scenarios on an API server. */
export function describeHostedClusters(server: string, open: () => { management: Transport; guest: Transport }): void {
  describe(`a hosted cluster on ${server}`, () => {
    let servers: { readonly management: Transport; readonly guest: Transport };
    let count = 0;

    beforeAll(() => {
      servers = open();
    });

    it.each(Object.entries(SCENARIOS))('%s', async (_, run) => {
      count += 1;
      const fixture = new GuestFixture(servers.management, servers.guest, `hosted-${count}`);
      try {
        await fixture.open();
        await fixture.client.create(HOSTED_CONTROL_PLANES, controlPlane({}, { namespace: fixture.namespace }));
        await run(fixture);
      } finally {
        await fixture.close();
        await fixture.sweep();
      }
    });
  });
}
