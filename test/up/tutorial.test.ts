import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MACHINES } from '@capstan/hosting';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls } from '../kubectl/binaries.js';
import { commandsOn, unseen, wordsOf } from '../src/page-commands.js';
import type { PageCommand } from '../src/page-commands.js';
import { auditedWrites, loggedWrites, missing } from './audited-writes.js';
import { RunningUp } from './running-up.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const DOCS = join(import.meta.dirname, '../../docs');
const [start, ...commands] = commandsOn(readFileSync(join(DOCS, 'tutorial/migrate-a-fleet.md'), 'utf8'));
const PRIVATE_MACHINES = { ...MACHINES, group: 'cluster.hypershift.openshift.io' };
/** Reads what an operator has been asked for a moment before. */
const SOON = { timeout: 15_000, interval: 500 };

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-tutorial-'));
const audit = join(folder, 'audit.log');
const kubectls = findKubectls();
let up: UpProcess;
let before: string[];

beforeAll(async () => {
  const [npm, run, dashes, ...options] = wordsOf(start?.line ?? '');
  expect([npm, run, dashes]).toEqual(['npm', 'start', '--']);
  // The folder of a reader is the checkout; what the commands write must not stay there.
  symlinkSync(DOCS, join(folder, 'docs'));
  up = await UpProcess.start(join(folder, 'kubeconfig'), '--audit-log-path', audit, ...options);
  before = await instances('brig');
});

afterAll(async () => {
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

/** Where the machines of a cluster are in the cloud, in whichever group they are. */
async function instances(name: string): Promise<string[]> {
  const at = { namespace: `clusters-${name}` };
  const lists = [MACHINES, PRIVATE_MACHINES].map(async (resource) => {
    const found = await up.client.list<Machine>(resource, at).catch(() => ({ items: [] }));
    return found.items.map(({ metadata, spec }) => `${metadata.name} ${spec?.providerID ?? ''}`);
  });
  return (await Promise.all(lists)).flat().toSorted();
}

/** Runs a command of the page, once more where it shows what comes a moment later. */
async function follow({ line, shows }: PageCommand): Promise<void> {
  const run = async (): Promise<unknown> => {
    const { code, stderr, stdout } = await up.shell(line, folder);
    return { code, stderr: code === 0 ? '' : stderr, unseen: unseen(shows, stdout), stdout };
  };
  const expected = { code: 0, stderr: '', unseen: [] };
  if (shows.length === 0) expect(await run()).toMatchObject(expected);
  else await expect.poll(run, SOON).toMatchObject(expected);
}

describe.skipIf(kubectls.length === 0)('the tutorial', () => {
  it('has every command of a migration in the order of the page', () => {
    const subcommands = commands.map(({ line }) => /capstan migration (\w+)/.exec(line)?.[1]).filter((each) => each);
    expect([...new Set(subcommands)]).toEqual([
      'status',
      'rehearse',
      'pause',
      'plan',
      'first',
      'stop',
      'verify',
      'resume',
      'retry',
      'rollback',
    ]);
  });

  // One after the other: each goes on from what the one before has left.
  it.each(commands)('runs: $line', follow);

  it('leaves every machine with its instance', async () => {
    expect(before).toHaveLength(2);
    expect(await instances('brig')).toEqual(expect.arrayContaining(before));
    expect(readdirSync(join(folder, 'backup-of-brig'))).toContain('hosted-cluster.yaml');
  });

  it('has every write of its migrations in the audit log, by the user agent of the controller', async () => {
    const line = 'kubectl logs -n hypershift deployment/operator -c operator';
    const logged = loggedWrites((await up.shell(line, folder)).stdout);
    const events = RunningUp.audited(audit).filter(({ stage }) => stage === 'ResponseComplete');
    expect(missing(logged, auditedWrites(events, /^hypershift-operator/))).toEqual([]);
    const ofMigrations = auditedWrites(events, /^hypershift-operator.*MigrationController/);
    // Locks, copies, re-pointed owners, deleted originals; of four migrations and two rollbacks.
    expect(ofMigrations.size).toBeGreaterThan(50);
    // The log begins again with each pod: what it has of migrations is some of them.
    expect([...logged.keys()].filter((write) => ofMigrations.has(write))).not.toEqual([]);
  });

  it('ends with a cluster on standard types that the legacy operator has scaled', async () => {
    const isThree = async (): Promise<boolean> => {
      const { items } = await up.client.list<Machine>(MACHINES, { namespace: 'clusters-brig' });
      return items.length === 3 && items.every(({ spec }) => spec?.providerID !== undefined);
    };
    await waitUntil('a third machine is there', isThree, { clock: systemClock(), everyMs: 200, limitMs: 120_000 });
    const { stdout } = await up.shell('kubectl logs -n hypershift deployment/operator-legacy', folder);
    expect(stdout).toContain('/machinedeployments/brig-workers');
  });
});
