import { systemClock } from '@capstan/kube';
import type { ApiResponse, Transport } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { patientTransport } from './patient-transport.js';

const REQUEST = { method: 'PATCH', target: '/', headers: {} };

/** Answers with each status in turn; while `failing` are left nothing can be stored. */
function environment(statuses: number[], failing: number, signal = new AbortController().signal) {
  const asked = { times: 0 };
  const server: Transport = {
    send: async () => ({ status: statuses[asked.times++] ?? 200 }) as ApiResponse,
  };
  const isStoring = (): boolean => asked.times > failing;
  return { asked, transport: patientTransport(server, { clock: systemClock(), isStoring, signal }) };
}

describe('a patient transport', () => {
  it('asks again while nothing can be stored', async () => {
    const { asked, transport } = environment([500, 500, 200], 1);
    expect([(await transport.send(REQUEST)).status, asked.times]).toEqual([200, 3]);
  });

  it('passes on other troubles, and every trouble once it is to end', async () => {
    const other = environment([409], 9);
    expect([(await other.transport.send(REQUEST)).status, other.asked.times]).toEqual([409, 1]);
    const ours = environment([500], -1);
    expect([(await ours.transport.send(REQUEST)).status, ours.asked.times]).toEqual([500, 1]);
    const ended = environment([500], 9, AbortSignal.abort());
    expect([(await ended.transport.send(REQUEST)).status, ended.asked.times]).toEqual([500, 1]);
    const given = environment([500], 9);
    const { status } = await given.transport.send({ ...REQUEST, signal: AbortSignal.abort() });
    expect([status, given.asked.times]).toEqual([500, 1]);
  });
});
