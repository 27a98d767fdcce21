import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MACHINE_API_NAMESPACE, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../src/wait.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const BIN = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));
const SET = 'harbour-x7k2p-worker-us-east-1a';
const LONG = { limitMs: 120_000, everyMs: 250 };
const run = promisify(execFile);

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly set?: string;
  readonly authority?: string;
  readonly isSynchronized: boolean;
}
interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-machine-api-'));
const kubeconfig = join(folder, 'kubeconfig');
let up: UpProcess;

beforeAll(async () => {
  up = await UpProcess.start(kubeconfig, '--hosted', '0', '--fleet', '0', '--platform-capi');
});
afterAll(async () => {
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

async function machineApi(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [BIN, 'machine-api', ...args, '--kubeconfig', kubeconfig]);
  return stdout;
}

async function rows(): Promise<readonly Row[]> {
  return JSON.parse(await machineApi('status', SET, '-o', 'json')) as readonly Row[];
}

async function instances(): Promise<string[]> {
  const { items } = await up.client.list<Machine>(MAPI_MACHINES, { namespace: MACHINE_API_NAMESPACE });
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.providerID ?? ''}`).toSorted();
}

describe("the platform's machines in capstan up", () => {
  let before: readonly string[] = [];

  it('are mirrored in Cluster API soon after it is there', async () => {
    const isMirrored = async (): Promise<boolean> => {
      const all = await rows();
      return all.length === 3 && all.every(({ isSynchronized }) => isSynchronized);
    };
    await eventually('the set and both machines are synchronized', isMirrored, LONG);
    before = await instances();
    expect(before).toHaveLength(2);
  });

  it.each(['ClusterAPI', 'MachineAPI'])(
    'move to %s by one command, a machine first, and keep their instances',
    async (api) => {
      const lines = (await machineApi('switch', SET, '--to', api)).trim().split('\n');
      const [canary = ''] = lines;
      expect(canary).toMatch(new RegExp(`^machine/${SET}-\\w+ asked to ${api}$`));
      expect(lines).toContain(`machineset/${SET} ${api} (1 of 1)`);
      expect(lines).toHaveLength(6);
      expect((await rows()).map(({ authority }) => authority)).toEqual([api, api, api]);
      expect(await instances()).toEqual(before);
    },
  );

  it('are half way when a switch is interrupted, which is a failure that names the rest', async () => {
    const child = run(process.execPath, [
      BIN,
      'machine-api',
      'switch',
      SET,
      '--to',
      'ClusterAPI',
      '--kubeconfig',
      kubeconfig,
    ]);
    child.child.stdout?.once('data', () => child.child.kill('SIGINT'));
    const rest = `not asked yet: machineset/${SET}, machine/${SET}-`;
    await expect(child).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(`^error: interrupted before everything was with ClusterAPI.*; ${rest}`) as string,
    });
    await machineApi('switch', SET, '--to', 'MachineAPI');
    expect((await rows()).map(({ authority }) => authority)).toEqual(['MachineAPI', 'MachineAPI', 'MachineAPI']);
    expect(await instances()).toEqual(before);
  });

  it('are left where they are when something cannot move', async () => {
    const wrong = machineApi('switch', SET, 'machine/nowhere', '--to', 'ClusterAPI');
    await expect(wrong).rejects.toMatchObject({
      code: 1,
      stderr: 'error: there is no Machine nowhere\nlist them with capstan machine-api status\n',
    });
    expect((await rows()).map(({ authority }) => authority)).toEqual(['MachineAPI', 'MachineAPI', 'MachineAPI']);
  });

  it('are held by the operator, which is therefore not uninstalled', async () => {
    const args = ['uninstall', '--component', 'machine-api', '--kubeconfig', kubeconfig];
    await expect(run(process.execPath, [BIN, ...args])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give them back first: capstan machine-api prepare-downgrade') as string,
    });
  });

  it('are given back for a downgrade, wherever they are, and can be deleted without the operator', async () => {
    await machineApi('switch', SET, '--to', 'ClusterAPI');
    expect(await machineApi('prepare-downgrade', '--dry-run')).toContain(
      `machineset/${SET} asked to MachineAPI (dry run)`,
    );
    expect((await rows()).map(({ authority }) => authority)).toEqual(['ClusterAPI', 'ClusterAPI', 'ClusterAPI']);
    const out = await machineApi('prepare-downgrade');
    expect(out).toContain('deployment.apps/machine-api-migration stopped\n');
    expect(out).toMatch(/every machine is managed by Machine API: the downgrade can begin\n$/);
    expect(await instances()).toEqual(before);
    const [name = ''] = before[0]?.split(' ') ?? [];
    await up.client.delete(MAPI_MACHINES, name, { namespace: MACHINE_API_NAMESPACE });
    const isReplaced = async (): Promise<boolean> => {
      const now = await instances();
      return now.length === 2 && now.every((each) => !each.startsWith(`${name} `) && !each.endsWith(' '));
    };
    await eventually('the machine is deleted and replaced', isReplaced, LONG);
    expect(await machineApi('prepare-downgrade')).toContain('the downgrade can begin\n');
  });
});
