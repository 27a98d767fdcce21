import type { MachineHealthCheck } from '@capstan/api/cluster-api';
import { HOSTED_CLUSTERS, MACHINE_DEPLOYMENTS, MACHINE_HEALTH_CHECKS, NODE_POOLS } from '@capstan/hosting';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  HOME,
  HOSTED,
  imageOf,
  machineConfig,
  NAMESPACE,
  nodePool,
  SECRETS,
} from './objects.js';
import { Fixture } from './fixture.js';

/** The template of the deployment of a pool. */
async function template(fixture: Fixture, pool: string): Promise<JsonObject> {
  const { spec } = await fixture.deployment(pool);
  const { bootstrap, infrastructureRef, version } = spec?.template.spec ?? {};
  return { userData: bootstrap?.dataSecretName, template: infrastructureRef?.name, version };
}

async function machineTemplates(fixture: Fixture): Promise<Set<unknown>> {
  return new Set((await fixture.machines()).map(({ spec }) => spec?.bootstrap.dataSecretName));
}

describe('a pool whose machines are replaced', { timeout: 120_000 }, () => {
  it('gets machines, and then writes nothing any more', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('two machines', () => fixture.isRolledOut('workers', '4.22.0'));
    expect(fixture.writes().slice(0, 6)).toEqual([
      'update hypershift.openshift.io/nodepools workers',
      'create secrets token-workers-71f54471',
      'create secrets user-data-workers-71f54471',
      'create infrastructure.cluster.x-k8s.io/harbourmachinetemplates workers-66735c02',
      'create cluster.x-k8s.io/machinedeployments workers',
      'update hypershift.openshift.io/nodepools workers',
    ]);
    expect(await fixture.hasCondition('workers', 'AllMachinesReady', 'True')).toBe(true);
    expect(await fixture.hasCondition('workers', 'AllNodesHealthy', 'True')).toBe(true);
    expect(await fixture.hasCondition('workers', 'Ready', 'True')).toBe(true);
    await fixture.pass(5000);
    const metrics = fixture.manager?.metrics.render().split('\n') ?? [];
    const id = '6f1cd9a4-9c46-4a3f-8a53-8a5b2a8b5f10';
    const labels = `namespace="clusters",name="workers",_id="${id}",cluster_name="example",platform="Harbour"`;
    expect(metrics).toEqual(
      expect.arrayContaining([
        'hypershift_nodepools{platform="Harbour"} 1',
        `hypershift_hostedcluster_nodepools{namespace="clusters",name="example",_id="${id}",platform="Harbour"} 1`,
        `hypershift_nodepools_size{${labels}} 2`,
        `hypershift_nodepools_available_replicas{${labels}} 2`,
        'hypershift_nodepools_transition_seconds_count{condition="AllMachinesReady"} 1',
      ]),
    );
    const [seen, asked] = [fixture.logLength, fixture.releases.asked];
    await fixture.pass(700_000);
    expect(fixture.writes(seen)).toEqual([]);
    expect(fixture.requests(seen)).toEqual([]);
    // A process that restarts finds everything as it should be.
    fixture.simulation.kill('node-pools', 1000);
    await fixture.until('it looks again', () => fixture.releases.asked > asked);
    await fixture.pass(10_000);
    expect(fixture.writes(seen)).toEqual([]);
  });

  it('rolls out a version, then a configuration, and deletes what no machine needs', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(CONFIG_MAPS, configMap('tuned', { config: machineConfig('one', 'a') }));
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    const first = await template(fixture, 'workers');

    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.21.9') } } });
    await fixture.until('it is reported', () => fixture.hasCondition('workers', 'ValidReleaseImage', 'False'));
    expect(await template(fixture, 'workers')).toEqual(first);

    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await fixture.until('it is being updated', () => fixture.hasCondition('workers', 'UpdatingVersion', 'True'));
    expect((await fixture.pool('workers')).status?.version).toBe('4.22.0');
    await fixture.until('the version', () => fixture.isRolledOut('workers', '4.22.1'));
    const second = await template(fixture, 'workers');
    expect([second['version'], second['userData'] === first['userData']]).toEqual(['4.22.1', false]);
    expect(await machineTemplates(fixture)).toEqual(new Set([second['userData']]));

    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { config: [{ name: 'tuned' }] } });
    await fixture.until('it is being updated', () => fixture.hasCondition('workers', 'UpdatingConfig', 'True'));
    expect(await fixture.hasCondition('workers', 'UpdatingVersion', 'False')).toBe(true);
    await fixture.until('the configuration', () => fixture.isRolledOut('workers', '4.22.1'));
    const third = await template(fixture, 'workers');
    await fixture.merge(CONFIG_MAPS, NAMESPACE, 'tuned', { data: { config: machineConfig('one', 'b') } });
    await fixture.until('the changed configuration', async () => {
      const { userData } = await template(fixture, 'workers');
      return userData !== third['userData'] && (await fixture.isRolledOut('workers', '4.22.1'));
    });

    const last = await template(fixture, 'workers');
    const hash = String(last['userData']).split('-').at(-1);
    await fixture.until('old user data is gone', async () => (await fixture.poolSecrets()).length === 5);
    expect((await fixture.poolSecrets()).filter((name) => name.startsWith('user-data'))).toEqual([last['userData']]);
    expect((await fixture.poolSecrets()).filter((name) => name.startsWith('token'))).toContain(`token-workers-${hash}`);
  });

  it('keeps tokens of earlier configurations for two hours', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    const tokens = async (): Promise<readonly string[]> =>
      (await fixture.poolSecrets()).filter((name) => name.startsWith('token'));
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('a deployment', () => fixture.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    const [first = ''] = await tokens();
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await fixture.until('another token', async () => (await tokens()).length === 2);
    await fixture.pass(2 * 3_600_000 - 60_000);
    expect(await tokens()).toContain(first);
    await fixture.pass(120_000);
    expect(await tokens()).toHaveLength(1);
    expect(await tokens()).not.toContain(first);
  });

  it('creates machines from another template, and deletes the old one once no set refers to it', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    const [small] = await fixture.templates();
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { platform: { harbour: { size: 'large' } } } });
    await fixture.until('both are there', async () => (await fixture.templates()).length === 2);
    expect(await fixture.templates()).toContain(small);
    expect(await fixture.hasCondition('workers', 'UpdatingPlatformMachineTemplate', 'True')).toBe(true);
    await fixture.until('the new size', () => fixture.isRolledOut('workers', '4.22.0'));
    await fixture.until('the old template is gone', async () => (await fixture.templates()).length === 1);
    expect(await fixture.templates()).not.toContain(small);
    const sizes = fixture.cloud.instances.filter(({ state }) => state === 'running').map(({ type }) => type);
    expect(sizes).toEqual(['large']);
  });

  it('restores its objects when another client changes or deletes them', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('a deployment', () => fixture.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    await fixture.pass(5000);
    const before = await fixture.deployment('workers');
    const token = (await fixture.poolSecrets())[0] ?? '';
    await fixture.merge(MACHINE_DEPLOYMENTS, HOME, 'workers', {
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': null } },
      spec: { replicas: 7, template: { spec: { bootstrap: { dataSecretName: 'mine' } } } },
    });
    await fixture.client.delete(SECRETS, token, { namespace: HOME });
    await fixture.until('all is back', async () => {
      const { metadata, spec } = await fixture.deployment('workers');
      const isRestored =
        metadata.labels?.['cluster.x-k8s.io/cluster-name'] ===
        before.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
      return isRestored && spec?.replicas === 2 && (await fixture.exists(SECRETS, HOME, token));
    });
    expect((await fixture.deployment('workers')).spec).toEqual(before.spec);
    await fixture.pass(5000);
    // Instances show the token that the ignition server knows.
    const [userData] = (await fixture.poolSecrets()).filter((name) => name.startsWith('user-data'));
    const shown = await bearer(fixture, userData ?? '');
    expect(shown).toBe(await tokenIn(fixture, token));
    await fixture.merge(SECRETS, HOME, token, { data: { token: Buffer.from('renewed').toString('base64') } });
    await fixture.until(
      'the renewed token is shown',
      async () => (await bearer(fixture, userData ?? '')) === 'renewed',
    );
  });
});

async function data(fixture: Fixture, name: string, key: string): Promise<string> {
  const secret = await fixture.client.get(SECRETS, name, { namespace: HOME });
  return Buffer.from((secret['data'] as Record<string, string>)[key] ?? '', 'base64').toString();
}

const tokenIn = (fixture: Fixture, name: string): Promise<string> => data(fixture, name, 'token');

async function bearer(fixture: Fixture, name: string): Promise<string> {
  const [, encoded = ''] = /"Bearer ([^"]+)"/.exec(await data(fixture, name, 'value')) ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

describe('labels, health and pauses', { timeout: 120_000 }, () => {
  it('sets labels and taints on existing machines, without new machines', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, nodeLabels: { zone: 'a', tier: 'x' } }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    const [before] = await fixture.machines();
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
    const nodeLabels = { zone: 'b', tier: null };
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { nodeLabels, taints } });
    await fixture.until('the machine has them', async () => {
      const [machine] = await fixture.machines();
      return machine?.metadata.labels?.['managed.hypershift.openshift.io.zone'] === 'b';
    });
    const [after] = await fixture.machines();
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(before?.metadata.annotations?.['hypershift.openshift.io/nodePoolTaints']).toBe('[]');
    expect(after?.metadata.annotations?.['hypershift.openshift.io/nodePoolTaints']).toBe(
      '[{"key":"gpu","value":"yes","effect":"NoSchedule"}]',
    );
    expect(Object.keys(after?.metadata.labels ?? {})).not.toContain('managed.hypershift.openshift.io.tier');
  });

  it('creates a health check once a machine has got its configuration, and deletes it when that is not wanted', async () => {
    const fixture = await Fixture.begin();
    const management = { upgradeType: 'Replace', autoRepair: true };
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, management }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    expect(await fixture.names(MACHINE_HEALTH_CHECKS)).toEqual([]);
    expect(await fixture.hasCondition('workers', 'AutorepairEnabled', 'False')).toBe(true);
    await fixture.reachIgnition();
    await fixture.until('it has a health check', () => fixture.hasCondition('workers', 'AutorepairEnabled', 'True'));
    const check = await fixture.client.get<MachineHealthCheck>(MACHINE_HEALTH_CHECKS, 'workers', { namespace: HOME });
    const label = 'example-x7k2p-example-workers';
    const silent = (status: string) => ({ type: 'Ready', status, timeoutSeconds: 480 });
    expect(check.spec).toEqual({
      clusterName: 'example-x7k2p',
      selector: { matchLabels: { [label]: label } },
      checks: { nodeStartupTimeoutSeconds: 1200, unhealthyNodeConditions: [silent('False'), silent('Unknown')] },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 } },
    });
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { management: { autoRepair: false } } });
    await fixture.until('it is left alone', async () => (await fixture.names(MACHINE_HEALTH_CHECKS)).length === 0);
  });

  it('does not reconcile a paused pool until the pause ends', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    const until = new Date(fixture.simulation.timeline.clock().now() + 600_000).toISOString();
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { pausedUntil: until, replicas: 2 } });
    const isPaused = async (): Promise<boolean> =>
      (await fixture.deployment('workers')).metadata.annotations?.['cluster.x-k8s.io/paused'] === 'true';
    await fixture.until('it is paused', isPaused);
    expect(await fixture.hasCondition('workers', 'ReconciliationActive', 'False')).toBe(true);
    await fixture.pass(500_000);
    expect([await isPaused(), (await fixture.machines()).length]).toEqual([true, 1]);
    await fixture.until('it goes on', async () => (await fixture.machines()).length === 2);
    expect(await isPaused()).toBe(false);
    expect(await fixture.hasCondition('workers', 'ReconciliationActive', 'True')).toBe(true);
  });

  it('does not reconcile the pools of a paused HostedCluster, and reports why and until when', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 2 }));
    await fixture.until('machines', () => fixture.isRolledOut('workers', '4.22.0'));
    const until = new Date(fixture.simulation.timeline.clock().now() + 600_000).toISOString();
    await fixture.merge(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { spec: { pausedUntil: until } });
    await fixture.until('it is paused', () => fixture.hasCondition('workers', 'ReconciliationActive', 'False'));
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { replicas: 3 } });
    await fixture.pass(500_000);
    expect([(await fixture.deployment('workers')).spec?.replicas, (await fixture.machines()).length]).toEqual([2, 2]);
    const { status } = await fixture.pool('workers');
    expect(status?.conditions?.find(({ type }) => type === 'ReconciliationActive')?.message).toBe(
      `Reconciliation paused until: ${until}, by spec.pausedUntil of HostedCluster ${NAMESPACE}/${HOSTED}`,
    );
    await fixture.until('it goes on', async () => (await fixture.machines()).length === 3);
    expect(await fixture.hasCondition('workers', 'ReconciliationActive', 'True')).toBe(true);
  });
});

describe('autoscaling', { timeout: 120_000 }, () => {
  it('leaves the number of machines to the autoscaler, within its bounds, and takes it back', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('a deployment', () => fixture.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    const bounds = async (): Promise<readonly unknown[]> => {
      const { metadata, spec } = await fixture.deployment('workers');
      const prefix = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
      const { annotations = {} } = metadata;
      return [annotations[`${prefix}-min-size`], annotations[`${prefix}-max-size`], spec?.replicas];
    };
    const become = async (what: string, wanted: readonly unknown[]): Promise<void> => {
      await fixture.until(what, async () => JSON.stringify(await bounds()) === JSON.stringify(wanted));
      await fixture.pass(5000);
      expect(await bounds()).toEqual(wanted);
    };
    await become('no autoscaling', ['0', '0', 2]);
    const autoScaling = { min: 3, max: 6 };
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { replicas: null, autoScaling } });
    await become('autoscaling', ['3', '6', 3]);
    await fixture.merge(MACHINE_DEPLOYMENTS, HOME, 'workers', { spec: { replicas: 5 } });
    await become('the number of the autoscaler', ['3', '6', 5]);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { autoScaling: { max: 4 } } });
    await become('less', ['3', '4', 4]);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { autoScaling: null, replicas: 1 } });
    await become('our own number', ['0', '0', 1]);
  });
});

describe('the end of a pool', { timeout: 120_000 }, () => {
  it('deletes machines first, then their templates and Secrets, then the pool', async () => {
    const fixture = await Fixture.begin();
    const management = { upgradeType: 'Replace', autoRepair: true };
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, management }));
    await fixture.client.create(NODE_POOLS, nodePool('others', { replicas: 1 }));
    await fixture.until('machines', () => fixture.isRolledOut('workers', '4.22.0'));
    await fixture.until('more machines', () => fixture.isRolledOut('others', '4.22.0'));
    await fixture.reachIgnition();
    await fixture.until('it has a health check', () => fixture.exists(MACHINE_HEALTH_CHECKS, HOME, 'workers'));
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { pausedUntil: 'true' } });
    await fixture.until('it is paused', () => fixture.hasCondition('workers', 'ReconciliationActive', 'False'));
    const seen = fixture.logLength;
    await fixture.client.delete(NODE_POOLS, 'workers', { namespace: NAMESPACE });
    await fixture.until('it is gone', async () => !(await fixture.exists(NODE_POOLS, NAMESPACE, 'workers')));
    expect(fixture.scenario(seen, 'workers')).toMatchInlineSnapshot(`
      [
        "server: delete nodepools workers",
        "node-pools: gone machinehealthchecks workers",
        "node-pools: update machinedeployments workers",
        "node-pools: delete machinedeployments workers",
        "cluster-api: delete machinesets workers-…",
        "cluster-api: delete machines workers-…-…",
        "cluster-api: delete harbourmachines workers-…-…",
        "infrastructure-provider: gone harbourmachines workers-…-…",
        "cluster-api: gone machines workers-…-…",
        "cluster-api: gone machinesets workers-…",
        "cluster-api: gone machinedeployments workers",
        "node-pools: gone harbourmachinetemplates workers-#",
        "node-pools: gone secrets token-workers-#",
        "node-pools: gone secrets user-data-workers-#",
        "node-pools: gone nodepools workers",
      ]
    `);
    expect(await fixture.poolSecrets()).toHaveLength(2);
    expect(await fixture.names(HARBOUR_MACHINE_TEMPLATES)).toHaveLength(1);
    expect(await fixture.machines()).toHaveLength(1);
    expect(fixture.cloud.instances.filter(({ state }) => state === 'running')).toHaveLength(1);
  });

  it('deletes a pool for which nothing was created', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('odd', {}, { berth: '' }));
    await fixture.until('it is reported', () => fixture.hasCondition('odd', 'ValidMachineTemplate', 'False'));
    await fixture.client.delete(NODE_POOLS, 'odd', { namespace: NAMESPACE });
    await fixture.until('it is gone', async () => !(await fixture.exists(NODE_POOLS, NAMESPACE, 'odd')));
  });
});
