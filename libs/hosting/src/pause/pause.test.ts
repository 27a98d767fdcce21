import { describe, expect, it } from 'vitest';
import { pauseOf, reconciliationActive } from './pause.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const GOES_ON = { isPaused: false, isInvalid: false };
const INVALID = { isPaused: false, isInvalid: true };
const ACTIVE = 'True AsExpected: Reconciliation active on resource';
const FOR_GOOD = 'False ReconciliationPaused: Reconciliation paused until field removed';
const invalid = (text: string): string =>
  `True InvalidPausedUntilValue: Invalid value provided for PausedUntil field: ${JSON.stringify(text)}: it pauses nothing, write true or a time such as 2026-01-31T08:00:00Z`;

describe('pausedUntil', () => {
  it.each<[string | undefined, object, string]>([
    [undefined, GOES_ON, ACTIVE],
    ['false', GOES_ON, ACTIVE],
    ['False', GOES_ON, ACTIVE],
    ['0', GOES_ON, ACTIVE],
    ['true', { isPaused: true }, FOR_GOOD],
    ['True', { isPaused: true }, FOR_GOOD],
    ['1', { isPaused: true }, FOR_GOOD],
    ['tRuE', INVALID, invalid('tRuE')],
    [' true', INVALID, invalid(' true')],
    ['', INVALID, invalid('')],
    ['2026-01-01T01:00:00+01:00', GOES_ON, ACTIVE],
    ['2025-12-31T23:59:59Z', GOES_ON, ACTIVE],
    [
      '2026-01-01T00:00:01Z',
      { isPaused: true, untilMs: NOW + 1000 },
      'False ReconciliationPaused: Reconciliation paused until: 2026-01-01T00:00:01Z',
    ],
    [
      '2026-01-01T00:00:00.5Z',
      { isPaused: true, untilMs: NOW + 500 },
      'False ReconciliationPaused: Reconciliation paused until: 2026-01-01T00:00:00.5Z',
    ],
    ['2099-01-01T00:00:00Z ', INVALID, invalid('2099-01-01T00:00:00Z ')],
    ['2099-01-01 00:00:00Z', INVALID, invalid('2099-01-01 00:00:00Z')],
    ['2099-01-01', INVALID, invalid('2099-01-01')],
    ['2026-02-30T00:00:00Z', INVALID, invalid('2026-02-30T00:00:00Z')],
    ['tomorrow', INVALID, invalid('tomorrow')],
  ])('%j', (text, pause, condition) => {
    expect(pauseOf(text, NOW)).toEqual(pause);
    const { message, reason, status } = reconciliationActive(pauseOf(text, NOW), text);
    expect(`${status} ${reason}: ${message}`).toBe(condition);
  });
});
