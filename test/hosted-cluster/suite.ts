import { hypershiftOperator } from '@capstan/hypershift';
import { fakeReleases } from '@capstan/hypershift/testing';
import { HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { OperatorContext } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installHostedDefinitions, removeHostedDefinitions } from './definitions.js';
import { NAMESPACES, pool, SECRETS } from './objects.js';
import { Fixture } from './fixture.js';
import { finishOneDeletion } from './fixture-roles.js';
import { eventually } from '../src/wait.js';

type Built = ReturnType<typeof hypershiftOperator>;

/** What a program is given that runs in this process. */
function contextOn(transport: Transport): Parameters<Built['build']>[0] {
  const nowhere = (): never => {
    throw new Error('this operator has no business elsewhere');
  };
  const context: OperatorContext<Built['flags']> = {
    options: { transport, clock: systemClock(), random: systemRandom(), logger: silentLogger() },
    flags: {},
    env: { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true', HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'here' },
    namespace: 'hypershift',
    files: { read: nowhere },
    inCluster: nowhere,
    connect: nowhere,
    carry: (_call, act) => Promise.resolve(act()),
  };
  return context;
}

const SCOPE = { annotations: { 'hypershift.openshift.io/scope': 'here' } };

/** The operator as a program, which learns of everything by watching. */
export function describeHostedClusters(server: string, connect: () => Promise<Transport>): void {
  describe(`the operator of hosted clusters on ${server}`, () => {
    const stop = new AbortController();
    const releases = fakeReleases();
    let transport: Transport;
    let running: Promise<void> | undefined;

    beforeAll(async () => {
      transport = await connect();
      await installHostedDefinitions(new Client(transport));
      releases.add('4.22.0');
      const operator = hypershiftOperator({
        platforms: new HostingPlatforms([testPlatform()]),
        releases: () => releases,
      });
      running = (await operator.build(contextOn(transport))).run(stop.signal);
    }, 60_000);

    afterAll(async () => {
      stop.abort();
      await running;
      await removeHostedDefinitions(new Client(transport));
    }, 60_000);

    it('creates a cluster, keeps it reconciled, and deletes it', async () => {
      const fixture = new Fixture(transport, { name: 'watched', namespace: 'watched-clusters' });
      await fixture.begin({ metadata: SCOPE });
      const at = fixture.controlPlaneNamespace;
      await eventually('there is a control plane', () => fixture.find(HOSTED_CONTROL_PLANES, 'watched', at));
      await eventually('the cluster is available', async () => {
        await fixture.runDeployments();
        await fixture.reportControlPlane().catch(() => undefined);
        return (await fixture.condition('Available')).startsWith('True') ? true : undefined;
      });
      await fixture.client.delete(SECRETS, 'ssh-key', { namespace: at });
      await eventually('what was removed comes back', () => fixture.find(SECRETS, 'ssh-key', at));
      const data = { '.dockerconfigjson': Buffer.from('{"auths":{"new":{}}}').toString('base64') };
      await fixture.client.patch(SECRETS, 'pull-secret', { type: 'merge', value: { data } }, fixture);
      await eventually('new credentials arrive', async () => {
        const copy = await fixture.client.get(SECRETS, 'pull-secret', { namespace: at });
        return JSON.stringify(copy['data']) === JSON.stringify(data) ? true : undefined;
      });
      await fixture.client.create(NODE_POOLS, pool(await fixture.hostedCluster(), 'watched-pool'));
      await fixture.client.delete(HOSTED_CLUSTERS, 'watched', fixture);
      await eventually('everything is gone', async () => {
        await finishOneDeletion(fixture).catch(() => undefined);
        return (await fixture.find(HOSTED_CLUSTERS, 'watched', fixture.namespace)) === undefined ? true : undefined;
      });
      expect(await fixture.find(NAMESPACES, at)).toBeUndefined();
      expect(await fixture.find(NODE_POOLS, 'watched-pool', fixture.namespace)).toBeUndefined();
    }, 60_000);

    it('leaves clusters alone that another operator reconciles', async () => {
      const own = new Fixture(transport, { name: 'own', namespace: 'watched-clusters' });
      const other = new Fixture(transport, { name: 'other', namespace: 'watched-clusters' });
      await other.begin();
      await own.begin({ metadata: SCOPE });
      await eventually('our own is reconciled', () =>
        own.find(HOSTED_CONTROL_PLANES, 'own', own.controlPlaneNamespace),
      );
      expect((await other.hostedCluster()).metadata.finalizers).toBeUndefined();
      for (const { client, name, namespace } of [own, other]) await client.delete(HOSTED_CLUSTERS, name, { namespace });
      await eventually('our own is gone', async () => {
        await finishOneDeletion(own).catch(() => undefined);
        return (await own.find(HOSTED_CLUSTERS, 'own', own.namespace)) === undefined ? true : undefined;
      });
    }, 60_000);
  });
}
