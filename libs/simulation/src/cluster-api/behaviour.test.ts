import type { KubeObject } from '@capstan/meta';
import { conditionOf, DAEMON_SETS, isTrue, NODES, PODS } from '@capstan/upstream/cluster-api';
import type { Machine, MachineSet, Node } from '@capstan/upstream/cluster-api';
import { afterEach, describe, expect, it } from 'vitest';
import { CLUSTER, machineDeployment, NAMESPACE } from './testing/objects.js';
import { begin, guestClient, list, patch, ready, standaloneSet } from './testing/play.js';
import { Fixture } from './testing/fixture.js';

let fixture: Fixture | undefined;

afterEach(() => {
  fixture?.stop();
  fixture = undefined;
});

async function staged(more: readonly KubeObject[]): Promise<Fixture> {
  fixture = new Fixture();
  await begin(fixture, more);
  return fixture;
}

const HOOKS = {
  drain: 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test',
  terminate: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/test',
};

function pod(name: string, nodeName: string, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: name }, ...metadata },
    spec: { nodeName, containers: [{ name: 'main', image: 'x' }] },
  };
}

describe('a machine that goes', { timeout: 240_000 }, () => {
  it('waits for hooks, for pods that may not be evicted yet, and for nothing else', async () => {
    const here = await staged([machineDeployment('workers', 1, 'small')]);
    const [machine] = await ready(here, 1);
    const name = machine?.metadata.name ?? '';
    const node = machine?.status?.nodeRef?.name ?? '';
    const guest = guestClient(here);
    const daemons = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
      },
    };
    const { uid = '' } = (await here.act(guest.create(DAEMON_SETS, daemons as KubeObject))).metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid, controller: true };
    await here.act(guest.create(PODS, pod('daemon', node, { ownerReferences: [owner] })));
    await here.act(guest.create(PODS, pod('held', node)));
    const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    const ofStatus = { namespace: 'default', subresource: 'status' } as const;
    await here.act(guest.patch(PODS, 'held', { type: 'merge', value: running }, ofStatus));
    const budgets = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', namespaced: true };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'held', namespace: 'default' },
    };
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'held' } } };
    await here.act(guest.create(budgets, { ...budget, spec } as KubeObject));
    await patch(here, 'Machine', name, { metadata: { annotations: { [HOOKS.drain]: 'me', [HOOKS.terminate]: 'me' } } });
    await patch(here, 'MachineDeployment', 'workers', { spec: { replicas: 0 } });

    const fixtureOf = async (): Promise<string | undefined> => {
      const found = (await list<Machine>(here, 'Machine')).find(({ metadata }) => metadata.name === name);
      return conditionOf(found, 'Deleting')?.reason;
    };
    await here.until('the hook is waited for', async () => (await fixtureOf()) === 'WaitingForPreDrainHook');
    expect((await here.act(guest.get<Node>(NODES, node))).spec?.unschedulable).toBeUndefined();

    await patch(here, 'Machine', name, { metadata: { annotations: { [HOOKS.drain]: null } } });
    await here.until('the node is being drained', async () => (await fixtureOf()) === 'DrainingNode');
    await here.timeline.runUntil(here.timeline.elapsed + 60_000);
    const [drained] = await here.act(list<Machine>(here, 'Machine'));
    expect(conditionOf(drained, 'Deleting')?.message).toMatch(
      /^Drain not completed yet \(started at .*\):\n\* Pod default\/held: cannot evict pod as it would violate the pod's disruption budget\./,
    );
    expect((await here.act(guest.get<Node>(NODES, node))).spec?.unschedulable).toBe(true);

    await here.act(guest.delete(PODS, 'held', { namespace: 'default', gracePeriodSeconds: 0 }));
    await here.until('the last hook is waited for', async () => (await fixtureOf()) === 'WaitingForPreTerminateHook');
    expect(here.cloud.instances.map(({ state }) => state)).toEqual(['running']);
    await patch(here, 'Machine', name, { metadata: { annotations: { [HOOKS.terminate]: null } } });
    await here.until('it is gone', async () => (await list(here, 'Machine')).length === 0);
    expect(here.cloud.instances.map(({ state }) => state)).toEqual(['terminated']);
    expect((await here.act(guest.list(NODES))).items).toEqual([]);
    expect(here.failures).toEqual([]);
  });

  it('is drained no longer than its nodeDrainTimeoutSeconds', async () => {
    const here = await staged([machineDeployment('workers', 1, 'small')]);
    await patch(here, 'MachineDeployment', 'workers', {
      spec: { template: { spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } } },
    });
    const [machine] = await ready(here, 1);
    const guest = guestClient(here);
    // Nothing ends it: no kubelet runs here.
    await here.act(
      guest.create(PODS, pod('stays', machine?.status?.nodeRef?.name ?? '', { finalizers: ['test/hold'] })),
    );
    await patch(here, 'MachineDeployment', 'workers', { spec: { replicas: 0 } });
    const began = here.timeline.elapsed;
    await here.until('it is gone', async () => (await list(here, 'Machine')).length === 0);
    expect(here.timeline.elapsed - began).toBeGreaterThan(60_000);
    expect(here.timeline.elapsed - began).toBeLessThan(180_000);
  });
});

describe('what is paused', { timeout: 240_000 }, () => {
  it('is reported, and nothing else is written until it is resumed', async () => {
    const here = await staged([machineDeployment('workers', 1, 'small')]);
    await ready(here, 1);
    await patch(here, 'Cluster', CLUSTER, { spec: { paused: true } });
    await here.until('all say so', async () => {
      const all = [
        ...(await list<Machine>(here, 'Cluster')),
        ...(await list<Machine>(here, 'MachineDeployment')),
        ...(await list<Machine>(here, 'MachineSet')),
        ...(await list<Machine>(here, 'Machine')),
      ];
      return all.length === 4 && all.every((object) => isTrue(object, 'Paused'));
    });
    const versions = async (): Promise<unknown> => {
      const kinds = ['Cluster', 'MachineSet', 'Machine'] as const;
      const all = await Promise.all(kinds.map((kind) => list(here, kind)));
      return all.flat().map(({ metadata }) => metadata.resourceVersion);
    };
    await patch(here, 'MachineDeployment', 'workers', { spec: { replicas: 2 } });
    const before = await here.act(versions());
    await here.timeline.runUntil(here.timeline.elapsed + 600_000);
    expect(await here.act(versions())).toEqual(before);
    await patch(here, 'Cluster', CLUSTER, { spec: { paused: false } });
    await ready(here, 2);
  });
});

describe('a set that belongs to no deployment', { timeout: 240_000 }, () => {
  it('belongs to the cluster, adopts machines that match, and deletes the one with the delete annotation', async () => {
    const orphan: KubeObject = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'orphan',
        namespace: NAMESPACE,
        labels: { pool: 'infra', 'cluster.x-k8s.io/cluster-name': CLUSTER, 'cluster.x-k8s.io/set-name': 'infra' },
      },
      spec: {
        clusterName: CLUSTER,
        bootstrap: { dataSecretName: 'made-by-hand' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'TestMachine', name: 'orphan' },
      },
    };
    const infrastructure: KubeObject = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'TestMachine',
      metadata: { name: 'orphan', namespace: NAMESPACE },
      spec: {},
    };
    const here = await staged([infrastructure, orphan, standaloneSet(3)]);
    const machines = await ready(here, 3);
    expect(machines.map(({ metadata }) => metadata.name)).toContain('orphan');
    const [set] = await here.act(list<MachineSet>(here, 'MachineSet'));
    expect(set?.metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: CLUSTER }]);
    const chosen = machines.find(({ metadata }) => metadata.name !== 'orphan')?.metadata.name ?? '';
    await patch(here, 'Machine', chosen, { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': 'yes' } } });
    await patch(here, 'MachineSet', 'infra', { spec: { replicas: 2 } });
    const left = await ready(here, 2);
    expect(left.map(({ metadata }) => metadata.name)).not.toContain(chosen);
    expect(here.failures).toEqual([]);
  });

  it('gives its machines in place what can be given', async () => {
    const here = await staged([standaloneSet(1)]);
    const [before] = await ready(here, 1);
    const metadata = { labels: { 'node.cluster.x-k8s.io/zone': 'z' } };
    await patch(here, 'MachineSet', 'infra', {
      spec: { template: { metadata, spec: { deletion: { nodeDrainTimeoutSeconds: 7 } } } },
    });
    const guest = guestClient(here);
    await here.until('the node has the label', async () => {
      const [node] = (await guest.list<Node>(NODES)).items;
      return node?.metadata.labels?.['node.cluster.x-k8s.io/zone'] === 'z';
    });
    const [after] = await here.act(list<Machine>(here, 'Machine'));
    expect([after?.metadata.name, after?.spec.deletion?.nodeDrainTimeoutSeconds]).toEqual([before?.metadata.name, 7]);
  });
});
