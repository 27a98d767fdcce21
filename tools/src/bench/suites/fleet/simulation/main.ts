import { ApiServer, serveHttp } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { serveRegistry } from '@capstan/simulation';
import { HOME } from '../../../../hosting/index.js';
import { parseSize } from '../size.js';
import { FIRST_CLUSTER, fleetFixture } from './fleet.js';
import type { FleetFixture } from './fleet.js';
import { manyOf } from './many.js';

const ADMINISTRATOR = { username: 'fleet-admin', groups: ['system:masters', 'system:authenticated'] };

/** One line of what this program prints. */
function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Serves so many of a cluster over HTTP, and the registry its releases are in. */
async function serve(simulation: FleetFixture, clusters: number): Promise<void> {
  const snapshot = manyOf(simulation.snapshot(), { home: HOME, name: FIRST_CLUSTER }, clusters);
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('fleet'), snapshot });
  const handle = (request: Parameters<ApiServer['handle']>[0]): ReturnType<ApiServer['handle']> =>
    server.handle({ ...request, user: ADMINISTRATOR });
  const { port } = await serveHttp({ handle }, { port: 0, host: '127.0.0.1' });
  const { host: registry } = await serveRegistry(() => simulation.registry);
  print({ server: `http://127.0.0.1:${port}`, registry });
}

/** Hosts a fleet, or measures an hour at rest, or serves many clusters like one of it. */
async function main([what, text = '']: readonly string[]): Promise<void> {
  const size = parseSize(text);
  if (what === 'serve') {
    await serve(await fleetFixture({ ...size, clusters: 1 }), size.clusters);
    return;
  }
  const simulation = await fleetFixture(size);
  const { cpuSeconds, requests, seconds } = simulation;
  print({ seconds, cpuSeconds, requests, ...(what === 'hour' ? { requestsPerHour: await simulation.hour() } : {}) });
}

await main(process.argv.slice(2));
