import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MACHINE_API_NAMESPACE, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls } from '../kubectl/binaries.js';
import { commandsOn, unseen, wordsOf } from '../src/page-commands.js';
import type { PageCommand } from '../src/page-commands.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 200_000, hookTimeout: 400_000 });

const PAGE = join(import.meta.dirname, '../../docs/tutorial/machine-api-to-cluster-api.md');
const [start, ...commands] = commandsOn(readFileSync(PAGE, 'utf8'));
/** Reads what the operator has been asked for a moment before. */
const SOON = { timeout: 60_000, interval: 500 };

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-tutorial-'));
let up: UpProcess;
let before: readonly string[];

beforeAll(async () => {
  const [npm, run, dashes, ...options] = wordsOf(start?.line ?? '');
  expect([npm, run, dashes]).toEqual(['npm', 'start', '--']);
  up = await UpProcess.start(join(folder, 'kubeconfig'), ...options);
  before = await instances();
});
afterAll(async () => {
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

async function instances(): Promise<string[]> {
  const { items } = await up.client.list<Machine>(MAPI_MACHINES, { namespace: MACHINE_API_NAMESPACE });
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.providerID ?? ''}`).toSorted();
}

/** Runs a command of the page, once more where it shows what comes a moment later. */
async function follow({ line, shows }: PageCommand): Promise<void> {
  const run = async (): Promise<unknown> => {
    const { code, stdout } = await up.shell(line, folder);
    return { code, unseen: unseen(shows, stdout) };
  };
  // A command that is asked twice to switch has nothing left to show.
  if (line.includes(' switch ') || shows.length === 0) expect(await run()).toEqual({ code: 0, unseen: [] });
  else await expect.poll(run, SOON).toEqual({ code: 0, unseen: [] });
}

describe.skipIf(findKubectls().length === 0)('the tutorial of machines', () => {
  // One after the other: each goes on from what the one before has left.
  it.each(commands)('runs: $line', follow);

  it('leaves every machine with its instance', async () => {
    expect(before).toHaveLength(2);
    const after = await instances();
    expect(after).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining([...before]));
  });
});
