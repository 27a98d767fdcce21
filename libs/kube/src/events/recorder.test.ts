import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { EventRecorder } from './recorder.js';

const subject = { apiVersion: 'v1', kind: 'Pod', namespace: 'n', name: 'p', uid: 'u' };
const text = { type: 'Warning', reason: 'Why', message: 'because' } as const;

function make(answer: (request: ApiRequest) => ApiResponse = () => json({})) {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const transport = new ScriptedTransport(answer);
  const client = new Client(transport, { clock });
  const recorder = new EventRecorder({
    client,
    clock,
    random: systemRandom(1),
    logger: silentLogger(),
    component: 'c',
  });
  return { clock, transport, recorder };
}

describe('EventRecorder', () => {
  it('lets others work between bursts', async () => {
    const { clock, transport, recorder } = make();
    for (let at = 0; at < 100; at += 1) recorder.record(subject, { ...text, message: `${at}` });
    await clock.advance(49);
    expect(transport.requests).toHaveLength(0);
    await clock.advance(1);
    expect(transport.requests).toHaveLength(64);
    await clock.advance(50);
    expect(transport.requests).toHaveLength(100);
  });

  it('creates an event, and counts the same one up', async () => {
    const { transport, recorder } = make();
    recorder.record(subject, text);
    recorder.record(subject, text);
    recorder.record(subject, { ...text, message: 'other' });
    await recorder.flush();
    const [create, patch, second] = transport.requests;
    const event = create?.body?.type === 'value' ? (create.body.value as { metadata: { name: string } }) : undefined;
    expect(event).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: expect.stringMatching(/^p\.[0-9a-f]{16}$/) as string, namespace: 'n' },
      involvedObject: { kind: 'Pod', namespace: 'n', name: 'p', uid: 'u', apiVersion: 'v1' },
      reason: 'Why',
      message: 'because',
      source: { component: 'c' },
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
      count: 1,
      type: 'Warning',
      reportingComponent: 'c',
      reportingInstance: '',
    });
    expect(patch).toMatchObject({
      method: 'PATCH',
      target: `/api/v1/namespaces/n/events/${event?.metadata.name}`,
      body: { type: 'value', value: { count: 2, lastTimestamp: '2026-01-02T03:04:05Z' } },
    });
    expect(second?.method).toBe('POST');
  });

  it('puts events of cluster-scoped objects into the default namespace', async () => {
    const { transport, recorder } = make();
    recorder.record({ ...subject, namespace: '' }, text);
    await recorder.flush();
    expect(transport.log).toEqual(['POST /api/v1/namespaces/default/events']);
  });

  it('creates an expired event anew, and does not mind a server that refuses', async () => {
    let refuse = false;
    const { transport, recorder } = make(({ method }) =>
      refuse ? failed(403, 'Forbidden') : method === 'PATCH' ? failed(404, 'NotFound') : json({}),
    );
    recorder.record(subject, text);
    recorder.record(subject, text);
    await recorder.flush();
    expect(transport.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST']);
    refuse = true;
    recorder.record({ ...subject, uid: 'v' }, text);
    await expect(recorder.flush()).resolves.toBeUndefined();
  });
});
