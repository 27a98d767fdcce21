import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { accountUid } from './accounts.js';

const made = (creationTimestamp: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'a', uid: 'u', creationTimestamp },
});

it.each<[string, KubeObject | undefined, KubeObject | undefined, string | undefined]>([
  ['that was there first', made('2026-01-01T00:00:00Z'), made('2026-01-01T00:00:01Z'), undefined],
  ['of the same second', made('2026-01-01T00:00:00Z'), made('2026-01-01T00:00:00Z'), undefined],
  ['that was made anew', made('2026-01-01T00:00:01Z'), made('2026-01-01T00:00:00Z'), 'u'],
  ['that is not there', undefined, made('2026-01-01T00:00:00Z'), undefined],
  ['of a workload to come', made('2026-01-01T00:00:00Z'), undefined, undefined],
])('pods are told of an account %s: %s', (_, account, workload, uid) => {
  expect(accountUid(account, workload)).toBe(uid);
});
