import { Client, systemClock, systemRandom } from '@capstan/kube';
import { scriptedJson, ScriptedTransport } from '@capstan/kube/testing';
import { apiErrors } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { withSidecar } from '@capstan/translate/sidecar';
import { describe, expect, it } from 'vitest';
import { translationProbe } from './translation.js';

function pod(isReady: boolean, native = true): KubeObject {
  const template = { spec: { containers: [{ name: 'manager', image: 'i' }] } };
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { template } };
  const { spec } = withSidecar(workload as KubeObject, { image: 'i', native }) as unknown as {
    readonly spec: { readonly template: { readonly spec: object } };
  };
  const statuses = [{ name: 'kube-apiserver-proxy', ready: isReady }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'clusters-one' },
    spec: spec.template.spec,
    status: native ? { initContainerStatuses: statuses } : { containerStatuses: statuses },
  };
}

function probeOf(answer: Transport, limitMs?: number): ReturnType<typeof translationProbe> {
  return translationProbe(new Client(answer, { random: systemRandom('probe'), maxRetries: 0 }), systemClock(), limitMs);
}

const refuses = (message: string): Transport => ({
  send: () => Promise.reject(apiErrors.serviceUnavailable(message)),
});
const { signal } = new AbortController();
const DROPPED = 'error trying to reach service: dial tcp 10.1.2.3:8081: i/o timeout';

describe('A proxy whose translation cannot be checked', () => {
  it.each([true, false])(
    'is hidden by the network when its kubelet reaches it (native sidecar: %s)',
    async (native) => {
      expect(await probeOf(refuses(DROPPED))(pod(true, native), signal)).toEqual({
        check: 'network',
        message: expect.stringContaining('the network refuses requests of the API server to port 8081') as string,
      });
    },
  );

  it('is hidden by the network when nothing answers in time', async () => {
    const silent: Transport = {
      send: ({ signal: ending }) =>
        new Promise((_, reject) => ending?.addEventListener('abort', () => reject(new Error('aborted')))),
    };
    const failure = await probeOf(silent, 20)(pod(true), signal);
    expect(failure).toMatchObject({
      check: 'network',
      message: expect.stringContaining('no answer in 0.02 s') as string,
    });
  });

  it('is at fault itself when its kubelet does not reach it either', async () => {
    expect(await probeOf(refuses(DROPPED))(pod(false), signal)).toMatchObject({ check: 'translation' });
  });

  it('is at fault itself when it answers that it does not translate', async () => {
    const failure = await probeOf(refuses('{"state":"failed"}'))(pod(true), signal);
    expect(failure).toMatchObject({ check: 'translation', message: expect.stringContaining('failed') as string });
  });
});

describe('A proxy that has just started', () => {
  const pending = { state: 'pending', message: 'machines are read next' };

  /** What the probe reports when the proxy answers so, and how often it was asked. */
  async function probe(...reports: readonly { readonly state: string; readonly message: string }[]) {
    const transport = new ScriptedTransport(() => {
      const report = reports[Math.min(transport.requests.length, reports.length) - 1];
      return scriptedJson(report, report?.state === 'ok' ? 200 : 503);
    });
    return [await probeOf(transport)(pod(true), signal), transport.requests.length];
  }

  it('is asked again while it finds out what it may read', async () => {
    const ok = { state: 'ok', message: '', asked: 'cluster.x-k8s.io', got: 'cluster.x-k8s.io' };
    expect(await probe(pending, pending, ok)).toEqual([undefined, 3]);
  });

  it('is left for the next look when that takes long', async () => {
    expect(await probe(pending)).toEqual([{ check: 'translation', message: 'machines are read next' }, 5]);
  });

  it('fails in its own words', async () => {
    const message = 'the account may list nothing of cluster.x-k8s.io in namespace n';
    expect(await probe({ state: 'failed', message })).toEqual([{ check: 'translation', message }, 1]);
  });
});
