import { describe, expect, it } from 'vitest';
import { isOver } from './step-wait.js';

const LIMIT_MS = 300_000;
const SECOND_MS = 1_000;

describe('A step with a limit of 300 s', () => {
  it.each<[string, readonly [all: number, here: number], boolean, boolean]>([
    ['that has waited for less may go on', [299, 299], false, false],
    ['that has waited for as long is over', [300, 300], false, true],
    ['that has waited for as long is over, even if it is healthy by then', [300, 300], true, true],
    ['that an earlier process began may go on before that', [299, 10], false, false],
    ['that an earlier process began is looked at before it is over', [310, 0], false, false],
    ['that an earlier process began is given three minutes', [1_000, 179], false, false],
    ['that an earlier process began is over after that', [1_000, 180], false, true],
    ['that has waited for an hour more is over at once', [3_900, 0], false, true],
    ['that is healthy stays so after an operator was away', [6_000, 20], true, false],
    ['that this process has waited for as long itself is over, healthy or not', [6_000, 300], true, true],
  ])('%s', (_, [all, here], isHealthy, expected) => {
    const waited = { allMs: all * SECOND_MS, hereMs: here * SECOND_MS };
    expect(isOver(waited, LIMIT_MS, { isHealthy })).toBe(expected);
  });
});
