import type { ApiResponse } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { ScriptedTransport } from '../testing/scripted-transport.js';
import { LeaseLock } from './lease-lock.js';
import { spec } from './testing/candidate.js';
import { LeaseServer } from './testing/lease-server.js';

const MINE = { holder: 'me', durationSeconds: 15, acquireTime: '', renewTime: '', transitions: 1 };

function lockOn(server: LeaseServer, delays: readonly number[] = []) {
  const clock = new ManualClock();
  const left = [...delays];
  const transport = new ScriptedTransport((request) => {
    const delay = left.shift() ?? 0;
    if (delay === 0) return server.answer(request);
    return new Promise<ApiResponse>((resolve) => clock.after(delay, () => resolve(server.answer(request))));
  });
  return {
    clock,
    lock: new LeaseLock(new Client(transport, { clock, random: systemRandom(1), maxRetries: 0 }), 'n', 'lock'),
  };
}

const live = (): AbortSignal => new AbortController().signal;

describe('LeaseLock', () => {
  it('replaces only what it has read', async () => {
    const server = new LeaseServer();
    server.put({ holderIdentity: 'other' });
    const { lock } = lockOn(server);
    await lock.get(live());
    server.put({ holderIdentity: 'another' });
    await expect(lock.update(MINE, live())).rejects.toMatchObject({ status: { reason: 'Conflict' } });
    expect(spec(server)['holderIdentity']).toBe('another');
    await lock.get(live());
    await lock.update(MINE, live());
    expect(spec(server)['holderIdentity']).toBe('me');
  });

  it('does not take what came after its caller had left for what the caller has read', async () => {
    const server = new LeaseServer();
    server.put({ holderIdentity: '' });
    const { clock, lock } = lockOn(server, [1000]);
    const leaving = new AbortController();
    const late = lock.get(leaving.signal).catch(() => undefined);
    await clock.advance(10);
    leaving.abort();
    expect((await lock.get(live()))?.record.holder).toBe('');
    // Another candidate takes the lease, which this one has not read.
    server.put({ holderIdentity: 'other' });
    await clock.advance(2000);
    await late;
    await expect(lock.update(MINE, live())).rejects.toMatchObject({ status: { reason: 'Conflict' } });
    expect(spec(server)['holderIdentity']).toBe('other');
  });

  it('writes nothing it has not read', async () => {
    const { lock } = lockOn(new LeaseServer());
    await expect(lock.get(live())).resolves.toBeUndefined();
    await expect(lock.update(MINE, live())).rejects.toThrow('a lease must be read before it is written');
  });
});
