import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, HttpTransport, kubeconfigText, loadConnection, systemClock } from '@capstan/kube';
import { MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE } from '@capstan/simulation';
import type { BenchSuite } from '../../model.js';
import { runProgram, settledMb, startCapstan } from '../apiserver/programs.js';
import { acknowledge } from './acknowledge.js';
import { createMachines, createPlatform } from './cluster.js';

const CLI = fileURLToPath(new URL('../../../../../apps/cli/bin/capstan.js', import.meta.url));
const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const SIZES = { full: { sets: 50, each: 40 }, quick: { sets: 5, each: 10 } };
/** The set that is handed over has so many machines. */
const HANDED_OVER = { full: 50, quick: 5 };
const OWN = 'handed-over';
const LOOK_MS = 1_000;
/** A machine that does other things as well answers late. */
const REQUEST_MS = 120_000;
const LIMIT_MS = 600_000;

interface Authored extends KubeObject {
  readonly status?: {
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

async function authored(client: Client): Promise<readonly Authored[]> {
  const lists = await Promise.all(
    [MAPI_MACHINES, MAPI_MACHINE_SETS].map((kind) => client.list<Authored>(kind, IN_MAPI)),
  );
  return lists.flatMap(({ items }) => items);
}

/** Seconds until everything that is asked about is so. */
async function secondsUntil(look: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await look())) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`it is not so after ${LIMIT_MS / 1_000} s`);
    await pause(LOOK_MS);
  }
  return (performance.now() - began) / 1_000;
}

const isSynchronized = ({ status }: Authored): boolean =>
  status?.conditions?.some(({ status: value, type }) => type === 'Synchronized' && value === 'True') === true;
const isOwn = ({ metadata }: Authored): boolean => metadata.name?.startsWith(OWN) === true;

/** Asks for a set and each of its machines, as many at once as users do in a script. */
async function handOver(client: Client, authoritativeAPI: string): Promise<number> {
  const own = (await authored(client)).filter(isOwn);
  const patch = { type: 'merge', value: { spec: { authoritativeAPI } } } as const;
  const began = performance.now();
  for (const { kind, metadata } of own)
    await client.patch(kind === 'Machine' ? MAPI_MACHINES : MAPI_MACHINE_SETS, metadata.name ?? '', patch, IN_MAPI);
  await secondsUntil(async () => {
    const now = (await authored(client)).filter(isOwn);
    return now.every((each) => each.status?.authoritativeAPI === authoritativeAPI && isSynchronized(each));
  });
  return (performance.now() - began) / 1_000;
}

/** What is measured is the operator as a program, on a server over HTTPS. */
async function measure(isQuick: boolean): Promise<Readonly<Record<'cold' | 'create' | 'there' | 'mb', number>>> {
  const [size, machines] = [SIZES[isQuick ? 'quick' : 'full'], HANDED_OVER[isQuick ? 'quick' : 'full']];
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const server = await startCapstan('--no-controllers');
  const kubeconfig = join(folder, 'kubeconfig');
  const { caPem, token, url } = server;
  writeFileSync(kubeconfig, kubeconfigText({ server: url, token, caPem }));
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }), {
    connectTimeoutMs: REQUEST_MS,
    requestTimeoutMs: REQUEST_MS,
  });
  const client = new Client(transport);
  const stop = new AbortController();
  try {
    await createPlatform(client);
    const began = performance.now();
    await createMachines(
      client,
      Array.from({ length: size.sets }, (_, at) => `set-${at}`),
      size.each,
    );
    const create = (performance.now() - began) / 1_000;
    await createMachines(client, [OWN], machines);
    const args = ['--platform', 'AWS', '--feature-gates', 'MachineAPIMigration=true', '-o', 'json'];
    const operator = await runProgram(CLI, 'machine-api', 'operator', '--kubeconfig', kubeconfig, ...args);
    const cold = await secondsUntil(async () => (await authored(client)).every(isSynchronized));
    const running = acknowledge(client, systemClock(), stop.signal);
    const there = await handOver(client, 'ClusterAPI');
    const mb = await settledMb(operator.pid);
    stop.abort();
    await running.catch(() => undefined);
    await operator.stop();
    return { cold, create, there, mb };
  } finally {
    stop.abort();
    await transport.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Machines mirrored from cold, a set handed over, and what the operator takes for it. */
export const machineSyncSuite: BenchSuite = {
  name: 'machine-sync',
  onDemand: true,
  open: async ({ quick }) => {
    const { cold, create, mb, there } = await measure(quick);
    const { each, sets } = SIZES[quick ? 'quick' : 'full'];
    const handed = HANDED_OVER[quick ? 'quick' : 'full'];
    return {
      rows: [
        {
          name: `${sets * each + handed} machines in ${sets + 1} sets mirrored from cold over HTTPS`,
          unit: 's',
          better: 'lower',
          target: 60,
          run: () => cold,
          reference: { name: 'creating them in Machine API', run: () => create },
        },
        {
          name: `handover of a set and its ${handed} machines, each asked for`,
          unit: 's',
          better: 'lower',
          target: 10,
          run: () => there,
        },
        { name: 'memory of the operator then', unit: 'MB', better: 'lower', target: 150, run: () => mb },
      ],
    };
  },
};
