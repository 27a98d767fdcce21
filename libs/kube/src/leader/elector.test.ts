import { describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, ScriptedTransport } from '../testing/scripted-transport.js';
import { LeaderElector } from './elector.js';
import type { LeaderElectorOptions } from './elector.js';
import { fencedTransport } from './leadership.js';
import { candidate, spec } from './testing/candidate.js';
import { LeaseServer } from './testing/lease-server.js';

describe('LeaderElector', () => {
  it('creates the lease, renews it without reading, and gives it up at the end', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const a = candidate(clock, server, 'a');
    await clock.advance(0);
    expect(spec(server)).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    await clock.advance(5000);
    expect(spec(server)).toMatchObject({
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:04.000000Z',
    });
    expect(a.transport.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'PUT', 'PUT']);
    expect([a.elector.leader, a.metrics.leader.master.value(['lock'])]).toEqual(['a', 1]);
    a.abort.abort();
    await a.running;
    expect(spec(server)).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect([a.metrics.leader.master.value(['lock']), clock.pending]).toEqual([0, 0]);
  });

  it('takes a lease that was given up at once, and one that is not renewed after its time by the own clock', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const leaders: string[] = [];
    const a = candidate(clock, server, 'a');
    await clock.advance(0);
    const b = candidate(clock, server, 'b', { onNewLeader: (identity) => leaders.push(identity) });
    await clock.advance(30_000);
    expect([a.leadership() !== undefined, b.leadership()]).toEqual([true, undefined]);
    a.abort.abort();
    await clock.advance(2000 * 2.2);
    expect(b.leadership()?.held()).toBe(true);
    expect(spec(server)).toMatchObject({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 });
    expect(leaders).toEqual(['a', 'b']);
    b.abort.abort();
    await b.running;

    // A holder that wrote a time far ahead and then died: only the change of the record counts.
    server.put({ holderIdentity: 'dead', leaseDurationSeconds: 15, renewTime: '2099-01-01T00:00:00.000000Z' });
    const c = candidate(clock, server, 'c');
    await clock.advance(14_999);
    expect(c.leadership()).toBeUndefined();
    await clock.advance(4402);
    expect(c.leadership()?.held()).toBe(true);
    c.abort.abort();
    await c.running;
  });

  it('ends its work before anybody else can begin, when the lease cannot be renewed', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    let isAway = false;
    const a = candidate(clock, server, 'a', { answer: () => (isAway ? failed(503, 'ServiceUnavailable') : undefined) });
    await clock.advance(0);
    const b = candidate(clock, server, 'b');
    await clock.advance(4000);
    isAway = true;
    await clock.advance(11_900);
    expect(a.leadership()?.held()).toBe(true);
    await clock.advance(200);
    expect([a.leadership(), b.leadership()]).toEqual([undefined, undefined]);
    await expect(a.running).rejects.toMatchObject({ code: 'leadership-lost', message: 'the lease lock was lost' });
    await clock.advance(10_000);
    expect(b.leadership()?.held()).toBe(true);
    b.abort.abort();
    await b.running;
  });

  it('reads the lease when another client changed it, and keeps it', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const a = candidate(clock, server, 'a');
    await clock.advance(0);
    server.put({ ...spec(server), strategy: 'x' });
    await clock.advance(2000);
    expect(a.transport.requests.slice(2).map(({ method }) => method)).toEqual(['PUT', 'GET', 'PUT']);
    expect(a.metrics.leader.slowPath.value(['lock'])).toBe(1);
    expect(spec(server)).toMatchObject({ holderIdentity: 'a', strategy: 'x', leaseTransitions: 0 });
    a.abort.abort();
    await a.running;
  });

  it('keeps the lease until its work has stopped', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    let release = (): void => {};
    const drain = new Promise<void>((resolve) => (release = resolve));
    const a = candidate(clock, server, 'a', { drain });
    await clock.advance(0);
    const leadership = a.leadership();
    a.abort.abort();
    await clock.advance(60_000);
    expect([leadership?.signal.aborted, leadership?.held()]).toEqual([true, true]);
    expect(spec(server)).toMatchObject({ holderIdentity: 'a', renewTime: '2026-01-01T00:01:00.000000Z' });
    release();
    await a.running;
    expect([leadership?.held(), spec(server)['holderIdentity']]).toEqual([false, '']);
  });

  it('does not count a renewal that was answered too late, nor trusts a clock that jumped over its time', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const a = candidate(clock, server, 'a', {
      answer: (request) =>
        request.method === 'PUT'
          ? new Promise((resolve) => clock.after(20_000, () => resolve(server.answer(request))))
          : undefined,
    });
    await clock.advance(0);
    const leadership = a.leadership();
    await clock.advance(12_000);
    expect([leadership?.held(), leadership?.signal.aborted]).toEqual([false, true]);
    await expect(a.running).rejects.toMatchObject({ code: 'leadership-lost' });
  });

  it('lets no write through once leadership is over', async () => {
    let held = true;
    const inner = new ScriptedTransport(() => ({ status: 200, headers: {}, body: { type: 'empty' } }));
    const transport = fencedTransport(inner, { held: () => held });
    await transport.send({ method: 'PUT', target: '/x', headers: {} });
    held = false;
    await transport.send({ method: 'GET', target: '/x', headers: {} });
    await expect(transport.send({ method: 'DELETE', target: '/x', headers: {} })).rejects.toMatchObject({
      code: 'FENCED',
      mayHaveReachedServer: false,
      message: 'DELETE was not sent: another may be the leader',
    });
    expect(inner.log).toEqual(['PUT /x', 'GET /x']);
  });

  it.each<[Partial<LeaderElectorOptions>, string]>([
    [{ renewDeadlineMs: 15_000 }, 'leaseDuration must be greater than renewDeadline'],
    [{ retryPeriodMs: 9_000 }, 'renewDeadline must be greater than retryPeriod*JitterFactor'],
    [{ renewDeadlineMs: 2_400 }, 'renewDeadline must be greater than retryPeriod*JitterFactor'],
    [{ leaseDurationMs: 10_000 }, 'leaseDuration must be greater than renewDeadline'],
    [{ retryPeriodMs: 0 }, 'retryPeriod must be greater than zero'],
    [{ leaseDurationMs: 15_500 }, 'leaseDuration must be whole seconds: a Lease has no others'],
    [{ identity: '' }, 'a candidate needs an identity'],
  ])('refuses %o', (options, message) => {
    const clock = new ManualClock();
    expect(
      () =>
        new LeaderElector({
          client: new Client(new ScriptedTransport(() => undefined)),
          clock,
          random: systemRandom(1),
          logger: silentLogger(),
          namespace: 'n',
          name: 'x',
          identity: 'x',
          ...options,
        }),
    ).toThrow(message);
  });
});
