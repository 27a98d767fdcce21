import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../main.js';
import { TestIo } from '../../testing-io.js';
import { testServer, TIMEOUT_MS } from '../../testing-server.js';
import type { TestServer } from '../../testing-server.js';
import { createTestCluster, installCrds, SECRET_VALUE, testCrds } from './testing-fleet.js';
import type { ClusterReport } from './report.js';

const run = promisify(execFile);
const BIN = fileURLToPath(new URL('../../../bin/capstan.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'capstan-rehearsal-'));
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await installCrds(server.client, await testCrds());
  await createTestCluster(server.client, { name: 'a', machines: 2 });
  await createTestCluster(server.client, { name: 'b', machines: 1 });
}, TIMEOUT_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly io: TestIo;
  readonly reports: readonly ClusterReport[];
}

async function rehearse(at: string, ...args: readonly string[]): Promise<Ended> {
  const io = new TestIo();
  const code = await main(['migration', 'rehearse', '--kubeconfig', at, '-o', 'json', ...args], io);
  const reports = io.stdout === '' ? [] : (JSON.parse(io.stdout) as { clusters: readonly ClusterReport[] }).clusters;
  return { code, io, reports };
}

/** Nothing that a rehearsal prints is the value of a Secret, encoded or not. */
function expectNoSecret(text: string): void {
  expect(text).not.toContain(SECRET_VALUE);
  expect(text).not.toContain(Buffer.from(SECRET_VALUE).toString('base64'));
}

describe('capstan migration rehearse', () => {
  it(
    'reports for each cluster of a server that it would migrate, and writes nothing',
    async () => {
      const kind = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', namespaced: true };
      const before = await server.client.list(kind);
      const { code, io, reports } = await rehearse(server.kubeconfig, '--seeds', '1');
      expect(reports).toMatchObject([
        { cluster: 'clusters/a', verdict: 'would-migrate', objects: 8, differs: [], rehearsals: { failed: [] } },
        {
          cluster: 'clusters/b',
          verdict: 'would-migrate',
          objects: 6,
          differs: [],
          leftOut: [],
          rehearsals: { failed: [] },
        },
      ]);
      const { expectedSeconds, rehearsals } = reports[0] as ClusterReport;
      expect(expectedSeconds).toBeGreaterThan(30);
      // Without faults, from one seed, and rolled back from every step.
      expect(rehearsals.migrated).toBe(2);
      expect(rehearsals.rolledBack).toBe(rehearsals.run - 2);
      expect(code).toBe(0);
      expectNoSecret(io.stdout + io.stderr);
      expect((await server.client.list(kind)).items).toEqual(before.items);
    },
    TIMEOUT_MS,
  );

  it(
    'does the same from a folder of capstan dump cluster',
    async () => {
      const dump = join(folder, 'dump');
      const argv = ['dump', 'cluster', 'a', '--no-guest', '--artifact-dir', dump, '--kubeconfig', server.kubeconfig];
      expect(await main(argv, new TestIo())).toBe(0);
      const { code, io, reports } = await rehearse('/nonexistent', '--from', dump, '--seeds', '0');
      expect(reports).toMatchObject([
        { cluster: 'clusters/a', verdict: 'would-migrate', objects: 8, differs: [], leftOut: [] },
      ]);
      expect(code).toBe(0);
      expectNoSecret(io.stdout + io.stderr);
      for (const file of readdirSync(dump, { recursive: true, withFileTypes: true }))
        if (file.isFile()) expectNoSecret(readFileSync(join(file.parentPath, file.name), 'utf8'));
    },
    TIMEOUT_MS,
  );

  it(
    'takes a name without its namespace, as every other command',
    async () => {
      const { code, reports } = await rehearse(server.kubeconfig, '--cluster', 'b', '--seeds', '0');
      expect({ code, clusters: reports.map(({ cluster }) => cluster) }).toEqual({ code: 0, clusters: ['clusters/b'] });
    },
    TIMEOUT_MS,
  );

  it(
    'finds the same in threads as in one',
    async () => {
      const dump = join(folder, 'dump-b');
      const argv = ['dump', 'cluster', 'b', '--no-guest', '--artifact-dir', dump, '--kubeconfig', server.kubeconfig];
      expect(await main(argv, new TestIo())).toBe(0);
      // The built command: threads load modules of their own.
      const args = ['migration', 'rehearse', '--from', dump, '--seeds', '1', '-o', 'json'];
      const inThreads = async (threads: string): Promise<unknown> =>
        JSON.parse((await run(process.execPath, [BIN, ...args, '--threads', threads])).stdout);
      expect(await inThreads('2')).toEqual(await inThreads('1'));
    },
    TIMEOUT_MS,
  );

  it.each([
    [['--cluster', 'clusters/none'], 'there is no HostedCluster clusters/none in this cluster'],
    [['--cluster', 'none'], 'there is no HostedCluster clusters/none in this cluster'],
    [['--cluster', 'a/b/c'], '"a/b/c" is no name of a HostedCluster'],
    [['--selector', 'a=b,,'], '--selector "a=b,," is no label selector'],
    [['--selector', 'tier=canary'], 'there are no HostedClusters to rehearse in this cluster'],
    [['--fail-at', 'lunch'], '--fail-at lunch names no step'],
    [['--limit', 'lunch=1h'], '--limit lunch=1h names no step with a limit'],
    [['--limit', 'scale-up=soon'], '--limit scale-up=soon has no duration'],
    [['--from', '/nonexistent'], 'name a folder of capstan dump cluster or must-gather with --from'],
  ])('has no answer for %j', async (args, message) => {
    const { code, io } = await rehearse(server.kubeconfig, ...args);
    expect({ code, err: io.stderr }).toEqual({ code: 2, err: expect.stringContaining(message) as string });
  });

  it(
    'ends when it is interrupted, without an answer',
    async () => {
      const io = new TestIo();
      const ended = main(['migration', 'rehearse', '--kubeconfig', server.kubeconfig, '--seeds', '100000'], io);
      const limits = { clock: systemClock(), limitMs: TIMEOUT_MS / 2, everyMs: 10 };
      await waitUntil('the command listens for interrupts', () => io.listeners > 0, limits);
      io.stop();
      expect(await ended).toBe(2);
      expect(io.stderr).toContain('the rehearsal was stopped');
      expect(io.stdout).toBe('');
      expect(io.listeners).toBe(0);
    },
    TIMEOUT_MS,
  );
});

describe('A cluster that would not migrate', () => {
  const isOf = (crd: KubeObject, plural: string): boolean => crd.metadata.name?.startsWith(`${plural}.`) === true;

  /** A server with one cluster and these CRDs. */
  async function withCrds(crds: readonly KubeObject[], use: (at: string) => Promise<void>): Promise<void> {
    const own = await testServer();
    try {
      await installCrds(own.client, crds);
      await createTestCluster(own.client, { name: 'a', machines: 1 });
      await use(own.kubeconfig);
    } finally {
      await own.close();
    }
  }

  it(
    'for want of a private CRD is reported with it and with what to do; --mirror shows what is left then',
    async () => {
      await withCrds(await testCrds((crd) => !isOf(crd, 'machinesets')), async (at) => {
        const { code, reports } = await rehearse(at, '--seeds', '1');
        expect(reports).toMatchObject([
          {
            verdict: 'would-not-migrate',
            blockedBy: {
              reason: 'missing-private-crd',
              message: expect.stringContaining('machinesets.cluster.hypershift.openshift.io') as string,
              remedy: expect.stringContaining('capstan crds mirror --from-cluster --apply') as string,
            },
            // The other passes would only find the same.
            rehearsals: { run: 1, rolledBack: 1 },
          },
        ]);
        expect(code).toBe(1);
        expect((await rehearse(at, '--seeds', '0', '--mirror')).reports).toMatchObject([{ verdict: 'would-migrate' }]);
      });
    },
    TIMEOUT_MS,
  );

  it(
    'for objects that their private CRD refuses is reported with the field, and the command that does it again',
    async () => {
      const crds = (await testCrds()).map((crd) =>
        isOf(crd, 'awsmachines') && crd.metadata.name?.includes('hypershift') === true ? stricter(crd) : crd,
      );
      await withCrds(crds, async (at) => {
        const { code, reports } = await rehearse(at, '--seeds', '0');
        expect(reports).toMatchObject([
          {
            verdict: 'would-not-migrate',
            blockedBy: {
              reason: 'resource-conversion-failed',
              message: expect.stringContaining('spec.instanceType') as string,
              remedy: expect.stringContaining('private CRD accepts it') as string,
            },
            differs: [],
          },
        ]);
        expect(code).toBe(1);
      });
    },
    TIMEOUT_MS,
  );
});

/** The CRD with a rule that the objects of the cluster break. */
function stricter(crd: KubeObject): KubeObject {
  const text = JSON.stringify(crd).replaceAll(/"instanceType":\{/g, '"instanceType":{"enum":["x9.huge"],');
  return JSON.parse(text) as KubeObject;
}
