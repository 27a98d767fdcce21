import { describe, expect, it } from 'vitest';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { LeaseServer } from '../leader/testing/lease-server.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Manager } from './manager.js';
import type { ManagerOptions } from './manager.js';
import type { Runnable, RunnableGroup } from './runnable.js';

const APPS = { group: 'example.com', version: 'v1', plural: 'apps', namespaced: true, kind: 'App' };
const LEASE = { namespace: 'n', name: 'lock', identity: 'me' };

interface Fixture {
  readonly clock: ManualClock;
  readonly server: LeaseServer;
  readonly transport: ScriptedTransport;
  readonly manager: Manager;
  readonly abort: AbortController;
  readonly log: string[];
  cut(): void;
  run(): Promise<void>;
}

function make(options: Partial<ManagerOptions> = {}): Fixture {
  const clock = new ManualClock();
  const server = new LeaseServer();
  let isCut = false;
  const transport = new ScriptedTransport((request, url) => {
    if (isCut) return failed(500, 'InternalError');
    if (url.pathname.includes('/leases')) return server.answer(request);
    if (request.method !== 'GET') return json({});
    return url.searchParams.has('watch') ? undefined : json({ metadata: { resourceVersion: '1' }, items: [] });
  });
  const manager = new Manager({
    transport,
    clock,
    random: systemRandom(1),
    logger: silentLogger(),
    cache: { watchList: false },
    ...options,
  });
  const abort = new AbortController();
  const run = (): Promise<void> => {
    const running = manager.run(abort.signal);
    running.catch(() => {});
    return running;
  };
  return { clock, server, transport, manager, abort, log: [], cut: () => (isCut = true), run };
}

/** Logs when it starts, is ready and has stopped; each takes a second. */
function slow({ clock, log }: Fixture, name: string): Runnable {
  let readied = (): void => {};
  const isReady = new Promise<void>((resolve) => (readied = resolve));
  return {
    name,
    run: (signal) =>
      new Promise((resolve) => {
        log.push(`${name} starts`);
        clock.after(1000, () => {
          log.push(`${name} is ready`);
          readied();
        });
        signal.addEventListener('abort', () => clock.after(1000, () => resolve(void log.push(`${name} has stopped`))));
      }),
    ready: () => isReady,
  };
}

const GROUPS: readonly RunnableGroup[] = ['leader', 'other', 'cache', 'webhook', 'http'];

describe('Manager', () => {
  it.each([undefined, LEASE])('starts in order and stops in order (election: %o)', async (leaderElection) => {
    const fixture = make({ leaderElection });
    for (const group of GROUPS) fixture.manager.add(slow(fixture, group), group);
    const running = fixture.run();
    await fixture.clock.advance(10_000);
    const start = ['http', 'webhook', 'cache', 'other', 'leader'];
    expect(fixture.log).toEqual(start.flatMap((name) => [`${name} starts`, `${name} is ready`]));
    fixture.log.length = 0;
    fixture.abort.abort();
    await fixture.clock.advance(4999);
    if (leaderElection !== undefined)
      expect(fixture.server.lease).toMatchObject({ spec: { holderIdentity: 'me', leaseTransitions: 0 } });
    await fixture.clock.advance(1);
    await running;
    expect(fixture.log).toEqual(['other', 'leader', 'cache', 'webhook', 'http'].map((name) => `${name} has stopped`));
    if (leaderElection !== undefined) expect(fixture.server.lease).toMatchObject({ spec: { holderIdentity: '' } });
    expect(fixture.clock.pending).toBe(0);
  });

  it('runs nothing of the leader while another leads, and lets no write through', async () => {
    const fixture = make({ leaderElection: LEASE });
    fixture.server.put({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    for (const group of GROUPS) fixture.manager.add(slow(fixture, group), group);
    const running = fixture.run();
    await fixture.clock.advance(10_000);
    expect(fixture.log).not.toContain('leader starts');
    await expect(fixture.manager.client.delete(APPS, 'x')).rejects.toMatchObject({ code: 'FENCED' });
    await fixture.manager.unguardedClient.delete(APPS, 'x');
    fixture.abort.abort();
    await fixture.clock.advance(10_000);
    await running;
    expect(fixture.server.lease).toMatchObject({ spec: { holderIdentity: 'other' } });
  });

  it('stops and rejects when the lease is lost', async () => {
    const fixture = make({ leaderElection: LEASE });
    fixture.manager.add(slow(fixture, 'work'));
    const running = fixture.run();
    await fixture.clock.advance(5000);
    fixture.cut();
    await fixture.clock.advance(20_000);
    await expect(running).rejects.toMatchObject({ code: 'leadership-lost' });
    expect(fixture.log).toContain('work has stopped');
  });

  it('stops and rejects when something fails', async () => {
    const fixture = make();
    fixture.manager.add(slow(fixture, 'work'));
    fixture.manager.add({ name: 'bad', run: () => Promise.reject(new Error('it broke')) }, 'leader');
    const running = fixture.run();
    await fixture.clock.advance(5000);
    await expect(running).rejects.toThrow('it broke');
    expect(fixture.log).toEqual(['work starts', 'work is ready', 'work has stopped']);
  });

  it('waits no longer than its grace for what does not stop, and puts the rest away', async () => {
    const fixture = make({ gracePeriodMs: 10_000 });
    fixture.manager.add({ name: 'stubborn', run: () => new Promise(() => {}) }, 'other');
    fixture.manager.add(slow(fixture, 'web'), 'http');
    const running = fixture.run();
    await fixture.clock.advance(3000);
    fixture.abort.abort();
    await fixture.clock.advance(9_999);
    expect(fixture.log).not.toContain('web has stopped');
    await fixture.clock.advance(1001);
    await expect(running).rejects.toThrow('still running when the time to stop was over: stubborn');
  });

  it('fails to start when the cache does not sync in time', async () => {
    const fixture = make();
    fixture.cut();
    fixture.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    const running = fixture.run();
    await fixture.clock.advance(121_000);
    await expect(running).rejects.toThrow('the cache did not sync within 120 s');
  });

  it('leaves no timer behind when it is stopped before its cache knows the cluster', async () => {
    const fixture = make();
    fixture.cut();
    fixture.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    const running = fixture.run();
    await fixture.clock.advance(100);
    fixture.abort.abort();
    await fixture.clock.advance(100);
    await running;
    expect(fixture.clock.pending).toBe(0);
  });

  it('serves metrics and probes, and is ready when caches are', async () => {
    const fixture = make({ metrics: { port: 0 }, probes: { port: 0 } });
    fixture.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    fixture.manager.addHealthCheck('own', () => {});
    fixture.manager.addReadyCheck('own', () => {});
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    fixture.manager.add({ name: 'gate', run: () => Promise.resolve(), ready: () => gate }, 'webhook');
    const running = fixture.run();
    const probes = await fixture.manager.url('probes');
    const get = async (url: string): Promise<string> => (await fetch(url)).text();
    expect(await get(`${probes}/readyz`)).toBe('[+]own ok\n[-]startup failed: reason withheld\nreadyz check failed\n');
    open();
    await fixture.clock.advance(0);
    expect(await get(`${probes}/readyz?verbose`)).toBe('[+]own ok\n[+]startup ok\nreadyz check passed\n');
    expect(await get(`${probes}/healthz/own`)).toBe('ok');
    const page = await get(`${await fixture.manager.url('metrics')}/metrics`);
    expect(page).toContain('controller_runtime_max_concurrent_reconciles{controller="c"} 1\n');
    expect(page).toContain('rest_client_requests_total{code="200",method="GET",host="apiserver"} 2\n');
    fixture.abort.abort();
    await fixture.clock.advance(0);
    await running;
  });
});
