import { Client } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ApiResponse } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { isLegacyOperatorGone } from './legacy.js';

function jsonResponse(status: number, body: object): ApiResponse {
  return { status, headers: {}, body: { type: 'payload', value: () => body } } as never;
}

const NOW = Date.parse('2026-01-01T00:10:00Z');
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'operator-legacy-1' } };

function lease(spec: object): object {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec };
}

async function isGone(found: object | undefined, pods: readonly object[]): Promise<boolean> {
  const targets: string[] = [];
  const client = new Client({
    send: ({ target }) => {
      targets.push(decodeURIComponent(target));
      const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
      if (target.includes('/leases/'))
        return Promise.resolve(found === undefined ? jsonResponse(404, status) : jsonResponse(200, found));
      return Promise.resolve(jsonResponse(200, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: pods }));
    },
  });
  const gone = await isLegacyOperatorGone(
    { client, clock: new ManualClock(NOW), namespace: 'hypershift' },
    new AbortController().signal,
  );
  expect(targets[0]).toContain('/namespaces/hypershift/leases/hypershift-operator-leader-elect');
  if (targets.length > 1) expect(targets[1]).toContain('/namespaces/hypershift/pods?labelSelector=app=operator-legacy');
  return gone;
}

const held = (renewTime: string): object => lease({ holderIdentity: 'a', leaseDurationSeconds: 137, renewTime });

describe('The legacy operator', () => {
  it.each<[string, object | undefined, readonly object[], boolean]>([
    ['has not stopped while its lease is held', held('2026-01-01T00:09:00.000000Z'), [], false],
    ['has not stopped just after its lease, by another clock', held('2026-01-01T00:07:00.000000Z'), [], false],
    ['has not stopped while it has a pod', held('2026-01-01T00:00:00.000000Z'), [POD], false],
    [
      'has stopped although a pod that was evicted is left',
      held('2026-01-01T00:00:00.000000Z'),
      [{ ...POD, status: { phase: 'Failed', reason: 'Evicted' } }],
      true,
    ],
    ['has not stopped when its lease cannot be read', held('now'), [], false],
    ['has stopped when its lease has expired and its pods are gone', held('2026-01-01T00:00:00.000000Z'), [], true],
    ['has stopped when it has released its lease and its pods are gone', lease({ holderIdentity: '' }), [], true],
    ['may run without a lease, outside of the cluster', undefined, [], false],
  ])('%s', async (_, found, pods, expected) => {
    expect(await isGone(found, pods)).toBe(expected);
  });
});
