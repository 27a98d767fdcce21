import { Client, systemClock, systemRandom } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import type { Transport } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { LiveHost } from '@capstan/simulation';
import type { HostedFixtureOptions } from '@capstan/simulation';
import { applyAll, hostIn, installPrivateKinds, prepare, PRIVATE_OPERATOR, throughProxy } from '@capstan/tools/hosting';
import type { Place } from './suite.js';

const LOOK_EVERY_MS = 500;
const TIMEOUT_MS = 600_000;
/** A slow cloud would not make the test stronger. */
const TIMINGS = { boot: [50, 200], stop: [20, 50], terminate: [50, 200], consistency: [0, 50] } as const;

/** Hosts clusters in real time around a server that may be anywhere. */
export async function liveHosting(platforms: HostingPlatforms, transport: Transport): Promise<Place> {
  return hosting(platforms, transport, { transport, instances: undefined });
}

/** The same on private types; users read Cluster API through the proxy. */
export async function livePrivateHosting(platforms: HostingPlatforms, transport: Transport): Promise<Place> {
  await installPrivateKinds(new Client(transport), platforms);
  return hosting(platforms, transport, { transport: throughProxy(transport), instances: [PRIVATE_OPERATOR] });
}

/** `user` is how users reach the server, and which operators run. */
async function hosting(
  platforms: HostingPlatforms,
  transport: Transport,
  user: { readonly transport: Transport; readonly instances: HostedFixtureOptions['instances'] },
): Promise<Place> {
  const clock = systemClock();
  const random = systemRandom('hosted for real');
  const client = new Client(user.transport, { clock, random: random.split('user') });
  await prepare(new Client(transport, { clock, random: random.split('preparing') }), platforms);
  const host = new LiveHost({ transport, clock, random: random.split('live host') });
  const { instances } = user;
  const fixture = await hostIn(host, platforms, { startMs: 50, timings: TIMINGS, instances });
  const began = clock.monotonic();
  const until = async (what: string, look: () => Promise<string | undefined>): Promise<void> => {
    const options = { clock, limitMs: TIMEOUT_MS, everyMs: LOOK_EVERY_MS };
    await waitToSee(what, look, (missing) => missing === undefined, options);
  };
  return {
    hosted: {
      ...fixture,
      client,
      until,
      apply: (objects) => applyAll(client, objects),
      get elapsed() {
        return clock.monotonic() - began;
      },
    },
    isShared: true,
    close: () => host.close(),
  };
}
