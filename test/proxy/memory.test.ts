import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proxySidecar } from '@capstan/translate/sidecar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../kubectl/cluster.js';
import { eventually } from '../src/wait.js';
import { CRDS, definition, gadget, of, S } from '../translate/scenarios.js';
import { askOverHttp, open } from './ask.js';
import { CONTROL_PLANE_LIMIT_BYTES, MOST_PROXIES, PROXIES } from './memory.js';
import { endProxyProcesses, startProxyProcess } from './proxy-process.js';
import type { ProxyProcess } from './proxy-process.js';

const OBJECTS = 100;
const WATCHES = 12;
const LISTS = 30;
/** What a pod gives its proxy. */
const { env } = proxySidecar({ image: 'capstan', native: true }).container;
const ENV = Object.fromEntries(
  (env as readonly { readonly name: string; readonly value: string }[]).map(({ name, value }) => [name, value]),
);

async function residentBytes({ healthUrl }: ProxyProcess): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

/** Pages that several processes share count for each of them in part. */
function shareBytes({ pid }: ProxyProcess): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}

/** What a component does once it runs: watches each of its kinds, and lists now and then. */
async function use(proxy: ProxyProcess): Promise<void> {
  for (let count = 0; count < WATCHES; count += 1) await open(proxy.url, `${of(S)}?watch=1`);
  const ask = askOverHttp(proxy.url);
  for (let count = 0; count < LISTS; count += 1) {
    const { text } = await ask(of(S));
    expect((JSON.parse(text) as { items: readonly unknown[] }).items).toHaveLength(OBJECTS);
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

describe('The proxies of a control plane at work, each a process', () => {
  let folder = '';
  let cluster: Awaited<ReturnType<typeof startEmbedded>>;
  const proxies: ProxyProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-proxies-'));
    cluster = await startEmbedded();
    for (let at = 0; at < MOST_PROXIES; at += 1) {
      const kubeconfig = ['--kubeconfig', cluster.kubeconfig, '--kubeconfig-out', join(folder, `kubeconfig-${at}`)];
      proxies.push(await startProxyProcess([...kubeconfig, '--listen', '127.0.0.1:0'], ENV));
    }
    const ask = askOverHttp(proxies[0]?.url ?? '');
    expect((await ask(CRDS, { method: 'POST', body: definition(S) })).status).toBe(201);
    await eventually('it is served', async () => ((await ask(of(S))).status === 200 ? true : undefined));
    for (let at = 0; at < OBJECTS; at += 1) {
      const { metadata, ...object } = JSON.parse(gadget(S, 1)) as { readonly metadata: object };
      const body = JSON.stringify({ ...object, metadata: { ...metadata, name: `gadget-${at}` } });
      expect((await ask(of(S), { method: 'POST', body })).status).toBe(201);
    }
    for (const proxy of proxies) await use(proxy);
  }, 120_000);
  afterAll(async () => {
    endProxyProcesses();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it(`have at most 400 MB, on ${PROXIES} nodes`, async () => {
    const resident = await Promise.all(proxies.slice(0, PROXIES).map(residentBytes));
    expect(sum(resident)).toBeGreaterThan(0);
    expect(sum(resident)).toBeLessThanOrEqual(CONTROL_PLANE_LIMIT_BYTES);
  });

  it.runIf(process.platform === 'linux')(`have half of that where ${MOST_PROXIES} of them run on one node`, () => {
    const shares = proxies.map(shareBytes);
    expect(sum(shares)).toBeGreaterThan(0);
    expect(sum(shares)).toBeLessThanOrEqual(CONTROL_PLANE_LIMIT_BYTES / 2);
  });
});
