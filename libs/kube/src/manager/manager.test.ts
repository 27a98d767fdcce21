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

interface World {
  readonly clock: ManualClock;
  readonly server: LeaseServer;
  readonly transport: ScriptedTransport;
  readonly manager: Manager;
  readonly abort: AbortController;
  readonly told: string[];
  cut(): void;
  run(): Promise<void>;
}

function make(options: Partial<ManagerOptions> = {}): World {
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
  return { clock, server, transport, manager, abort, told: [], cut: () => (isCut = true), run };
}

/** Tells when it starts, is ready and has stopped; each takes a second. */
function slow({ clock, told }: World, name: string): Runnable {
  let readied = (): void => {};
  const isReady = new Promise<void>((resolve) => (readied = resolve));
  return {
    name,
    run: (signal) =>
      new Promise((resolve) => {
        told.push(`${name} starts`);
        clock.after(1000, () => {
          told.push(`${name} is ready`);
          readied();
        });
        signal.addEventListener('abort', () => clock.after(1000, () => resolve(void told.push(`${name} has stopped`))));
      }),
    ready: () => isReady,
  };
}

const GROUPS: readonly RunnableGroup[] = ['leader', 'other', 'cache', 'webhook', 'http'];

describe('Manager', () => {
  it.each([undefined, LEASE])('starts in order and stops in order (election: %o)', async (leaderElection) => {
    const world = make({ leaderElection });
    for (const group of GROUPS) world.manager.add(slow(world, group), group);
    const running = world.run();
    await world.clock.advance(10_000);
    const start = ['http', 'webhook', 'cache', 'other', 'leader'];
    expect(world.told).toEqual(start.flatMap((name) => [`${name} starts`, `${name} is ready`]));
    world.told.length = 0;
    world.abort.abort();
    await world.clock.advance(4999);
    if (leaderElection !== undefined)
      expect(world.server.lease).toMatchObject({ spec: { holderIdentity: 'me', leaseTransitions: 0 } });
    await world.clock.advance(1);
    await running;
    expect(world.told).toEqual(['other', 'leader', 'cache', 'webhook', 'http'].map((name) => `${name} has stopped`));
    if (leaderElection !== undefined) expect(world.server.lease).toMatchObject({ spec: { holderIdentity: '' } });
    expect(world.clock.pending).toBe(0);
  });

  it('runs nothing of the leader while another leads, and lets no write through', async () => {
    const world = make({ leaderElection: LEASE });
    world.server.put({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    for (const group of GROUPS) world.manager.add(slow(world, group), group);
    const running = world.run();
    await world.clock.advance(10_000);
    expect(world.told).not.toContain('leader starts');
    await expect(world.manager.client.delete(APPS, 'x')).rejects.toMatchObject({ code: 'FENCED' });
    await world.manager.unguardedClient.delete(APPS, 'x');
    world.abort.abort();
    await world.clock.advance(10_000);
    await running;
    expect(world.server.lease).toMatchObject({ spec: { holderIdentity: 'other' } });
  });

  it('stops and rejects when the lease is lost', async () => {
    const world = make({ leaderElection: LEASE });
    world.manager.add(slow(world, 'work'));
    const running = world.run();
    await world.clock.advance(5000);
    world.cut();
    await world.clock.advance(20_000);
    await expect(running).rejects.toMatchObject({ code: 'leadership-lost' });
    expect(world.told).toContain('work has stopped');
  });

  it('stops and rejects when something fails', async () => {
    const world = make();
    world.manager.add(slow(world, 'work'));
    world.manager.add({ name: 'bad', run: () => Promise.reject(new Error('it broke')) }, 'leader');
    const running = world.run();
    await world.clock.advance(5000);
    await expect(running).rejects.toThrow('it broke');
    expect(world.told).toEqual(['work starts', 'work is ready', 'work has stopped']);
  });

  it('waits no longer than its grace for what does not stop, and puts the rest away', async () => {
    const world = make({ gracePeriodMs: 10_000 });
    world.manager.add({ name: 'stubborn', run: () => new Promise(() => {}) }, 'other');
    world.manager.add(slow(world, 'web'), 'http');
    const running = world.run();
    await world.clock.advance(3000);
    world.abort.abort();
    await world.clock.advance(9_999);
    expect(world.told).not.toContain('web has stopped');
    await world.clock.advance(1001);
    await expect(running).rejects.toThrow('still running when the time to stop was over: stubborn');
  });

  it('fails to start when the cache does not know the world in time', async () => {
    const world = make();
    world.cut();
    world.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    const running = world.run();
    await world.clock.advance(121_000);
    await expect(running).rejects.toThrow('the cache did not know the world within 120 s');
  });

  it('leaves no timer behind when it is stopped before its cache knows the cluster', async () => {
    const world = make();
    world.cut();
    world.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    const running = world.run();
    await world.clock.advance(100);
    world.abort.abort();
    await world.clock.advance(100);
    await running;
    expect(world.clock.pending).toBe(0);
  });

  it('serves metrics and probes, and is ready when caches are', async () => {
    const world = make({ metrics: { port: 0 }, probes: { port: 0 } });
    world.manager.controller({ name: 'c', reconcile: () => {} }).for(APPS);
    world.manager.addHealthCheck('own', () => {});
    world.manager.addReadyCheck('own', () => {});
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    world.manager.add({ name: 'gate', run: () => Promise.resolve(), ready: () => gate }, 'webhook');
    const running = world.run();
    const probes = await world.manager.url('probes');
    const get = async (url: string): Promise<string> => (await fetch(url)).text();
    expect(await get(`${probes}/readyz`)).toBe('[+]own ok\n[-]startup failed: reason withheld\nreadyz check failed\n');
    open();
    await world.clock.advance(0);
    expect(await get(`${probes}/readyz?verbose`)).toBe('[+]own ok\n[+]startup ok\nreadyz check passed\n');
    expect(await get(`${probes}/healthz/own`)).toBe('ok');
    const page = await get(`${await world.manager.url('metrics')}/metrics`);
    expect(page).toContain('controller_runtime_max_concurrent_reconciles{controller="c"} 1\n');
    expect(page).toContain('rest_client_requests_total{code="200",method="GET",host="apiserver"} 2\n');
    world.abort.abort();
    await world.clock.advance(0);
    await running;
  });
});
