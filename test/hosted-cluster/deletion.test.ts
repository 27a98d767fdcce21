import { CLUSTERS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import { HARBOUR_MACHINES, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { CLUSTER_ROLE_BINDINGS, NAMESPACES, pool, SECRETS } from './objects.js';
import { hostedServer } from './server.js';
import { Fixture } from './fixture.js';
import { hold, finishOneDeletion } from './fixture-roles.js';

const server = await hostedServer();

/** What is done until the cluster is gone: by the operator as it was asked for, by others in words. */
async function logOfEnd(fixture: Fixture): Promise<string[]> {
  const log: string[] = [];
  for (let pass = 0; pass < 40; pass += 1) {
    const error = await fixture.pass();
    log.push(...fixture.effects.take());
    if (error !== undefined) throw error;
    if ((await fixture.find(HOSTED_CLUSTERS, fixture.name, fixture.namespace)) === undefined) return log;
    const done = await finishOneDeletion(fixture);
    if (done !== undefined) log.push(`# ${done}`);
  }
  throw new Error(`it never ended: ${log.join(', ')}`);
}

async function end(fixture: Fixture): Promise<void> {
  await fixture.client.delete(HOSTED_CLUSTERS, fixture.name, { namespace: fixture.namespace });
}

async function whole(name: string, annotations: Record<string, string> = {}): Promise<Fixture> {
  const fixture = new Fixture(server, { name });
  await fixture.begin({ metadata: { annotations } });
  await fixture.client.create(NODE_POOLS, pool(await fixture.hostedCluster(), `${name}-workers`));
  await fixture.becomeAvailable();
  const at = fixture.controlPlaneNamespace;
  await hold(fixture, NODE_POOLS, `${name}-workers`, fixture.namespace);
  await hold(fixture, CLUSTERS, `${name}-x7k2p`, at);
  await hold(fixture, HOSTED_CONTROL_PLANES, name, at);
  await fixture.settle();
  fixture.effects.take();
  return fixture;
}

describe('a hosted cluster that is deleted', () => {
  it('is deleted in order, each part when the one before is deleted', async () => {
    const fixture = await whole('going', { 'hypershift.openshift.io/cleanup-cloud-resources': 'false' });
    const value = { metadata: { annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' } } };
    await fixture.change({ ...value, spec: { pausedUntil: 'true' } });
    await fixture.settle();
    fixture.effects.take();
    await end(fixture);
    expect(await logOfEnd(fixture)).toEqual([
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
    expect(await fixture.find(NAMESPACES, 'clusters-going')).toBeUndefined();
    expect(await fixture.find(CLUSTER_ROLE_BINDINGS, 'hypershift-cluster-api-clusters-going')).toBeUndefined();
  });

  it('reports what it waits for', async () => {
    const fixture = await whole('waiting');
    await end(fixture);
    const reported: string[] = [];
    for (let pass = 0; pass < 4; pass += 1) {
      await fixture.pass();
      reported.push(await fixture.condition('HostedClusterDestroyed'));
      await finishOneDeletion(fixture);
    }
    expect(reported).toEqual([
      'False WaitingForNodePools: Waiting for NodePools waiting-workers to be deleted',
      'False WaitingForCluster: Waiting for Cluster waiting-x7k2p to be deleted',
      'False WaitingForHostedControlPlane: Waiting for HostedControlPlane waiting to be deleted',
      'False WaitingForNamespace: Waiting for Namespace clusters-waiting to be deleted',
    ]);
  });

  it('changes nothing of another cluster that owns the namespace it would have had', async () => {
    const first = new Fixture(server, { namespace: 'clusters', name: 'a-b' });
    await first.begin();
    await first.becomeAvailable();
    const second = new Fixture(server, { namespace: 'clusters-a', name: 'b' });
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

  it('is deleted when none of its objects was created, and when its platform is unknown', async () => {
    const fixture = new Fixture(server, { name: 'nothing', platforms: [] });
    await fixture.begin();
    await fixture.settle();
    await end(fixture);
    fixture.effects.take();
    expect(await logOfEnd(fixture)).toEqual(['PATCH hostedclusters nothing']);
  });

  it('removes the finalizers of deleted machines when the platform credentials are gone, and reports it', async () => {
    const fixture = await whole('orphan');
    const at = fixture.controlPlaneNamespace;
    const metadata = { name: 'm1', namespace: at, finalizers: ['harbour.example.com/machine'] };
    const { group, kind, version } = HARBOUR_MACHINES;
    await fixture.client.create(HARBOUR_MACHINES, { apiVersion: `${group}/${version}`, kind, metadata, spec: {} });
    await fixture.client.delete(HARBOUR_MACHINES, 'm1', { namespace: at });
    await end(fixture);
    await fixture.pass();
    expect(await fixture.find(HARBOUR_MACHINES, 'm1', at)).toBeDefined();
    await fixture.client.delete(SECRETS, 'harbour-login', { namespace: fixture.namespace });
    await fixture.pass();
    expect(await fixture.find(HARBOUR_MACHINES, 'm1', at)).toBeUndefined();
    expect((await fixture.events()).filter((line) => line.includes('m1'))).toEqual([
      'Warning MachinesOrphaned: The credentials of the platform do not exist, so the finalizers of these machines were removed and their instances may still run: m1',
    ]);
    await logOfEnd(fixture);
  });

  it('waits for objects that only a running control plane can delete', async () => {
    const fixture = await whole('leftover');
    const at = fixture.controlPlaneNamespace;
    const { group, kind, version } = HARBOUR_MACHINES;
    const metadata = { name: 'left', namespace: at, finalizers: ['harbour.example.com/machine'] };
    await fixture.client.create(HARBOUR_MACHINES, { apiVersion: `${group}/${version}`, kind, metadata, spec: {} });
    fixture.restart([testPlatform({ leftovers: [HARBOUR_MACHINES] })]);
    await end(fixture);
    for (let pass = 0; pass < 4; pass += 1) {
      await fixture.pass();
      await finishOneDeletion(fixture);
    }
    expect(await fixture.condition('HostedClusterDestroyed')).toBe(
      'False WaitingForHarbourMachine: Waiting for HarbourMachine left to be deleted',
    );
    const value = { metadata: { finalizers: null } };
    await fixture.client.patch(HARBOUR_MACHINES, 'left', { type: 'merge', value }, { namespace: at });
    expect((await logOfEnd(fixture)).at(-1)).toBe('PATCH hostedclusters leftover');
  });

  it('waits for its grace period, and keeps its namespace when annotated so', async () => {
    const fixture = await whole('graceful', {
      'hypershift.openshift.io/destroy-grace-period': '10m',
      'hypershift.openshift.io/skip-delete-hosted-controlplane-namespace': 'true',
    });
    await end(fixture);
    for (let pass = 0; pass < 6; pass += 1) {
      await fixture.pass();
      await finishOneDeletion(fixture);
    }
    expect(await fixture.condition('HostedClusterDestroyed')).toBe(
      'True WaitingForGracePeriod: Everything of the cluster is deleted; the HostedCluster is kept for inspection for 10m',
    );
    await fixture.clock.advance(9 * 60_000);
    await fixture.pass();
    expect(await fixture.find(HOSTED_CLUSTERS, 'graceful', 'clusters')).toBeDefined();
    await fixture.clock.advance(2 * 60_000);
    await fixture.pass();
    expect(await fixture.find(HOSTED_CLUSTERS, 'graceful', 'clusters')).toBeUndefined();
    expect(await fixture.find(NAMESPACES, 'clusters-graceful')).toBeDefined();
  });
});
