import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse, Clock, Random, Timer, Transport } from '@capstan/meta';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { TransportError } from '../transport/errors.js';
import { LeaderElector } from './elector.js';
import type { Leadership } from './leadership.js';
import { LeaseServer } from './testing/lease-server.js';

const CALM_MS = 60_000;

/** A process that can be paused: time goes on outside, and everything that was due comes at once when it wakes up. */
class Process implements Clock {
  readonly #fixture: ManualClock;
  #pausedUntil = 0;
  #due: (() => void)[] = [];

  constructor(fixture: ManualClock) {
    this.#fixture = fixture;
  }

  now(): number {
    return this.#fixture.now();
  }

  monotonic(): number {
    return this.#fixture.monotonic();
  }

  after(delayMs: number, callback: () => void): Timer {
    let isCancelled = false;
    const fire = (): void => {
      if (isCancelled) return;
      if (this.#fixture.monotonic() < this.#pausedUntil) this.#due.push(fire);
      else callback();
    };
    const timer = this.#fixture.after(delayMs, fire);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  /** `shuffle` is why asking is needed: what acts may wake up before what would stop it. */
  pause(ms: number, shuffle: (due: (() => void)[]) => (() => void)[]): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#fixture.monotonic() + ms);
    this.#fixture.after(ms, () => {
      if (this.#fixture.monotonic() < this.#pausedUntil) return;
      for (const fire of shuffle(this.#due.splice(0))) fire();
    });
  }
}

/** Requests that take their time both ways, and get lost before or after they are done. */
function slowTransport(fixture: ManualClock, process: Process, server: LeaseServer, random: Random): Transport {
  const faulty = (): boolean => fixture.monotonic() < CALM_MS;
  const delay = (): number => (faulty() && random.next() < 0.2 ? random.below(9000) : random.below(20));
  return {
    send: (request: ApiRequest): Promise<ApiResponse> =>
      new Promise((resolve, reject) => {
        const lose = (reached: boolean): void => reject(new TransportError('ECONNRESET', 'lost', reached));
        const there = delay();
        const fate = faulty() ? random.next() : 1;
        if (fate < 0.1) return void process.after(there, () => lose(false));
        // The request is on its way: its sender's pause does not hold it up.
        fixture.after(there, () => {
          const response = server.answer(request);
          process.after(delay(), () => (fate < 0.2 ? lose(true) : resolve(response)));
        });
        request.signal?.addEventListener('abort', () => lose(true), { once: true });
      }),
  };
}

interface Member {
  readonly process: Process;
  leadership: Leadership | undefined;
  acts: number;
}

async function runCandidate(
  member: Member,
  transport: Transport,
  { identity, random }: { readonly identity: string; readonly random: Random },
  signal: AbortSignal,
): Promise<void> {
  const clock = member.process;
  // A process that lost the lease ends, and another begins in its place.
  for (let life = 0; !signal.aborted; life += 1) {
    const elector = new LeaderElector({
      client: new Client(transport, { clock, random: random.split(`client ${life}`), maxRetries: 0 }),
      clock,
      random: random.split(`elector ${life}`),
      logger: silentLogger(),
      namespace: 'n',
      name: 'lock',
      identity: `${identity}_${life}`,
    });
    await elector
      .run(signal, (leadership) => {
        member.leadership = leadership;
        return new Promise((resolve) => leadership.signal.addEventListener('abort', () => resolve(), { once: true }));
      })
      .catch(() => {});
    member.leadership = undefined;
  }
}

/** Runs one simulation; returns the moments at which two could act, and whether any led at the end. */
async function play(seed: number): Promise<{ both: number[]; acts: number; ledAtEnd: number }> {
  const fixture = new ManualClock();
  const random = systemRandom(seed);
  const server = new LeaseServer();
  const stop = new AbortController();
  const both: number[] = [];
  const members = ['a', 'b', 'c'].map((identity): Member => {
    const process = new Process(fixture);
    const member: Member = { process, leadership: undefined, acts: 0 };
    const transport = slowTransport(fixture, process, server, random.split(`transport ${identity}`));
    void runCandidate(member, transport, { identity, random: random.split(identity) }, stop.signal);
    return member;
  });
  const act = (member: Member): void => {
    if (stop.signal.aborted) return;
    if (member.leadership?.held() === true) {
      member.acts += 1;
      if (members.filter((other) => other.leadership?.held() === true).length > 1) both.push(fixture.monotonic());
    }
    member.process.after(200, () => act(member));
  };
  const chaos = random.split('chaos');
  const disturb = (): void => {
    const member = members[chaos.below(members.length)];
    const order = (due: (() => void)[]): (() => void)[] => (chaos.next() < 0.5 ? due : due.toReversed());
    member?.process.pause(chaos.below(25_000), order);
    if (fixture.monotonic() < CALM_MS - 25_000) fixture.after(chaos.below(15_000), disturb);
  };
  members.forEach(act);
  disturb();
  await fixture.advance(CALM_MS + 60_000);
  const ledAtEnd = members.filter((member) => member.leadership?.held() === true).length;
  const acts = members.reduce((sum, member) => sum + member.acts, 0);
  stop.abort();
  await fixture.advance(30_000);
  return { both, acts, ledAtEnd };
}

describe('leadership under pauses, slow and lost requests', () => {
  it('is never had by two at once, and is had by one when all is calm', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
        const { both, acts, ledAtEnd } = await play(seed);
        expect(both).toEqual([]);
        expect(ledAtEnd).toBe(1);
        expect(acts).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
