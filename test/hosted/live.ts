import { Client, systemClock, systemRandom } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import type { Transport } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { LiveHost } from '@capstan/simulation';
import { applyAll, hostIn, prepare } from '@capstan/tools/hosting';
import type { Place } from './suite.js';

const LOOK_EVERY_MS = 500;
const TIMEOUT_MS = 600_000;
/** A slow cloud would not make the test stronger. */
const TIMINGS = { boot: [50, 200], stop: [20, 50], terminate: [50, 200], consistency: [0, 50] } as const;

/** Hosts clusters in real time around a server that may be anywhere. */
export async function liveHosting(platforms: HostingPlatforms, transport: Transport): Promise<Place> {
  const clock = systemClock();
  const random = systemRandom('hosted for real');
  const client = new Client(transport, { clock, random: random.split('user') });
  await prepare(client, platforms);
  const host = new LiveHost({ transport, clock, random: random.split('live host') });
  const fixture = await hostIn(host, platforms, { startMs: 50, timings: TIMINGS });
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
