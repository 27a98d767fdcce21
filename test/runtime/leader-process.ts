import { parseArgs } from 'node:util';
import {
  Client,
  fencedTransport,
  fixedCredentials,
  HttpTransport,
  LeaderElector,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@capstan/kube';
import type { Leadership } from '@capstan/kube';
import { CONFIG_MAPS } from './fixture.js';

/* A candidate in a process of its own: while it leads it writes its name into a ledger, again and again. */

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    ca: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    unfenced: { type: 'boolean', default: false },
  },
});
const ACT_EVERY_MS = 20;

const credentials = fixedCredentials({ headers: { authorization: `Bearer ${values.token}` } });
const trust = { caPem: values.ca };
const transport = new HttpTransport({ server: values.url, trust, credentials, namespace: 'default' });
const client = new Client(transport);
const clock = systemClock();
const random = systemRandom();

async function act(identity: string, leadership: Leadership): Promise<void> {
  const way = values.unfenced ? transport : fencedTransport(transport, leadership);
  const writer = new Client(way, { maxRetries: 0 });
  while (!leadership.signal.aborted) {
    const patch = { type: 'merge', value: { data: { by: identity, at: String(clock.monotonic()) } } } as const;
    await writer.patch(CONFIG_MAPS, 'ledger', patch, { namespace: 'default' }).catch(() => undefined);
    await sleep(clock, ACT_EVERY_MS);
  }
}

for (let term = 1; ; term += 1) {
  const identity = `${values.name}_${term}`;
  const elector = new LeaderElector({
    client,
    clock,
    random: random.split(identity),
    logger: silentLogger(),
    namespace: 'default',
    name: 'ledger',
    identity,
    leaseDurationMs: 2_000,
    renewDeadlineMs: 1_500,
    retryPeriodMs: 300,
  });
  // A candidate that lost the lease starts again under another name, as a new process would.
  await elector.run(new AbortController().signal, (leadership) => act(identity, leadership)).catch(() => undefined);
}
