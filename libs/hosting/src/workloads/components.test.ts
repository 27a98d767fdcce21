import { describe, expect, it } from 'vitest';
import { firstStatusDueMs } from './components.js';

const CREATED = '2026-01-01T00:00:05Z';
const CREATED_MS = Date.parse(CREATED);
const DUE_MS = CREATED_MS + 10_000;

const withReasons = (...reasons: string[]) => ({ conditions: reasons.map((reason) => ({ reason })) });
const WAITS = withReasons('WaitingForDependencies', 'WaitingForDependencies');

describe('the first status of a component', () => {
  it.each<[string, ReturnType<typeof withReasons>, number, number | undefined]>([
    ['waits while the component starts', WAITS, CREATED_MS, DUE_MS],
    ['waits until it is due', withReasons('NotFound', 'WaitingForRolloutComplete'), DUE_MS - 1, DUE_MS],
    ['is written when starting takes long', WAITS, DUE_MS, undefined],
    ['is written when the component is available', withReasons('AsExpected', 'AsExpected'), CREATED_MS, undefined],
    [
      'is written when the component serves already',
      withReasons('AsExpected', 'WaitingForOperands'),
      CREATED_MS,
      undefined,
    ],
    ['is written when something is wrong', withReasons('NotFound', 'ReconciliationError'), CREATED_MS, undefined],
    ['is written when the clock is behind that of the server', WAITS, CREATED_MS - 1, undefined],
  ])('%s', (_, status, nowMs, due) => {
    expect(firstStatusDueMs({ metadata: { creationTimestamp: CREATED } }, status, nowMs)).toBe(due);
  });

  it('is written when the creation time is unknown', () => {
    expect(firstStatusDueMs({ metadata: {} }, WAITS, CREATED_MS)).toBeUndefined();
  });

  it('is the only one that waits', () => {
    const before = { metadata: { creationTimestamp: CREATED }, status: WAITS };
    expect(firstStatusDueMs(before, withReasons('NotFound', 'WaitingForRolloutComplete'), CREATED_MS)).toBeUndefined();
  });
});
