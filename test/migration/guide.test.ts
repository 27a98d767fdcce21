import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAILURE_REASONS, MIGRATION_LIMITS } from '@capstan/hypershift';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commandsOn, wordsOf } from '../src/page-commands.js';
import { annotate, CommandFixture, deployLegacyOperator, makeHealthy } from './command.js';
import type { Printed } from './command.js';
import type { HostedMigration } from './hosted.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const GUIDE = join(import.meta.dirname, '../../docs/guide/migration.md');
const folder = mkdtempSync(join(tmpdir(), 'capstan-guide-'));
let server: CommandFixture;
let a: HostedMigration;
let b: HostedMigration;

beforeAll(async () => {
  server = await CommandFixture.start();
  a = await server.cluster('clusters-a');
  b = await server.cluster('clusters-b');
  await annotate(b, { 'migration-failed': 'deployment-timeout' });
  await deployLegacyOperator(server);
});
afterAll(async () => {
  for (const { fixture } of [a, b]) await fixture.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The commands of the guide, as words after `capstan migration`. */
function commandsOf(page: string): string[][] {
  const own = commandsOn(page).filter(({ line }) => line.startsWith('capstan migration '));
  return own.map(({ line }) => wordsOf(line).slice(2));
}

/** What happens while a command runs, or before it. */
const MEANWHILE: Readonly<Record<string, { before?: () => Promise<void>; during?: () => Promise<unknown> }>> = {
  status: { before: () => a.lock() },
  'status --watch': { during: () => a.run() },
  'rollback a --backup ./backup --dry-run --yes': { before: () => makeHealthy(a) },
  'rollback a --backup ./backup --support-case 0123 --maintenance-window Sunday 02:00 UTC': {
    during: async () => {
      await vi.waitFor(async () => {
        await a.look();
        expect(await a.condition()).toContain('RollingBack');
      }, 20_000);
      await a.run();
    },
  },
};

async function run(words: readonly string[]): Promise<Printed> {
  const { before, during } = MEANWHILE[words.join(' ')] ?? {};
  await before?.();
  const argv = words.map((word) => (word === './backup' ? folder : word));
  const { ended } = server.begin(argv);
  await during?.();
  return ended;
}

it('Every command of the guide works, one after the other', async () => {
  const commands = commandsOf(readFileSync(GUIDE, 'utf8'));
  const printed = new Map<string, string>();
  for (const words of commands) {
    const line = words.join(' ');
    const { code, err, out } = await run(words);
    expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' });
    printed.set(line, out);
  }
  const subcommands = new Set(commands.map(([first = '']) => first));
  expect([...subcommands].toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'first',
    'pause',
    'plan',
    'resume',
    'retry',
    'rollback',
    'status',
    'stop',
    'verify',
  ]);
  expect(printed.get('status --watch')).toContain('clusters/a Migrated');
  expect(readdirSync(folder)).toContain('hosted-cluster.yaml');
  expect(await a.condition()).toContain('False Failed: rolled back (manual-rollback)');
  expect((await b.hostedCluster()).metadata.annotations).not.toHaveProperty([
    'hypershift.openshift.io/migration-failed',
  ]);
  // The rollback as the guide shows it.
  const [shown = ''] = /^\[x\] 1\.[^`]*/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const rollback = [...printed].find(([line]) => line.includes('--support-case'))?.[1] ?? '';
  expect(rollback.replace(folder, './backup')).toContain(shown);
});

it.each(FAILURE_REASONS)('The runbook of failed migrations has what to look at for %s', (reason) => {
  const runbook = join(import.meta.dirname, '../../docs/operations/runbooks/private-capi-migration-failed.md');
  expect(readFileSync(runbook, 'utf8')).toContain(`| \`${reason}\` |`);
});

it('The guide has every limit of a migration', () => {
  const [, limits = ''] = /^## Limits\n([^]*?)^## /m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  expect([...MIGRATION_LIMITS.keys()].filter((name) => !limits.includes(`\`${name}\``))).toEqual([]);
});
