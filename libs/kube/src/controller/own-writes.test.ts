import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { OwnWrites } from './own-writes.js';

interface Counted extends KubeObject {
  readonly status?: { readonly count?: number; readonly others?: string };
}

let writes = 0;
const counted = (count: number | undefined, others = '', name = 'a'): Counted => ({
  apiVersion: 'v1',
  kind: 'Counted',
  metadata: { namespace: 'n', name, resourceVersion: String((writes += 1)) },
  status: { ...(count === undefined ? {} : { count }), others },
});

it('lets through the updates of others and ignores the echo of its own writes', () => {
  const own = new OwnWrites<Counted>(({ status }) => status?.count);
  const isNews = (old: Counted, object: Counted): boolean => own.changedByOthers({ type: 'update', old, object });
  // Nothing was recorded: another client wrote it.
  expect(isNews(counted(1), counted(2))).toBe(true);
  own.record(counted(3));
  expect(own.last('n/a')).toBe(3);
  expect(isNews(counted(2), counted(3))).toBe(false);
  expect(isNews(counted(3), counted(3, 'not its own'))).toBe(false);
  expect(isNews(counted(3), counted(4))).toBe(true);
  expect(isNews(counted(3), counted(undefined))).toBe(true);
  expect(isNews(counted(4), counted(3))).toBe(false);
  expect(isNews(counted(4, '', 'b'), counted(3, '', 'b'))).toBe(true);
  own.forget('n/a');
  expect(own.last('n/a')).toBeUndefined();
  expect(isNews(counted(4), counted(3))).toBe(true);
  expect(own.changedByOthers({ type: 'delete', object: counted(9) } as never)).toBe(false);
});

it('spaces the writes of an object by the minimum interval', () => {
  const own = new OwnWrites<Counted>(({ status }) => status?.count, { minIntervalMs: 5_000 });
  expect(own.waitMs('n/a', 1_000)).toBe(0);
  own.startInterval('n/a', 1_000);
  expect(own.waitMs('n/a', 3_000)).toBe(3_000);
  expect(own.waitMs('n/a', 5_999)).toBe(1);
  expect(own.waitMs('n/a', 6_000)).toBe(0);
  expect(own.waitMs('n/b', 3_000)).toBe(0);
  // Another object within the interval keeps this one's, and so does a write whose outcome is unknown.
  own.startInterval('n/b', 3_000);
  own.discard('n/a');
  expect(own.waitMs('n/a', 3_000)).toBe(3_000);
  own.startInterval('n/a', 4_000);
  expect(own.waitMs('n/a', 6_000)).toBe(3_000);
  // A clock that was set back does not prolong the wait.
  expect(own.waitMs('n/a', 2_000)).toBe(0);
  own.forget('n/a');
  expect(own.waitMs('n/a', 4_000)).toBe(0);
});
