import { CLUSTERS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/provider';
import { HARBOUR_MACHINES, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { CLUSTER_ROLE_BINDINGS, NAMESPACES, pool, SECRETS } from './objects.js';
import { hostedServer } from './server.js';
import { Stage } from './stage.js';
import { hold, somebodyElse } from './world-roles.js';

const server = await hostedServer();

/** What is done until the cluster is gone: by the operator as it was asked for, by others in words. */
async function logOfEnd(stage: Stage): Promise<string[]> {
  const log: string[] = [];
  for (let pass = 0; pass < 40; pass += 1) {
    const error = await stage.pass();
    log.push(...stage.effects.take());
    if (error !== undefined) throw error;
    if ((await stage.find(HOSTED_CLUSTERS, stage.name, stage.namespace)) === undefined) return log;
    const done = await somebodyElse(stage);
    if (done !== undefined) log.push(`# ${done}`);
  }
  throw new Error(`it never ended: ${log.join(', ')}`);
}

async function end(stage: Stage): Promise<void> {
  await stage.client.delete(HOSTED_CLUSTERS, stage.name, { namespace: stage.namespace });
}

async function whole(name: string, annotations: Record<string, string> = {}): Promise<Stage> {
  const stage = new Stage(server, { name });
  await stage.begin({ metadata: { annotations } });
  await stage.client.create(NODE_POOLS, pool(await stage.hostedCluster(), `${name}-workers`));
  await stage.becomeAvailable();
  const at = stage.controlPlaneNamespace;
  await hold(stage, NODE_POOLS, `${name}-workers`, stage.namespace);
  await hold(stage, CLUSTERS, `${name}-x7k2p`, at);
  await hold(stage, HOSTED_CONTROL_PLANES, name, at);
  await stage.settle();
  stage.effects.take();
  return stage;
}

describe('a hosted cluster that goes', () => {
  it('goes in order, each part when the one before is gone', async () => {
    const stage = await whole('going', { 'hypershift.openshift.io/cleanup-cloud-resources': 'false' });
    const value = { metadata: { annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' } } };
    await stage.change({ ...value, spec: { pausedUntil: 'true' } });
    await stage.settle();
    stage.effects.take();
    await end(stage);
    expect(await logOfEnd(stage)).toEqual([
      'PATCH clusters going-x7k2p',
      'PATCH hostedcontrolplanes going',
      'DELETE nodepools going-workers',
      'PUT hostedclusters going status',
      '# the pool going-workers is gone',
      'DELETE clusters going-x7k2p',
      'PUT hostedclusters going status',
      '# the Cluster going-x7k2p is gone',
      'PATCH deployments cluster-api',
      'PATCH deployments capi-provider',
      'DELETE secrets harbour-credentials',
      'DELETE clusterrolebindings hypershift-cluster-api-clusters-going',
      'DELETE hostedcontrolplanes going',
      'PUT hostedclusters going status',
      '# the control plane going is gone',
      'DELETE namespaces clusters-going',
      'PUT hostedclusters going status',
      '# the namespace clusters-going is gone',
      'PATCH hostedclusters going',
    ]);
    expect(await stage.find(NAMESPACES, 'clusters-going')).toBeUndefined();
    expect(await stage.find(CLUSTER_ROLE_BINDINGS, 'hypershift-cluster-api-clusters-going')).toBeUndefined();
  });

  it('says what it waits for', async () => {
    const stage = await whole('waiting');
    await end(stage);
    const said: string[] = [];
    for (let pass = 0; pass < 4; pass += 1) {
      await stage.pass();
      said.push(await stage.condition('HostedClusterDestroyed'));
      await somebodyElse(stage);
    }
    expect(said).toEqual([
      'False WaitingForNodePools: Waiting for NodePools waiting-workers to be gone',
      'False WaitingForCluster: Waiting for Cluster waiting-x7k2p to be gone',
      'False WaitingForHostedControlPlane: Waiting for HostedControlPlane waiting to be gone',
      'False WaitingForNamespace: Waiting for Namespace clusters-waiting to be gone',
    ]);
  });

  it('touches nothing of another, whose namespace it would have had', async () => {
    const first = new Stage(server, { namespace: 'clusters', name: 'a-b' });
    await first.begin();
    await first.becomeAvailable();
    const second = new Stage(server, { namespace: 'clusters-a', name: 'b' });
    await second.begin({ spec: { infraID: 'another' } });
    await second.settle();
    await end(second);
    second.effects.take();
    expect(await logOfEnd(second)).toEqual(['PATCH hostedclusters b']);
    first.effects.take();
    await first.settle();
    expect(first.effects.take()).toEqual([]);
    expect(await first.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
  });

  it('may go when nothing of it was made, and when its platform is unknown', async () => {
    const stage = new Stage(server, { name: 'nothing', platforms: [] });
    await stage.begin();
    await stage.settle();
    await end(stage);
    stage.effects.take();
    expect(await logOfEnd(stage)).toEqual(['PATCH hostedclusters nothing']);
  });

  it('lets machines go that nobody can delete, when the credentials are gone, and says so', async () => {
    const stage = await whole('orphan');
    const at = stage.controlPlaneNamespace;
    const metadata = { name: 'm1', namespace: at, finalizers: ['harbour.example.com/machine'] };
    const { group, kind, version } = HARBOUR_MACHINES;
    await stage.client.create(HARBOUR_MACHINES, { apiVersion: `${group}/${version}`, kind, metadata, spec: {} });
    await stage.client.delete(HARBOUR_MACHINES, 'm1', { namespace: at });
    await end(stage);
    await stage.pass();
    expect(await stage.find(HARBOUR_MACHINES, 'm1', at)).toBeDefined();
    await stage.client.delete(SECRETS, 'harbour-login', { namespace: stage.namespace });
    await stage.pass();
    expect(await stage.find(HARBOUR_MACHINES, 'm1', at)).toBeUndefined();
    expect((await stage.events()).filter((line) => line.includes('m1'))).toEqual([
      'Warning MachinesOrphaned: The credentials of the platform are gone, so these machines were let go and may still run there: m1',
    ]);
    await logOfEnd(stage);
  });

  it('waits for what only a living control plane can take away', async () => {
    const stage = await whole('leftover');
    const at = stage.controlPlaneNamespace;
    const { group, kind, version } = HARBOUR_MACHINES;
    const metadata = { name: 'left', namespace: at, finalizers: ['harbour.example.com/machine'] };
    await stage.client.create(HARBOUR_MACHINES, { apiVersion: `${group}/${version}`, kind, metadata, spec: {} });
    stage.restart([testPlatform({ leftovers: [HARBOUR_MACHINES] })]);
    await end(stage);
    for (let pass = 0; pass < 4; pass += 1) {
      await stage.pass();
      await somebodyElse(stage);
    }
    expect(await stage.condition('HostedClusterDestroyed')).toBe(
      'False WaitingForHarbourMachine: Waiting for HarbourMachine left to be gone',
    );
    const value = { metadata: { finalizers: null } };
    await stage.client.patch(HARBOUR_MACHINES, 'left', { type: 'merge', value }, { namespace: at });
    expect((await logOfEnd(stage)).at(-1)).toBe('PATCH hostedclusters leftover');
  });

  it('stays for its time of grace, and keeps its namespace when told to', async () => {
    const stage = await whole('graceful', {
      'hypershift.openshift.io/destroy-grace-period': '10m',
      'hypershift.openshift.io/skip-delete-hosted-controlplane-namespace': 'true',
    });
    await end(stage);
    for (let pass = 0; pass < 6; pass += 1) {
      await stage.pass();
      await somebodyElse(stage);
    }
    expect(await stage.condition('HostedClusterDestroyed')).toBe(
      'True WaitingForGracePeriod: Everything of the cluster is gone; it stays to be looked at for 10m',
    );
    await stage.clock.advance(9 * 60_000);
    await stage.pass();
    expect(await stage.find(HOSTED_CLUSTERS, 'graceful', 'clusters')).toBeDefined();
    await stage.clock.advance(2 * 60_000);
    await stage.pass();
    expect(await stage.find(HOSTED_CLUSTERS, 'graceful', 'clusters')).toBeUndefined();
    expect(await stage.find(NAMESPACES, 'clusters-graceful')).toBeDefined();
  });
});
