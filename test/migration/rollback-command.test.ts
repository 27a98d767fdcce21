import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEEP_UNTIL_ANNOTATION, lockOf } from '@capstan/hosting';
import { ROLLBACK } from '@capstan/hypershift';
import { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandFixture, deployLegacyOperator, makeHealthy } from './command.js';
import type { Printed } from './command.js';
import { kindOf, PRIVATE, STANDARD } from './fixture.js';
import { DEPLOYMENTS, TEST_SIDECAR } from './hosted.js';
import type { HostedMigration } from './hosted.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'capstan-rollback-'));
let server: CommandFixture;
const opened: HostedMigration[] = [];

beforeAll(async () => {
  server = await CommandFixture.start();
});
afterAll(async () => {
  for (const { fixture } of opened) await fixture.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A cluster that is on private types and at rest. */
async function migrated(): Promise<HostedMigration> {
  const hosted = await server.cluster();
  opened.push(hosted);
  await hosted.lock();
  await hosted.run();
  return hosted;
}

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };

interface Legacy extends KubeObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
}

/** The operator on private types, as an administrator has it. */
async function deployOperator(client: Client): Promise<void> {
  const labels = { app: 'operator' };
  const env = [{ name: 'IMAGE_OF_OURS', value: 'x' }];
  const spec = {
    imagePullSecrets: [{ name: 'pull' }],
    containers: [{ name: 'operator', image: 'registry/capstan:7', command: ['capstan'], env }],
  };
  await client.create(DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator', namespace: 'hypershift' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
}

function rollback(hosted: HostedMigration, ...argv: readonly string[]): Promise<Printed> {
  return server.run('rollback', hosted.name, '--backup', join(folder, hosted.name), ...argv);
}

const met = (out: string): string =>
  out
    .split('\n')
    .filter((line) => line.startsWith('[x]'))
    .map((line) => line.slice(4, 5))
    .join('');

describe('capstan migration rollback', () => {
  it('refuses what does not meet every prerequisite, and changes nothing', async () => {
    const hosted = await migrated();
    const before = await hosted.hostedCluster();
    const { code, err, out } = await rollback(hosted);
    expect([code, met(out)]).toEqual([1, '35']);
    expect(err).toContain('5 of 7 prerequisites are not met');
    expect(out).toContain(
      '1. the legacy operator is deployed: Deployment hypershift/operator-legacy: it does not exist, and neither does Deployment hypershift/operator',
    );
    expect(out).toContain('4. no operation on machines is in progress: MachineSet workers has 0 of 1 machines');
    expect(out).toContain('6. a support case is open: confirm it with --support-case');
    expect((await hosted.hostedCluster()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('brings a cluster back to standard types, after a backup of everything', async () => {
    const hosted = await migrated();
    await makeHealthy(hosted);
    await deployLegacyOperator(server);
    const confirmed = ['--support-case', '0123', '--maintenance-window', 'Sunday'];
    const before = await hosted.hostedCluster();
    expect(await rollback(hosted, ...confirmed, '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing was changed') as string,
    });
    expect((await hosted.hostedCluster()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(readdirSync(folder)).not.toContain(hosted.name);

    const begun = server.begin(['rollback', hosted.name, '--backup', join(folder, hosted.name), ...confirmed]);
    await vi.waitFor(async () => expect(lockOf(await hosted.hostedCluster()).holder).toBe('migration'), 10_000);
    // Stopped, it goes on without the command, which may be run again.
    begun.io.stop();
    expect(await begun.ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('it continues without this command') as string,
    });
    const again = server.begin(['rollback', hosted.name, '--backup', join(folder, 'again')]);
    await hosted.run();
    const { code, err, out } = await again.ended;
    expect([code, out]).toEqual([0, `hostedcluster.hypershift.openshift.io/${hosted.name} rolled back\n`]);
    expect(err).toContain('is under way already');
    expect(readdirSync(folder)).not.toContain('again');

    expect((await hosted.hostedCluster()).metadata.annotations).toEqual({
      'hypershift.openshift.io/scope': 'legacy',
      'hypershift.openshift.io/migration-failed': 'manual-rollback',
      'hypershift.openshift.io/migration-failure-message': 'rolled back by an administrator, case 0123, window Sunday',
    });
    expect((await hosted.fixture.list(kindOf(STANDARD, 'Machine'))).map(({ metadata }) => metadata.name)).toEqual([
      'workers-1',
    ]);
    expect(await hosted.fixture.list(kindOf(PRIVATE, 'Machine'))).toEqual([]);
    const files = readdirSync(join(folder, hosted.name), { recursive: true, encoding: 'utf8' }).toSorted();
    expect(files).toEqual([
      'hosted-cluster.yaml',
      'node-pools.yaml',
      'private',
      `private/clusters.${PRIVATE}.yaml`,
      `private/machines.${PRIVATE}.yaml`,
      `private/machinesets.${PRIVATE}.yaml`,
    ]);
    const text = readFileSync(join(folder, hosted.name, 'private', `machines.${PRIVATE}.yaml`), 'utf8');
    expect(text).toContain('providerID: aws:///us-east-1a/i-0123456789');
    expect(await server.run('verify', hosted.name)).toMatchObject({ code: 0 });
    expect(await rollback(hosted, '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is on standard types') as string,
    });
  });

  it('deploys the legacy operator again where it is gone, and keeps it until the rollback is recorded', async () => {
    const hosted = await migrated();
    await makeHealthy(hosted);
    const client = new Client(server.transport);
    const at = { namespace: 'hypershift' };
    await client.delete(DEPLOYMENTS, 'operator-legacy', at).catch(ignoreNotFound);
    await deployOperator(client);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'of-the-operators' } };
    await client.create(NODES, node);
    const legacy = (): Promise<Legacy | undefined> =>
      client.get<Legacy>(DEPLOYMENTS, 'operator-legacy', at).catch(ignoreNotFound);
    const backup = join(folder, hosted.name);

    const dry = await rollback(hosted, '--yes', '--dry-run');
    expect([dry.code, met(dry.out)]).toEqual([0, '1234567']);
    expect(dry.out).toContain('it was deleted, and is deployed again before the rollback, with registry/capstan:7');
    expect(await legacy()).toBeUndefined();

    const { ended } = server.begin(['rollback', hosted.name, '--backup', backup, '--yes', '--no-wait']);
    await vi.waitFor(async () => expect(await legacy()).toBeDefined(), 10_000);
    const { metadata, spec } = (await legacy()) ?? {};
    expect(Date.parse(metadata?.annotations?.[KEEP_UNTIL_ANNOTATION] ?? '')).toBeGreaterThan(Date.now());
    const [container] = spec?.template.spec.containers ?? [];
    expect(container).toMatchObject({
      image: 'registry/capstan:7',
      args: expect.arrayContaining(['operator', '--legacy']) as string[],
      env: [{ name: 'IMAGE_OF_OURS', value: 'x' }],
    });
    expect(spec?.template.spec).toMatchObject({ imagePullSecrets: [{ name: 'pull' }] });
    // Not locked before the legacy operator can take over.
    expect(lockOf(await hosted.hostedCluster()).holder).toBe('nobody');
    await deployLegacyOperator(server);
    expect(await ended).toMatchObject({ code: 0, err: expect.stringContaining('operator-legacy available') as string });
    expect(await hosted.run()).toMatchObject({
      metadata: { annotations: { 'hypershift.openshift.io/scope': 'legacy' } },
    });
    await client.delete(DEPLOYMENTS, 'operator', at);
    await client.delete(NODES, 'of-the-operators');
  });

  it('begins once the operators of the cluster have acknowledged the lock', async () => {
    const hosted = await migrated();
    await makeHealthy(hosted);
    await deployLegacyOperator(server);
    hosted.actors.delete('operators');
    expect(await rollback(hosted, '--yes', '--no-wait')).toMatchObject({ code: 0 });
    for (let looks = 0; looks < 5; looks += 1) await hosted.clock.advance((await hosted.look()) ?? 0);
    const condition = (await hosted.condition()).replace(/ \(since [^)]*\)/, '');
    expect(condition).toContain(
      `RollingBack: step 1 of ${ROLLBACK.length}, stop both operators: waiting for the operators`,
    );
    for (const deployment of await hosted.deployments()) {
      expect(TEST_SIDECAR.has(deployment)).toBe(true);
      expect(deployment.spec.replicas).toBe(1);
    }
    hosted.actors.add('operators');
    await hosted.run();
    expect(await hosted.condition()).toContain('False Failed: rolled back (manual-rollback)');
  });
});
