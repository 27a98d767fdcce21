import type { MachineHealthCheck } from '@capstan/api/cluster-api';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import { HOSTED_CLUSTERS, MACHINE_DEPLOYMENTS, MACHINE_HEALTH_CHECKS, NODE_POOLS } from '@capstan/provider';
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
import { Stage } from './stage.js';

/** What the deployment of a pool says of its machines. */
async function template(stage: Stage, pool: string): Promise<JsonObject> {
  const { spec } = await stage.deployment(pool);
  const { bootstrap, infrastructureRef, version } = spec?.template.spec ?? {};
  return { userData: bootstrap?.dataSecretName, template: infrastructureRef?.name, version };
}

async function machineTemplates(stage: Stage): Promise<Set<unknown>> {
  return new Set((await stage.machines()).map(({ spec }) => spec?.bootstrap.dataSecretName));
}

describe('a pool whose machines are replaced', { timeout: 120_000 }, () => {
  it('gets machines, and then nothing is written any more', async () => {
    const stage = await Stage.begin();
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('two machines', () => stage.isRolledOut('workers', '4.22.0'));
    expect(stage.writes().slice(0, 6)).toEqual([
      'update hypershift.openshift.io/nodepools workers',
      'create secrets token-workers-71f54471',
      'create secrets user-data-workers-71f54471',
      'create infrastructure.cluster.x-k8s.io/harbourmachinetemplates workers-66735c02',
      'create cluster.x-k8s.io/machinedeployments workers',
      'update hypershift.openshift.io/nodepools workers',
    ]);
    expect(await stage.says('workers', 'AllMachinesReady', 'True')).toBe(true);
    expect(await stage.says('workers', 'AllNodesHealthy', 'True')).toBe(true);
    expect(await stage.says('workers', 'Ready', 'True')).toBe(true);
    await stage.pass(5000);
    const metrics = stage.manager?.metrics.render().split('\n') ?? [];
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
    const [seen, asked] = [stage.logLength, stage.releases.asked];
    await stage.pass(700_000);
    expect(stage.writes(seen)).toEqual([]);
    expect(stage.requests(seen)).toEqual([]);
    // A process that begins anew finds everything as it should be.
    stage.world.kill('node-pools', 1000);
    await stage.until('it looks again', () => stage.releases.asked > asked);
    await stage.pass(10_000);
    expect(stage.writes(seen)).toEqual([]);
  });

  it('rolls a version out, then a configuration, and takes away what no machine needs', async () => {
    const stage = await Stage.begin();
    await stage.client.create(CONFIG_MAPS, configMap('tuned', { config: machineConfig('one', 'a') }));
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await stage.until('a machine', () => stage.isRolledOut('workers', '4.22.0'));
    const first = await template(stage, 'workers');

    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.21.9') } } });
    await stage.until('it says so', () => stage.says('workers', 'ValidReleaseImage', 'False'));
    expect(await template(stage, 'workers')).toEqual(first);

    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await stage.until('it is being updated', () => stage.says('workers', 'UpdatingVersion', 'True'));
    expect((await stage.pool('workers')).status?.version).toBe('4.22.0');
    await stage.until('the version', () => stage.isRolledOut('workers', '4.22.1'));
    const second = await template(stage, 'workers');
    expect([second['version'], second['userData'] === first['userData']]).toEqual(['4.22.1', false]);
    expect(await machineTemplates(stage)).toEqual(new Set([second['userData']]));

    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { config: [{ name: 'tuned' }] } });
    await stage.until('it is being updated', () => stage.says('workers', 'UpdatingConfig', 'True'));
    expect(await stage.says('workers', 'UpdatingVersion', 'False')).toBe(true);
    await stage.until('the configuration', () => stage.isRolledOut('workers', '4.22.1'));
    const third = await template(stage, 'workers');
    await stage.merge(CONFIG_MAPS, NAMESPACE, 'tuned', { data: { config: machineConfig('one', 'b') } });
    await stage.until('the changed configuration', async () => {
      const { userData } = await template(stage, 'workers');
      return userData !== third['userData'] && (await stage.isRolledOut('workers', '4.22.1'));
    });

    const last = await template(stage, 'workers');
    const hash = String(last['userData']).split('-').at(-1);
    await stage.until('old user data is gone', async () => (await stage.poolSecrets()).length === 5);
    expect((await stage.poolSecrets()).filter((name) => name.startsWith('user-data'))).toEqual([last['userData']]);
    expect((await stage.poolSecrets()).filter((name) => name.startsWith('token'))).toContain(`token-workers-${hash}`);
  });

  it('lets tokens of earlier configurations live for two hours more', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    const tokens = async (): Promise<readonly string[]> =>
      (await stage.poolSecrets()).filter((name) => name.startsWith('token'));
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('a deployment', () => stage.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    const [first = ''] = await tokens();
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await stage.until('another token', async () => (await tokens()).length === 2);
    await stage.pass(2 * 3_600_000 - 60_000);
    expect(await tokens()).toContain(first);
    await stage.pass(120_000);
    expect(await tokens()).toHaveLength(1);
    expect(await tokens()).not.toContain(first);
  });

  it('makes machines from another template, and deletes the old one once no set names it', async () => {
    const stage = await Stage.begin();
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await stage.until('a machine', () => stage.isRolledOut('workers', '4.22.0'));
    const [small] = await stage.templates();
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { platform: { harbour: { size: 'large' } } } });
    await stage.until('both are there', async () => (await stage.templates()).length === 2);
    expect(await stage.templates()).toContain(small);
    expect(await stage.says('workers', 'UpdatingPlatformMachineTemplate', 'True')).toBe(true);
    await stage.until('the new size', () => stage.isRolledOut('workers', '4.22.0'));
    await stage.until('the old template is gone', async () => (await stage.templates()).length === 1);
    expect(await stage.templates()).not.toContain(small);
    const sizes = stage.cloud.instances.filter(({ state }) => state === 'running').map(({ type }) => type);
    expect(sizes).toEqual(['large']);
  });

  it('mends what others do to its objects', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('a deployment', () => stage.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    await stage.pass(5000);
    const before = await stage.deployment('workers');
    const token = (await stage.poolSecrets())[0] ?? '';
    await stage.merge(MACHINE_DEPLOYMENTS, HOME, 'workers', {
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': null } },
      spec: { replicas: 7, template: { spec: { bootstrap: { dataSecretName: 'mine' } } } },
    });
    await stage.client.delete(SECRETS, token, { namespace: HOME });
    await stage.until('all is back', async () => {
      const { metadata, spec } = await stage.deployment('workers');
      const isMended =
        metadata.labels?.['cluster.x-k8s.io/cluster-name'] ===
        before.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
      return isMended && spec?.replicas === 2 && (await stage.exists(SECRETS, HOME, token));
    });
    expect((await stage.deployment('workers')).spec).toEqual(before.spec);
    await stage.pass(5000);
    // Instances show the token that the ignition server knows.
    const [userData] = (await stage.poolSecrets()).filter((name) => name.startsWith('user-data'));
    const shown = await bearer(stage, userData ?? '');
    expect(shown).toBe(await tokenIn(stage, token));
    await stage.merge(SECRETS, HOME, token, { data: { token: Buffer.from('renewed').toString('base64') } });
    await stage.until('the renewed token is shown', async () => (await bearer(stage, userData ?? '')) === 'renewed');
  });
});

async function data(stage: Stage, name: string, key: string): Promise<string> {
  const secret = await stage.client.get(SECRETS, name, { namespace: HOME });
  return Buffer.from((secret['data'] as Record<string, string>)[key] ?? '', 'base64').toString();
}

const tokenIn = (stage: Stage, name: string): Promise<string> => data(stage, name, 'token');

async function bearer(stage: Stage, name: string): Promise<string> {
  const [, encoded = ''] = /"Bearer ([^"]+)"/.exec(await data(stage, name, 'value')) ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

describe('labels, health and pauses', { timeout: 120_000 }, () => {
  it('gives labels and taints to machines there are, without new machines', async () => {
    const stage = await Stage.begin();
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, nodeLabels: { zone: 'a', tier: 'x' } }));
    await stage.until('a machine', () => stage.isRolledOut('workers', '4.22.0'));
    const [before] = await stage.machines();
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
    const nodeLabels = { zone: 'b', tier: null };
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { nodeLabels, taints } });
    await stage.until('the machine has them', async () => {
      const [machine] = await stage.machines();
      return machine?.metadata.labels?.['managed.hypershift.openshift.io.zone'] === 'b';
    });
    const [after] = await stage.machines();
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(before?.metadata.annotations?.['hypershift.openshift.io/nodePoolTaints']).toBe('[]');
    expect(after?.metadata.annotations?.['hypershift.openshift.io/nodePoolTaints']).toBe(
      '[{"key":"gpu","value":"yes","effect":"NoSchedule"}]',
    );
    expect(Object.keys(after?.metadata.labels ?? {})).not.toContain('managed.hypershift.openshift.io.tier');
  });

  it('has machines looked after once one has got its configuration, and no longer when that is not wanted', async () => {
    const stage = await Stage.begin();
    const management = { upgradeType: 'Replace', autoRepair: true };
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, management }));
    await stage.until('a machine', () => stage.isRolledOut('workers', '4.22.0'));
    expect(await stage.names(MACHINE_HEALTH_CHECKS)).toEqual([]);
    expect(await stage.says('workers', 'AutorepairEnabled', 'False')).toBe(true);
    await stage.reachIgnition();
    await stage.until('it is looked after', () => stage.says('workers', 'AutorepairEnabled', 'True'));
    const check = await stage.client.get<MachineHealthCheck>(MACHINE_HEALTH_CHECKS, 'workers', { namespace: HOME });
    const label = 'example-x7k2p-example-workers';
    const silent = (status: string) => ({ type: 'Ready', status, timeoutSeconds: 480 });
    expect(check.spec).toEqual({
      clusterName: 'example-x7k2p',
      selector: { matchLabels: { [label]: label } },
      checks: { nodeStartupTimeoutSeconds: 1200, unhealthyNodeConditions: [silent('False'), silent('Unknown')] },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 } },
    });
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { management: { autoRepair: false } } });
    await stage.until('it is left alone', async () => (await stage.names(MACHINE_HEALTH_CHECKS)).length === 0);
  });

  it('leaves a paused pool alone until its time has come', async () => {
    const stage = await Stage.begin();
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1 }));
    await stage.until('a machine', () => stage.isRolledOut('workers', '4.22.0'));
    const until = new Date(stage.world.timeline.clock().now() + 600_000).toISOString();
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { pausedUntil: until, replicas: 2 } });
    const isPaused = async (): Promise<boolean> =>
      (await stage.deployment('workers')).metadata.annotations?.['cluster.x-k8s.io/paused'] === 'true';
    await stage.until('it is paused', isPaused);
    expect(await stage.says('workers', 'ReconciliationActive', 'False')).toBe(true);
    await stage.pass(500_000);
    expect([await isPaused(), (await stage.machines()).length]).toEqual([true, 1]);
    await stage.until('it goes on', async () => (await stage.machines()).length === 2);
    expect(await isPaused()).toBe(false);
    expect(await stage.says('workers', 'ReconciliationActive', 'True')).toBe(true);
  });

  it('leaves the pools of a paused HostedCluster alone, and reports why and until when', async () => {
    const stage = await Stage.begin();
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 2 }));
    await stage.until('machines', () => stage.isRolledOut('workers', '4.22.0'));
    const until = new Date(stage.world.timeline.clock().now() + 600_000).toISOString();
    await stage.merge(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { spec: { pausedUntil: until } });
    await stage.until('it is paused', () => stage.says('workers', 'ReconciliationActive', 'False'));
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { replicas: 3 } });
    await stage.pass(500_000);
    expect([(await stage.deployment('workers')).spec?.replicas, (await stage.machines()).length]).toEqual([2, 2]);
    const { status } = await stage.pool('workers');
    expect(status?.conditions?.find(({ type }) => type === 'ReconciliationActive')?.message).toBe(
      `Reconciliation paused until: ${until}, by spec.pausedUntil of HostedCluster ${NAMESPACE}/${HOSTED}`,
    );
    await stage.until('it goes on', async () => (await stage.machines()).length === 3);
    expect(await stage.says('workers', 'ReconciliationActive', 'True')).toBe(true);
  });
});

describe('autoscaling', { timeout: 120_000 }, () => {
  it('leaves the number of machines to the autoscaler, within its bounds, and takes it back', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('a deployment', () => stage.exists(MACHINE_DEPLOYMENTS, HOME, 'workers'));
    const bounds = async (): Promise<readonly unknown[]> => {
      const { metadata, spec } = await stage.deployment('workers');
      const prefix = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
      const { annotations = {} } = metadata;
      return [annotations[`${prefix}-min-size`], annotations[`${prefix}-max-size`], spec?.replicas];
    };
    const become = async (what: string, wanted: readonly unknown[]): Promise<void> => {
      await stage.until(what, async () => JSON.stringify(await bounds()) === JSON.stringify(wanted));
      await stage.pass(5000);
      expect(await bounds()).toEqual(wanted);
    };
    await become('no autoscaling', ['0', '0', 2]);
    const autoScaling = { min: 3, max: 6 };
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { replicas: null, autoScaling } });
    await become('autoscaling', ['3', '6', 3]);
    await stage.merge(MACHINE_DEPLOYMENTS, HOME, 'workers', { spec: { replicas: 5 } });
    await become('the number of the autoscaler', ['3', '6', 5]);
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { autoScaling: { max: 4 } } });
    await become('less', ['3', '4', 4]);
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { autoScaling: null, replicas: 1 } });
    await become('our own number', ['0', '0', 1]);
  });
});

describe('the end of a pool', { timeout: 120_000 }, () => {
  it('takes machines away first, then what they were made from, then lets the pool go', async () => {
    const stage = await Stage.begin();
    const management = { upgradeType: 'Replace', autoRepair: true };
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 1, management }));
    await stage.client.create(NODE_POOLS, nodePool('others', { replicas: 1 }));
    await stage.until('machines', () => stage.isRolledOut('workers', '4.22.0'));
    await stage.until('more machines', () => stage.isRolledOut('others', '4.22.0'));
    await stage.reachIgnition();
    await stage.until('it is looked after', () => stage.exists(MACHINE_HEALTH_CHECKS, HOME, 'workers'));
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { pausedUntil: 'true' } });
    await stage.until('it is paused', () => stage.says('workers', 'ReconciliationActive', 'False'));
    const seen = stage.logLength;
    await stage.client.delete(NODE_POOLS, 'workers', { namespace: NAMESPACE });
    await stage.until('it is gone', async () => !(await stage.exists(NODE_POOLS, NAMESPACE, 'workers')));
    expect(stage.story(seen, 'workers')).toMatchInlineSnapshot(`
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
    expect(await stage.poolSecrets()).toHaveLength(2);
    expect(await stage.names(HARBOUR_MACHINE_TEMPLATES)).toHaveLength(1);
    expect(await stage.machines()).toHaveLength(1);
    expect(stage.cloud.instances.filter(({ state }) => state === 'running')).toHaveLength(1);
  });

  it('lets a pool go for which nothing was made', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('odd', {}, { berth: '' }));
    await stage.until('it says so', () => stage.says('odd', 'ValidMachineTemplate', 'False'));
    await stage.client.delete(NODE_POOLS, 'odd', { namespace: NAMESPACE });
    await stage.until('it is gone', async () => !(await stage.exists(NODE_POOLS, NAMESPACE, 'odd')));
  });
});
