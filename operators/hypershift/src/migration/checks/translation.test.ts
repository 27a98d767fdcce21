import { Client, systemRandom } from '@capstan/kube';
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
  return translationProbe(new Client(answer, { random: systemRandom('probe'), maxRetries: 0 }), limitMs);
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
