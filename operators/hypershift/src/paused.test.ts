import { describe, expect, it } from 'vitest';
import { activity } from './hosted-cluster/steps/pause.js';
import { pauseOf } from './paused.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('pausedUntil', () => {
  it.each<[string | undefined, object, string]>([
    [undefined, { isPaused: false, isInvalid: false }, 'True AsExpected: The cluster is looked after'],
    ['', { isPaused: false, isInvalid: false }, 'True AsExpected: The cluster is looked after'],
    ['false', { isPaused: false, isInvalid: false }, 'True AsExpected: The cluster is looked after'],
    ['False', { isPaused: false, isInvalid: false }, 'True AsExpected: The cluster is looked after'],
    [
      'true',
      { isPaused: true },
      'False ReconciliationPaused: The cluster is left alone until spec.pausedUntil is taken away',
    ],
    [
      'True',
      { isPaused: true },
      'False ReconciliationPaused: The cluster is left alone until spec.pausedUntil is taken away',
    ],
    [
      '2026-01-01T01:00:00+01:00',
      { isPaused: false, isInvalid: false },
      'True AsExpected: The cluster is looked after',
    ],
    [
      '2026-01-01T00:00:01Z',
      { isPaused: true, untilMs: NOW + 1000 },
      'False ReconciliationPaused: The cluster is left alone until 2026-01-01T00:00:01Z',
    ],
    [
      'tomorrow',
      { isPaused: false, isInvalid: true },
      'True InvalidPausedUntilValue: spec.pausedUntil is "tomorrow", and pauses nothing: write true, or a time such as 2026-01-31T08:00:00Z',
    ],
  ])('%j', (text, pause, said) => {
    expect(pauseOf(text, NOW)).toEqual(pause);
    const { message, reason, status } = activity(pauseOf(text, NOW), text);
    expect(`${status} ${reason}: ${message}`).toBe(said);
  });
});
