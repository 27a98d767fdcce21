import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { accountUid } from './accounts.js';

const created = (creationTimestamp: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'a', uid: 'u', creationTimestamp },
});

it.each<[string, KubeObject | undefined, KubeObject | undefined, string | undefined]>([
  ['that was created before the workload', created('2026-01-01T00:00:00Z'), created('2026-01-01T00:00:01Z'), undefined],
  ['that was created in the same second', created('2026-01-01T00:00:00Z'), created('2026-01-01T00:00:00Z'), undefined],
  ['that was created after the workload', created('2026-01-01T00:00:01Z'), created('2026-01-01T00:00:00Z'), 'u'],
  ['that does not exist', undefined, created('2026-01-01T00:00:00Z'), undefined],
  ['of a workload that does not exist yet', created('2026-01-01T00:00:00Z'), undefined, undefined],
])('the pods of a workload with an account %s', (...[, account, workload, uid]) => {
  expect(accountUid(account, workload)).toBe(uid);
});
