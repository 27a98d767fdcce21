import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { EventChannel } from './sources.js';

function object(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'n', resourceVersion } };
}

describe('EventChannel', () => {
  it('keeps of each object the last until somebody listens, and tells it once', async () => {
    const channel = new EventChannel('cloud');
    for (let at = 0; at < 1000; at += 1) channel.send(object(`o-${at % 3}`, String(at)));
    const told: string[] = [];
    const abort = new AbortController();
    const listen = (): Promise<void> =>
      channel.start(
        ({ object: { metadata } }) => told.push(`${metadata.name}@${metadata.resourceVersion}`),
        abort.signal,
      );
    await listen();
    expect(told).toEqual(['o-0@999', 'o-1@997', 'o-2@998']);
    channel.send(object('o-1', '1000'));
    expect(told.slice(3)).toEqual(['o-1@1000']);
    abort.abort();
    await Promise.resolve();
    // Nobody listens any more: it is kept again.
    channel.send(object('o-2', '1001'));
    expect(told).toHaveLength(4);
    await listen();
    expect(told.slice(4)).toEqual(['o-2@1001']);
  });
});
