import { parseArgs } from 'node:util';
import { systemRandom } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import { reachedPlatform } from '../proxy/isolation/reached.js';
import { runRound } from '../proxy/isolation/round.js';
import { connectionTo, loggedServer } from '../proxy/isolation/servers.js';
import { openFixture } from '../proxy/isolation/fixture.js';
import type { RealServer } from '../src/conformance/servers.js';

/** A server for a round, and its own account of what it was asked. */
interface Behind {
  readonly name: string;
  readonly connection: Connection;
  reached(): string[];
  stop(): Promise<void>;
}

/** Starts a real server, or finds one. */
export type StartReal = (version: string | undefined) => Promise<{ server: RealServer; stop(): Promise<void> }>;

async function embedded(): Promise<Behind> {
  const server = await loggedServer();
  return {
    name: 'the embedded server',
    connection: server.connection,
    reached: () => reachedPlatform(server.log()),
    stop: () => server.stop(),
  };
}

/** Random requests through a proxy to a server that holds both groups; reports those that reached the platform's. */
export async function fuzzProxy(args: readonly string[], startReal: StartReal): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      proxy: { type: 'string' },
      against: { type: 'string' },
      seed: { type: 'string' },
      version: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const count = Number(values.proxy ?? 5000);
  const behind = values.against === 'real' ? await real(startReal, values.version) : await embedded();
  process.stdout.write(`seed ${seed}: ${count} requests through a proxy to ${behind.name}\n`);
  try {
    const fixture = await openFixture(behind.connection);
    try {
      const { findings, statuses } = await runRound(fixture, { count, random: systemRandom(seed) });
      const all = [...findings, ...behind.reached().map((each) => `reached the platform: ${each}`)];
      for (const finding of all) process.stdout.write(`${finding}\n`);
      process.stdout.write(`seed ${seed}: answered ${JSON.stringify(statuses)}, ${all.length} findings\n`);
      return all.length === 0 ? 0 : 1;
    } finally {
      await fixture.stop();
    }
  } finally {
    await behind.stop();
  }
}

async function real(startReal: StartReal, version: string | undefined): Promise<Behind> {
  const { server, ...running } = await startReal(version);
  const name = `kube-apiserver ${server.version}`;
  return { name, connection: connectionTo(server), reached: () => [], stop: () => running.stop() };
}
