import { describe, expect, it } from 'vitest';
import { toldFromMs } from './components.js';

const MADE = '2026-01-01T00:00:05Z';
const MADE_MS = Date.parse(MADE);
const DUE_MS = MADE_MS + 10_000;

const saying = (...reasons: string[]) => ({ conditions: reasons.map((reason) => ({ reason })) });
const WAITS = saying('WaitingForDependencies', 'WaitingForDependencies');

describe('the first status of a component', () => {
  it.each<[string, ReturnType<typeof saying>, number, number | undefined]>([
    ['waits while the component is on its way', WAITS, MADE_MS, DUE_MS],
    ['waits to the last', saying('NotFound', 'WaitingForRolloutComplete'), DUE_MS - 1, DUE_MS],
    ['is told when that takes long', WAITS, DUE_MS, undefined],
    ['is told when it is there', saying('AsExpected', 'AsExpected'), MADE_MS, undefined],
    ['is told when it serves already', saying('AsExpected', 'WaitingForOperands'), MADE_MS, undefined],
    ['is told when something is wrong', saying('NotFound', 'ReconciliationError'), MADE_MS, undefined],
    ['is told when the clock is behind that of the server', WAITS, MADE_MS - 1, undefined],
  ])('%s', (_, status, nowMs, due) => {
    expect(toldFromMs({ metadata: { creationTimestamp: MADE } }, status, nowMs)).toBe(due);
  });

  it('is told where nobody knows when it was made', () => {
    expect(toldFromMs({ metadata: {} }, WAITS, MADE_MS)).toBeUndefined();
  });

  it('is the only one that waits', () => {
    const before = { metadata: { creationTimestamp: MADE }, status: WAITS };
    expect(toldFromMs(before, saying('NotFound', 'WaitingForRolloutComplete'), MADE_MS)).toBeUndefined();
  });
});
