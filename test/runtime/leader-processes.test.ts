import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serveHttp } from '@capstan/apiserver';
import { Client, createCa } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterEach, describe, expect, it } from 'vitest';
import { embeddedServer, TOKEN } from '../src/conformance/servers.js';
import { CONFIG_MAPS } from './fixture.js';
import { eventually } from '../src/wait.js';

/** Longer than the lease of two seconds. */
const PAUSE_MS = 3_500;
const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

interface Fact extends KubeObject {
  readonly data?: { readonly by?: string };
  readonly spec?: { readonly holderIdentity?: string };
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server that writes down, in its own order, who got the lease and who wrote to the ledger. */
async function startLedger() {
  const ca = createCa({ commonName: 'ledger' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const server = embeddedServer();
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  closers.push(() => http.close());
  const metadata = { name: 'ledger', namespace: 'default' };
  await new Client(server).create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  let holder = '';
  const writers: string[] = [];
  const intruders: string[] = [];
  server.store.subscribe(({ current, name }) => {
    if (name !== 'ledger') return;
    const { data, kind, spec } = current.object() as Fact;
    if (kind === 'Lease') holder = spec?.holderIdentity ?? '';
    else if (data?.by !== undefined) {
      writers.push(data.by);
      if (data.by !== holder) intruders.push(`${data.by} wrote while ${holder} led`);
    }
  });
  return { url: http.url, caPem: ca.certPem, writers, intruders };
}

type Ledger = Awaited<ReturnType<typeof startLedger>>;

/** Two candidates in processes of their own. */
function startCandidates({ caPem, url }: Ledger, isFenced: boolean): Record<Name, ChildProcess> {
  const program = fileURLToPath(new URL('../dist/runtime/leader-process.js', import.meta.url));
  const start = (name: Name): ChildProcess => {
    const args = [`--url=${url}`, `--ca=${caPem}`, `--token=${TOKEN}`, `--name=${name}`];
    if (!isFenced) args.push('--unfenced');
    const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
    closers.push(async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    return child;
  };
  return { a: start('a'), b: start('b') };
}

/** Stops the leader for longer than its lease, and lets it go on when the other has worked. */
async function pauseLeader(ledger: Ledger, candidates: Record<Name, ChildProcess>): Promise<void> {
  const isAt = (name: Name): boolean => ledger.writers.at(-1)?.startsWith(`${name}_`) === true;
  const leader = await eventually('a leader works', async () => NAMES.find(isAt));
  candidates[leader].kill('SIGSTOP');
  const paused = performance.now();
  const other = leader === 'a' ? 'b' : 'a';
  await eventually('the other works', async () => isAt(other) || undefined);
  const enough = async (): Promise<true | undefined> => performance.now() - paused > PAUSE_MS || undefined;
  await eventually('the lease is long over', enough);
  const known = ledger.writers.length;
  candidates[leader].kill('SIGCONT');
  // Whatever the one that woke up had in mind is done by then.
  await eventually('work goes on', async () => ledger.writers.length > known + 20 || undefined);
}

describe('two leaders in processes of their own, one of which is stopped for longer than its lease', () => {
  it('never write in the same term', { timeout: 60_000 }, async () => {
    const ledger = await startLedger();
    const candidates = startCandidates(ledger, true);
    for (let round = 0; round < 3; round += 1) await pauseLeader(ledger, candidates);
    expect(ledger.intruders).toEqual([]);
    expect(new Set(ledger.writers).size).toBeGreaterThanOrEqual(4);
  });

  it('would do so without the fence', { timeout: 60_000 }, async () => {
    const ledger = await startLedger();
    const candidates = startCandidates(ledger, false);
    for (let round = 0; round < 4 && ledger.intruders.length === 0; round += 1) await pauseLeader(ledger, candidates);
    expect(ledger.intruders).not.toEqual([]);
  });
});
