import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kubeconfigText } from '@capstan/kube';
import { FIXTURE_REGISTRY } from '@capstan/simulation';
import type { BenchSuite } from '../../model.js';
import { runProgram, settledMb, startOperator } from '../apiserver/programs.js';
import { FLEET, machinesOf, sizeText, SMALL_FLEET } from './size.js';

/** Most of what a step of a simulation allocates is garbage after the next: a larger nursery drops it without copying. */
const SIMULATION = {
  file: fileURLToPath(new URL('./simulation/main.js', import.meta.url)),
  nodeFlags: ['--max-semi-space-size=64'],
};
/** Nodes renew their leases all the time: an hour of few clusters shows what an hour of many costs for each. */
const CLUSTERS_FOR_AN_HOUR = 2;
/** From when it reports started until it has reconciled every cluster, also when others use the machine. */
const LOOKS_AT_ALL_MS = { quick: 15_000, full: 60_000 };

interface Hosted {
  readonly seconds: { readonly available: number; readonly whole: number };
  readonly cpuSeconds: number;
  readonly requests: number;
}

interface Served {
  readonly server: string;
  readonly registry: string;
}

/** What `capstan operator` costs once it is idle next to a fleet. */
async function operatorMb({ registry, server }: Served, looksMs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText({ server }));
    const operator = await startOperator(kubeconfig, '--registry-override', `${FIXTURE_REGISTRY}=${registry}`);
    await pause(looksMs);
    const mb = await settledMb(operator.pid);
    await operator.stop();
    return mb;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A fleet of hosted clusters: how long it takes to come up, what it takes at rest, and what the operator needs. */
export const fleetSuite: BenchSuite = {
  name: 'fleet',
  onDemand: true,
  open: async ({ quick }) => {
    const size = quick ? SMALL_FLEET : FLEET;
    const few = { ...size, clusters: Math.min(size.clusters, CLUSTERS_FOR_AN_HOUR) };
    const hour = await runProgram<{ requestsPerHour: number }>(SIMULATION, 'hour', sizeText(few));
    await hour.stop();
    const served = await runProgram<Served>(SIMULATION, 'serve', sizeText({ ...size, clusters: FLEET.clusters }));
    const mb = await operatorMb(served.ready, LOOKS_AT_ALL_MS[quick ? 'quick' : 'full']);
    await served.stop();
    const fleet = await runProgram<Hosted>(SIMULATION, 'host', sizeText(size));
    await fleet.stop();
    const { cpuSeconds, requests, seconds } = fleet.ready;
    const machines = size.clusters * machinesOf(size);
    const about = `${size.clusters} clusters of ${machinesOf(size)} machines`;
    return {
      rows: [
        {
          name: `${about}, simulated until all clusters are available`,
          unit: 's',
          better: 'lower',
          ...(quick ? {} : { target: 60 }),
          run: () => seconds.available,
        },
        {
          name: 'and until all machines are nodes',
          unit: 's',
          better: 'lower',
          ...(quick ? {} : { target: 60 }),
          run: () => seconds.whole,
        },
        { name: 'processor time of all its threads', unit: 's CPU', better: 'lower', run: () => cpuSeconds },
        {
          name: 'requests for each machine until then',
          unit: 'requests',
          better: 'lower',
          run: () => requests / machines,
        },
        {
          name: 'requests of our operators for a cluster at rest',
          unit: 'an hour',
          better: 'lower',
          target: 50,
          run: () => Math.max(hour.ready.requestsPerHour / few.clusters, LEAST),
        },
        {
          name: `capstan operator with ${FLEET.clusters} clusters of ${machinesOf(size)} machines`,
          unit: 'MB',
          better: 'lower',
          ...(quick ? {} : { target: 150 }),
          run: () => mb,
        },
      ],
    };
  },
};

/** None at all would be no measurement to compare with. */
const LEAST = 0.01;
