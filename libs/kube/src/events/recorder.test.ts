import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { TransportError } from '../transport/errors.js';
import { EventRecorder } from './recorder.js';
import type { EventRecorderOptions } from './recorder.js';

const subject = { apiVersion: 'v1', kind: 'Pod', namespace: 'n', name: 'p', uid: 'u' };
const text = { type: 'Warning', reason: 'Why', message: 'because' } as const;

function make(
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse> = () => json({}),
  options: Partial<EventRecorderOptions> = {},
) {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const transport = new ScriptedTransport(answer);
  const client = new Client(transport, { clock });
  const recorder = new EventRecorder({
    client,
    clock,
    random: systemRandom(1),
    logger: silentLogger(),
    component: 'c',
    ...options,
  });
  return { clock, transport, recorder };
}

/** The events written, in order: how, the message, and how often that happened. */
function writtenEvents({ requests }: ReturnType<typeof make>['transport']): readonly string[] {
  return requests.map(({ method, body }) => {
    const { message, count } = (body?.type === 'value' ? body.value : {}) as { message: string; count: number };
    return `${method} ${message} ${count}`;
  });
}

describe('EventRecorder', () => {
  it('lets others work between bursts', async () => {
    const { clock, transport, recorder } = make();
    for (let at = 0; at < 100; at += 1) recorder.record({ ...subject, uid: `${at}` }, text);
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
      body: { type: 'value', value: { count: 2, lastTimestamp: '2026-01-02T03:04:05Z', message: 'because' } },
    });
    expect(second?.method).toBe('POST');
  });

  it('puts events of cluster-scoped objects into the default namespace', async () => {
    const { transport, recorder } = make();
    recorder.record({ ...subject, namespace: '' }, text);
    await recorder.flush();
    expect(transport.log).toEqual(['POST /api/v1/namespaces/default/events']);
  });

  it('recreates an expired event, and does not mind a server that refuses', async () => {
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

  it('warns of an event that is refused, and not where its namespace is gone', async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger(), warn: () => void lines.push('warn'), debug: () => void lines.push('debug') };
    const { clock, recorder } = make(
      ({ target }) => (target.includes('/gone/') ? failed(404, 'NotFound') : failed(403, 'Forbidden')),
      { logger },
    );
    recorder.record({ ...subject, namespace: 'gone' }, text);
    recorder.record(subject, text);
    await clock.advance(100);
    expect(lines).toEqual(['debug', 'warn']);
  });

  it('writes ten similar messages within ten minutes as one event', async () => {
    const { clock, transport, recorder } = make();
    const messages = (): readonly string[] => writtenEvents(transport);
    for (let index = 1; index <= 12; index += 1) recorder.record(subject, { ...text, message: `m${index}` });
    await recorder.flush();
    expect(messages().slice(8)).toEqual([
      'POST m9 1',
      'POST (combined from similar events): m10 1',
      'PATCH (combined from similar events): m11 2',
      'PATCH (combined from similar events): m12 3',
    ]);
    await clock.advance(600_001);
    recorder.record(subject, { ...text, message: 'm13' });
    await recorder.flush();
    expect(messages().at(-1)).toBe('POST m13 1');
  });

  it('writes a burst of repeats once where it gathers, with the last count that is allowed', async () => {
    const { transport, recorder } = make(undefined, { isGathered: true });
    const sent = (): readonly string[] => writtenEvents(transport);
    for (let index = 1; index <= 12; index += 1) recorder.record(subject, { ...text, message: `m${index}` });
    await recorder.flush();
    expect(sent().slice(8)).toEqual(['POST m9 1', 'POST (combined from similar events): m12 3']);
    // Thirteen more may pass.
    for (let index = 13; index <= 40; index += 1) recorder.record(subject, { ...text, message: `m${index}` });
    await recorder.flush();
    expect(sent().slice(10)).toEqual(['PATCH (combined from similar events): m25 16']);
  });

  it('lets 25 events about an object pass, then one every five minutes', async () => {
    const { clock, transport, recorder } = make();
    for (let index = 0; index < 40; index += 1) recorder.record(subject, text);
    recorder.record({ ...subject, uid: 'another' }, text);
    await recorder.flush();
    expect(transport.requests).toHaveLength(26);
    await clock.advance(299_000);
    recorder.record(subject, text);
    await clock.advance(1_000);
    recorder.record(subject, text);
    await recorder.flush();
    expect(transport.requests).toHaveLength(27);
    expect(transport.requests.at(-1)?.body).toMatchObject({ value: { count: 42 } });
  });

  it('asks a server that cannot be reached twelve times, ten seconds apart, and gives up at once when closed', async () => {
    const { clock, transport, recorder } = make(() => Promise.reject(new TransportError('ECONNREFUSED', 'no', false)));
    recorder.record(subject, text);
    // The first of a burst waits for others.
    await clock.advance(50);
    await clock.advance(109_999);
    expect(transport.requests).toHaveLength(11);
    await clock.advance(1);
    await recorder.flush();
    expect(transport.requests).toHaveLength(12);
    recorder.record(subject, text);
    await clock.advance(50);
    await recorder.close();
    expect([transport.requests.length, clock.pending]).toEqual([13, 0]);
  });

  it('drops what comes while ten thousand wait', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { transport, recorder } = make(() => gate.then(() => json({})));
    for (let index = 0; index < 10_100; index += 1) recorder.record({ ...subject, uid: String(index) }, text);
    open();
    await recorder.flush();
    expect(transport.requests).toHaveLength(10_000);
  });
});
