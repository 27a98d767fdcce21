import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse, Clock } from '@capstan/meta';
import type { Logger } from '../runtime/logger.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed } from '../testing/scripted-transport.js';
import { Term } from './leadership.js';
import { candidate, spec } from './testing/candidate.js';
import { LeaseServer } from './testing/lease-server.js';

/** A clock whose timers are late for ever, as those of a process that was paused are at first. */
class LateClock implements Clock {
  elapsed = 0;
  now = (): number => this.elapsed;
  monotonic = (): number => this.elapsed;
  after = () => ({ cancel: () => {} });
}

describe('Term', () => {
  it('is held until its deadline and not at it, whether or not its timer has noticed', () => {
    const clock = new LateClock();
    const term = new Term(clock, 100, () => {});
    clock.elapsed = 99;
    expect(term.held()).toBe(true);
    clock.elapsed = 100;
    expect(term.held()).toBe(false);
  });

  it('does not begin again once it is over', () => {
    const clock = new LateClock();
    const term = new Term(clock, 100, () => {});
    clock.elapsed = 100;
    expect(term.extend(200)).toBe(false);
    expect([term.held(), term.deadline]).toEqual([false, 100]);
  });

  it('is never made shorter by a renewal that was sent earlier', () => {
    const term = new Term(new LateClock(), 100, () => {});
    expect([term.extend(50), term.deadline, term.extend(150), term.deadline]).toEqual([true, 100, true, 150]);
  });

  it('is over with its timer, for good, and reports that once', async () => {
    const clock = new ManualClock();
    let lost = 0;
    const term = new Term(clock, 100, () => (lost += 1));
    term.extend(200);
    await clock.advance(150);
    expect([term.held(), term.signal.aborted, lost]).toEqual([true, false, 0]);
    await clock.advance(50);
    expect([term.held(), term.signal.aborted, lost, clock.pending]).toEqual([false, true, 1, 0]);
    expect(term.extend(500)).toBe(false);
  });

  it('that is ended is not held and leaves no timer', () => {
    const clock = new ManualClock();
    const term = new Term(clock, 100, () => {});
    term.end();
    expect([term.held(), term.signal.aborted, clock.pending]).toEqual([false, true, 0]);
  });
});

/** When requests with a method came, by the clock. */
function timesOf(clock: ManualClock): {
  readonly times: Record<string, number[]>;
  readonly note: (request: ApiRequest) => void;
} {
  const times: Record<string, number[]> = {};
  return { times, note: ({ method }) => void (times[method] ??= []).push(clock.monotonic()) };
}

describe('LeaderElector at its edges', () => {
  it('asks for the lease by its namespace and name', async () => {
    const clock = new ManualClock();
    const a = candidate(clock, new LeaseServer(), 'a');
    await clock.advance(2000);
    const path = '/apis/coordination.k8s.io/v1/namespaces/n/leases';
    expect(a.transport.log).toEqual([`GET ${path}/lock`, `POST ${path}`, `PUT ${path}/lock`]);
    a.abort.abort();
    await a.running;
  });

  it('that is stopped before it leads never begins to work, and reports that it does not lead', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    server.put({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    const a = candidate(clock, server, 'a');
    await clock.advance(0);
    expect([a.metrics.leader.master.value(['lock']), a.elector.leader]).toEqual([0, 'other']);
    a.abort.abort();
    await a.running;
    expect([a.leadership(), spec(server)['holderIdentity'], clock.pending]).toEqual([undefined, 'other', 0]);
  });

  it('tries again after once to 2.2 times its period', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    server.put({ holderIdentity: 'other', leaseDurationSeconds: 3600 });
    const { times, note } = timesOf(clock);
    const answer = (request: ApiRequest): undefined => {
      note(request);
      return undefined;
    };
    const a = candidate(clock, server, 'a', { answer });
    await clock.advance(300_000);
    const gets = times['GET'] ?? [];
    const gaps = gets.slice(1).map((at, index) => at - (gets[index] ?? 0));
    expect([Math.min(...gaps) >= 2000, Math.max(...gaps) <= 4400]).toEqual([true, true]);
    expect([Math.min(...gaps) < 2500, Math.max(...gaps) > 3900]).toEqual([true, true]);
    a.abort.abort();
    await a.running;
  });

  it('gives a renewal up after half its deadline, and is in time with the next', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const { times, note } = timesOf(clock);
    const warnings: string[] = [];
    const logger: Logger = { debug() {}, info() {}, error() {}, warn: (text) => void warnings.push(text) };
    let hangs = 0;
    const a = candidate(clock, server, 'a', {
      logger,
      answer: (request) => {
        note(request);
        if (request.method !== 'PUT') return undefined;
        hangs += 1;
        if (hangs === 2) return failed(503, 'ServiceUnavailable');
        return hangs === 1 ? new Promise<ApiResponse>(() => {}) : undefined;
      },
    });
    await clock.advance(11_900);
    expect(times['PUT']).toEqual([2000, 9000, 9000, 11_000]);
    expect([a.leadership()?.held(), warnings]).toEqual([true, []]);
    a.abort.abort();
    await a.running;
  });

  it('warns when the lease cannot be had, and not when it is stopped', async () => {
    const clock = new ManualClock();
    const warnings: string[] = [];
    const logger: Logger = { debug() {}, info() {}, error() {}, warn: (text) => void warnings.push(text) };
    const a = candidate(clock, new LeaseServer(), 'a', { logger, answer: () => failed(503, 'ServiceUnavailable') });
    await clock.advance(100);
    expect(warnings).toEqual(['the lease could not be acquired']);
    a.abort.abort();
    await a.running;
    expect(warnings).toHaveLength(1);
  });

  it('writes nothing for a read that was answered after it was given up', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    let reads = 0;
    const a = candidate(clock, server, 'a', {
      answer: (request) => {
        if (request.method !== 'GET') return undefined;
        reads += 1;
        const late = new Promise<ApiResponse>((resolve) => clock.after(6_000, () => resolve(server.answer(request))));
        return reads === 1 ? late : new Promise<ApiResponse>(() => {});
      },
    });
    await clock.advance(30_000);
    expect(a.transport.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    a.abort.abort();
    await clock.advance(10_000);
    await a.running;
  });

  it('stops renewing when the lease is lost, though its work goes on', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    let isAway = false;
    const drain = new Promise<void>(() => {});
    const a = candidate(clock, server, 'a', {
      drain,
      answer: () => (isAway ? failed(503, 'ServiceUnavailable') : undefined),
    });
    await clock.advance(0);
    const leadership = a.leadership();
    isAway = true;
    await clock.advance(12_001);
    const asked = a.transport.requests.length;
    isAway = false;
    await clock.advance(60_000);
    expect([leadership?.held(), a.transport.requests.length - asked]).toEqual([false, 0]);
    expect(spec(server)).toMatchObject({ renewTime: '2026-01-01T00:00:00.000000Z' });
  });

  it('gives up no lease that is another\u2019s by then, and knows when its own is nobody\u2019s', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    const a = candidate(clock, server, 'a');
    await clock.advance(0);
    server.put({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 });
    a.abort.abort();
    await a.running;
    expect(spec(server)).toMatchObject({ holderIdentity: 'b' });

    const mine = new LeaseServer();
    const c = candidate(clock, mine, 'c');
    await clock.advance(0);
    c.abort.abort();
    await c.running;
    expect([c.elector.leader, spec(mine)['holderIdentity']]).toEqual(['', '']);
  });

  it('counts a renewal from when it was sent, however late its answer is', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    let renewals = 0;
    const a = candidate(clock, server, 'a', {
      answer: (request) => {
        if (request.method !== 'PUT') return renewals > 0 ? failed(503, 'ServiceUnavailable') : undefined;
        renewals += 1;
        if (renewals > 1) return failed(503, 'ServiceUnavailable');
        // Done at once, as others can see, and known to its sender when half of the lease that it gives is over.
        const response = server.answer(request);
        return new Promise<ApiResponse>((resolve) => clock.after(4_500, () => resolve(response)));
      },
    });
    await clock.advance(2000 + 11_999);
    expect([a.leadership()?.held(), renewals > 1]).toEqual([true, true]);
    await clock.advance(1);
    expect(a.leadership()).toBeUndefined();
    await expect(a.running).rejects.toMatchObject({ code: 'leadership-lost' });
  });

  it('keeps a twentieth of the lease as distance where its periods leave none', async () => {
    const clock = new ManualClock();
    const durations = { leaseDurationMs: 10_000, renewDeadlineMs: 9_000, retryPeriodMs: 1 };
    let isAway = false;
    const answer = () => (isAway ? failed(503, 'ServiceUnavailable') : undefined);
    const a = candidate(clock, new LeaseServer(), 'a', { ...durations, retryPeriodMs: 2_000, answer });
    await clock.advance(0);
    isAway = true;
    await clock.advance(9_499);
    expect(a.leadership()?.held()).toBe(true);
    await clock.advance(1);
    expect(a.leadership()).toBeUndefined();
    await expect(a.running).rejects.toMatchObject({ code: 'leadership-lost' });
    // The shortest period there is.
    const b = candidate(clock, new LeaseServer(), 'b', durations);
    await clock.advance(0);
    expect(b.leadership()?.held()).toBe(true);
    b.abort.abort();
    await b.running;
  });

  it('takes over after the time the record itself names, not its own', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer();
    server.put({ holderIdentity: 'other', leaseDurationSeconds: 60 });
    const a = candidate(clock, server, 'a');
    await clock.advance(59_999);
    expect(a.leadership()).toBeUndefined();
    await clock.advance(4_401);
    expect(a.leadership()?.held()).toBe(true);
    a.abort.abort();
    await a.running;
  });
});
