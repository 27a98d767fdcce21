import { ApiServer, serveHttp } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { serveRegistry } from '@capstan/simulation';
import { parseSize } from '../size.js';
import { fleetWorld } from './fleet-world.js';

const ADMINISTRATOR = { username: 'fleet-admin', groups: ['system:masters', 'system:authenticated'] };

/** One line of what this program prints. */
function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Hosts a fleet of the size given. With `hour` tells what an hour at rest takes, with `serve` serves it as it is. */
async function main([what, text]: readonly string[]): Promise<void> {
  const size = parseSize(text ?? '');
  const world = await fleetWorld(size);
  if (what === 'hour') {
    print({ requestsPerHour: await world.hour() });
    return;
  }
  const { cpuSeconds, registry, requests } = world;
  const snapshot = world.snapshot();
  const clock = systemClock();
  const server = new ApiServer({ clock, random: systemRandom('fleet'), snapshot });
  const handle = (request: Parameters<ApiServer['handle']>[0]): ReturnType<ApiServer['handle']> =>
    server.handle({ ...request, user: ADMINISTRATOR });
  const { port } = await serveHttp({ handle }, { port: 0, host: '127.0.0.1' });
  const served = await serveRegistry(() => registry);
  print({ cpuSeconds, requests, server: `http://127.0.0.1:${port}`, registry: served.host });
}

await main(process.argv.slice(2));
