import { FLEET_CONFIG_MAP } from '@capstan/hosting';
import { FORWARD } from '@capstan/hypershift';
import { Client } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { annotate, CommandFixture } from './command.js';
import { bothGroups, CONFIG_MAPS, kindOf, PRIVATE, STANDARD } from './fixture.js';
import type { HostedMigration } from './hosted.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let server: CommandFixture;
const opened: HostedMigration[] = [];

beforeAll(async () => {
  server = await CommandFixture.start();
});
afterAll(async () => {
  for (const { fixture } of opened) await fixture.close();
  await server.close();
});

async function cluster(): Promise<HostedMigration> {
  const hosted = await server.cluster();
  opened.push(hosted);
  return hosted;
}

const fields = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));

describe('capstan migration plan', () => {
  it('lists what would be copied, and stores nothing', async () => {
    const hosted = await cluster();
    const { code, out } = await server.run('plan', hosted.name);
    expect([code, fields(out).slice(0, 2)]).toEqual([
      0,
      [
        ['NAMESPACE', 'NAME', 'VERDICT', 'OBJECTS', 'MACHINES', 'DURATION', 'REASON'],
        ['clusters', hosted.name, 'Ready', '3', '1', expect.stringMatching(/^4m/) as string, '<none>'],
      ],
    ]);
    expect(out).toMatch(/1 of 1 clusters can be migrated, in about 4m/);
    expect(await hosted.fixture.list(kindOf(PRIVATE, 'Cluster'))).toEqual([]);
    const { out: json } = await server.run('plan', hosted.name, '-o', 'json');
    expect(JSON.parse(json)).toMatchObject([
      {
        isEligible: true,
        blockers: [],
        warnings: [],
        objects: { Cluster: 1, Machine: 1, MachineSet: 1 },
        deployments: { absent: ['hosted-cluster-config-operator', 'karpenter-operator'] },
      },
    ]);
  });

  it('plans clusters that no operator has marked yet, and names what is missing in one line', async () => {
    const hosted = await cluster();
    await annotate(hosted, { scope: null });
    const { out } = await server.run('plan', hosted.name);
    expect(fields(out)[1]).toContain('Ready');
    expect(out).toContain(`clusters/${hosted.name}: warning: no operator migrates it yet: `);
    expect((await server.run('status', hosted.name)).out).toContain('then run capstan install --private-capi-types');
  });

  it('names clusters that are not eligible, and why', async () => {
    const hosted = await cluster();
    await annotate(hosted, { 'migration-in-progress': 'true' });
    const { out } = await server.run('plan', `clusters/${hosted.name}`);
    expect(fields(out)[1]).toEqual(
      expect.arrayContaining([
        'NotEligible',
        'another client holds the lock hypershift.openshift.io/migration-in-progress',
      ]),
    );
  });

  it('names copies that the server would refuse', async () => {
    const hosted = await cluster();
    const definitions = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    const { client } = hosted.fixture;
    const name = `machines.${PRIVATE}`;
    const strict = bothGroups().find(({ metadata }) => metadata.name === name);
    const before = await client.get(definitions, name);
    const text = JSON.stringify(strict?.['spec']).replaceAll('"providerID":{', '"providerID":{"pattern":"^gce:",');
    await client.update(definitions, { ...before, spec: JSON.parse(text) as object });
    await vi.waitFor(async () => {
      const { code, out } = await server.run('plan', hosted.name);
      expect([code, out]).toEqual([0, expect.stringContaining('clusters can be migrated') as string]);
      expect(out).toContain('Blocked');
      expect(out).toMatch(
        new RegExp(`clusters/${hosted.name}: blocked: Machine workers-1 cannot be copied: .*providerID`),
      );
    }, 20_000);
    const now = await client.get(definitions, name);
    await client.update(definitions, { ...now, spec: before['spec'] });
    await vi.waitFor(async () => expect((await server.run('plan', hosted.name)).out).toContain('Ready'), 20_000);
  });

  it('names objects that are being deleted, and is blocked by the Cluster alone', async () => {
    const hosted = await cluster();
    const at = { namespace: hosted.namespace };
    await hosted.fixture.client.delete(kindOf(STANDARD, 'Machine'), 'workers-1', at);
    const { out } = await server.run('plan', hosted.name);
    expect(fields(out)[1]).toContain('Ready');
    expect(out).toContain('warning: being deleted, and migrated as such: Machine workers-1');
    await hosted.fixture.client.delete(kindOf(STANDARD, 'Cluster'), 'infra-a', at);
    const { out: later } = await server.run('plan', hosted.name);
    expect(fields(later)[1]).toContain('Blocked');
    expect(later).toContain('blocked: Cluster infra-a is being deleted: wait until it is deleted');
  });

  it('rejects a name that does not exist', async () => {
    expect(await server.run('plan', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no HostedCluster nobody in namespace clusters') as string,
    });
    expect(await server.run('plan', 'a/b/c')).toMatchObject({ code: 2 });
  });
});

describe('capstan migration status', () => {
  it('follows a cluster from its turn to its end', async () => {
    const hosted = await cluster();
    expect(fields((await server.run('status', hosted.name)).out)[1]?.slice(0, 3)).toEqual([
      'clusters',
      hosted.name,
      'Pending',
    ]);
    await hosted.lock();
    await hosted.look();
    await hosted.look();
    const { out } = await server.run('status', hosted.name, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject([
      { state: 'InProgress', progress: expect.stringMatching(new RegExp(`^\\d+/${FORWARD.length}$`)) as string },
    ]);
    const watched = server.begin(['status', hosted.name, '--watch']);
    const drawn = server.begin(['status', hosted.name, '--watch'], true);
    await hosted.run();
    const [lines, screen] = await Promise.all([watched.ended, drawn.ended]);
    expect([lines.code, screen.code]).toEqual([0, 0]);
    const first = lines.out.split('\n')[0] ?? '';
    expect(first).toMatch(new RegExp(`^clusters/${hosted.name} InProgress \\d+/${FORWARD.length} `));
    expect(lines.out.trimEnd().split('\n').at(-1)).toBe(
      `clusters/${hosted.name} Migrated: Cluster API objects are in the private groups`,
    );
    expect(screen.out).toContain('[####################]  1 of 1 migrated');
    expect((await server.run('status', hosted.name, '-o', 'name')).out).toBe(
      `hostedcluster.hypershift.openshift.io/clusters/${hosted.name}\n`,
    );
  });
});

describe('the order of the fleet', () => {
  async function order(): Promise<unknown> {
    const client = new Client(server.transport);
    const { data } = (await client.get(CONFIG_MAPS, FLEET_CONFIG_MAP, { namespace: 'hypershift' })) as {
      data?: unknown;
    } & object;
    return data;
  }

  it('is written where the operator reads it', async () => {
    const hosted = await cluster();
    expect(await server.run('pause')).toMatchObject({ code: 0, out: 'migrations are paused\n' });
    expect(await order()).toEqual({ hold: 'true' });
    expect(await server.run('resume', '--dry-run')).toMatchObject({ code: 0 });
    expect(await order()).toEqual({ hold: 'true' });
    expect(await server.run('resume')).toMatchObject({ code: 0 });
    expect(await server.run('first', hosted.name, '-l', 'tier=canary')).toMatchObject({ code: 0 });
    expect(await order()).toEqual({ first: `clusters/${hosted.name}`, selector: 'tier=canary' });
    expect((await server.run('stop')).out).toBe('migrations stop after the next cluster\n');
    expect(await order()).toMatchObject({ hold: 'after-next' });
    await hosted.lock();
    expect((await server.run('stop')).out).toBe(`migrations stop after clusters/${hosted.name}\n`);
    expect(await order()).toMatchObject({ hold: 'true' });
    expect((await server.run('first', '--clear')).out).toBe('clusters are migrated by age\n');
    expect(await order()).toEqual({ hold: 'true' });
    await server.run('resume');
    await hosted.run();
  });

  it.each([[['first']], [['first', '-l', 'a=b=c']], [['first', 'a', 'b/']]])('rejects %j', async (argv) => {
    expect(await server.run(...argv)).toMatchObject({ code: 2 });
  });

  it('names the option for an operator in another namespace', async () => {
    expect(await server.run('pause', '--operator-namespace', 'none')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--operator-namespace') as string,
    });
  });
});

describe('capstan migration retry', () => {
  it('lets a cluster be migrated again, and no other', async () => {
    const hosted = await cluster();
    expect(await server.run('retry', hosted.name)).toMatchObject({ code: 1 });
    await annotate(hosted, { 'migration-failed': 'deployment-timeout', 'migration-failure-message': 'x' });
    expect((await server.run('status', hosted.name)).out).toContain('deployment-timeout: x');
    expect(await server.run('retry', hosted.name, '--dry-run')).toMatchObject({ code: 0 });
    expect((await server.run('status', hosted.name)).out).toContain('Failed');
    expect(await server.run('retry', hosted.name)).toMatchObject({ code: 0 });
    expect((await hosted.hostedCluster()).metadata.annotations).toEqual({ 'hypershift.openshift.io/scope': 'legacy' });
  });
});

describe('capstan migration verify', () => {
  it('finds no difference before, during and after a migration', async () => {
    const hosted = await cluster();
    const verify = () => server.run('verify', hosted.name);
    expect(await verify()).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 objects on standard types, no diff') as string,
    });
    await hosted.lock();
    for (let looks = 0; (await hosted.fixture.list(kindOf(PRIVATE, 'Machine'))).length === 0 && looks < 50; looks += 1)
      await hosted.clock.advance((await hosted.look()) ?? 0);
    expect(await verify()).toMatchObject({ code: 0 });
    await hosted.run();
    expect(await verify()).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 objects on private types, no diff') as string,
    });
  });

  it('compares every cluster where none is named, and has no answer where there is none', async () => {
    const hosted = await cluster();
    expect((await server.run('verify')).out).toContain(
      `clusters/${hosted.name}: 3 objects on standard types, no difference\n`,
    );
    expect(await server.run('verify', '-n', 'none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there are no hosted clusters in namespace none') as string,
    });
    expect((await server.run('status', '-n', 'none')).err).toBe('There are no hosted clusters in namespace none\n');
  });

  it('reports objects that are left, and fields that differ', async () => {
    const hosted = await cluster();
    await hosted.lock();
    for (let looks = 0; (await hosted.fixture.list(kindOf(PRIVATE, 'Machine'))).length === 0 && looks < 50; looks += 1)
      await hosted.clock.advance((await hosted.look()) ?? 0);
    const { client, namespace } = hosted.fixture;
    const value = { metadata: { labels: { team: 'b' } }, spec: { replicas: 3 } };
    await client.patch(kindOf(STANDARD, 'MachineSet'), 'workers', { type: 'merge', value }, { namespace });
    await client.patch(
      kindOf(STANDARD, 'Machine'),
      'workers-1',
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace },
    );
    await client.delete(kindOf(STANDARD, 'Machine'), 'workers-1', { namespace });
    const { code, out } = await server.run('verify', hosted.name, '-o', 'json');
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      [
        {
          differences: [
            {
              kind: 'MachineSet',
              name: 'workers',
              what: 'different',
              paths: ['spec.replicas', 'metadata.labels.team'],
            },
            { kind: 'Machine', name: 'workers-1', what: 'extra' },
          ],
        },
      ],
    ]);
  });
});
