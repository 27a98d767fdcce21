import { BadUsage } from '@capstan/kube';
import { parseDuration } from '@capstan/meta';
import { FORWARD } from './plan.js';
import { DEFAULT_MIGRATION_SETTINGS } from './settings.js';
import type { MigrationSettings } from './settings.js';

/** Environment of the operator: how long migrations wait, such as `scale-up=20m,verify=10m`. */
export const MIGRATION_LIMITS_ENV = 'MIGRATION_LIMITS';

/** Waits that are no limit of a step. */
const OTHERS: readonly (readonly [string, keyof MigrationSettings])[] = [
  ['healthy', 'healthyForMs'],
  ['poll', 'pollMs'],
];

/** The settings by the names that users write: steps that have a limit, and the waits between. */
export const MIGRATION_LIMITS: ReadonlyMap<string, keyof MigrationSettings> = new Map([
  ...FORWARD.flatMap(({ limit, name }) => (limit === undefined ? [] : [[name, limit.ms] as const])),
  ...OTHERS,
]);

const NANOS_PER_MS = 1_000_000n;

/** Reads `scale-up=20m,verify=10m`; nothing without a text. Throws {@link BadUsage}. */
export function readMigrationLimits(text = ''): Partial<MigrationSettings> {
  const entries = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', duration = '', ...rest] = each.split('=');
      const key = MIGRATION_LIMITS.get(name);
      const named = `${MIGRATION_LIMITS_ENV}: ${JSON.stringify(each)}`;
      if (key === undefined || rest.length > 0)
        throw new BadUsage(`${named} sets none of ${[...MIGRATION_LIMITS.keys()].join(', ')}`);
      const ms = millis(duration);
      if (ms === undefined) throw new BadUsage(`${named} has no duration longer than 0, such as 20m or 1h30m`);
      return [key, ms] as const;
    });
  const settings = Object.fromEntries(entries) as Partial<MigrationSettings>;
  const { healthLimitMs, healthyForMs } = { ...DEFAULT_MIGRATION_SETTINGS, ...settings };
  if (healthLimitMs <= healthyForMs)
    throw new BadUsage(
      `${MIGRATION_LIMITS_ENV}: no migration could succeed: verify has to be longer than healthy, for which a cluster is healthy without a break`,
    );
  return settings;
}

function millis(duration: string): number | undefined {
  try {
    const ms = Number(parseDuration(duration) / NANOS_PER_MS);
    return ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}
