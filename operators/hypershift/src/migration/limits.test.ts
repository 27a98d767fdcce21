import { describe, expect, it } from 'vitest';
import { MIGRATION_LIMITS, readMigrationLimits } from './limits.js';
import { DEFAULT_MIGRATION_SETTINGS } from './settings.js';

describe('The limits of migrations in the environment of the operator', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['scale-up=20m', { scaleUpLimitMs: 1_200_000 }],
    ['verify=1h30m, healthy=1m,poll=500ms', { healthLimitMs: 5_400_000, healthyForMs: 60_000, pollMs: 500 }],
  ])('%j is read', (text, settings) => {
    expect(readMigrationLimits(text)).toEqual(settings);
  });

  it.each([
    ['lunch=1h', 'MIGRATION_LIMITS: "lunch=1h" sets none of acknowledge, settle'],
    ['scale-up=1h=2h', 'sets none of'],
    ['commit', '"commit" has no duration longer than 0, such as 20m or 1h30m'],
    ['scale-up=soon', '"scale-up=soon" has no duration'],
    ['scale-up=0', '"scale-up=0" has no duration longer than 0'],
    ['scale-up=-5m', 'has no duration longer than 0'],
    ['verify=20s', 'verify has to be longer than healthy'],
    ['healthy=5m', 'verify has to be longer than healthy'],
  ])('%j is refused', (text, message) => {
    expect(() => readMigrationLimits(text)).toThrow(message);
  });

  it('set nothing that has no default', () => {
    for (const key of MIGRATION_LIMITS.values()) expect(DEFAULT_MIGRATION_SETTINGS[key]).toBeGreaterThan(0);
  });
});
