import type { StoreSnapshot } from '@capstan/apiserver';
import { conversionPlatforms } from '@capstan/cli/platforms';
import type { ConversionPlatforms } from '@capstan/provider';
import { CutOff, cutPoints, cutText, HANDOVERS, syncSnapshot, tryHandover } from '@capstan/tools/handover';
import type { CutPoint, HandoverVariant } from '@capstan/tools/handover';
import { beforeAll, describe, expect, it } from 'vitest';

/** Of each handover, one point in so many; `CAPSTAN_CRASHES=all` tries every one. */
const ONE_IN = process.env['CAPSTAN_CRASHES'] === 'all' ? 1 : 89;
const LIMIT_MS = 6 * 3_600_000;
/** Longer than any of them takes without faults: no write is later. */
const OBSERVED_MS = 120_000;
/** Both ways, turned back on each of them, and with a machine that is deleted on the way. */
const TRIED = [
  'there and back',
  'cancelled on the way there',
  'cancelled on the way back',
  'a machine deleted on the way there',
];

let start: { readonly snapshot: StoreSnapshot; readonly platforms: ConversionPlatforms };
beforeAll(async () => {
  start = { snapshot: await syncSnapshot(), platforms: await conversionPlatforms() };
}, 120_000);

async function attempt(
  variant: HandoverVariant,
  point?: CutPoint,
): Promise<{ readonly writes: number; readonly problems: readonly string[] }> {
  const faults = new CutOff(point);
  const result = await tryHandover(start, { seed: 1, variant, faults, faultsForMs: OBSERVED_MS });
  const unreached = point !== undefined && result.faults !== 1 ? [`the point was struck ${result.faults} times`] : [];
  return { writes: faults.writes, problems: [...result.problems, ...unreached] };
}

describe('A handover that is cut off ends as it would have without that', () => {
  it.each(TRIED)(
    '%s',
    async (name) => {
      const variant = HANDOVERS.find((each) => each.name === name);
      if (variant === undefined) throw new Error(`no handover ${name}`);
      const { problems, writes } = await attempt(variant);
      expect(problems).toEqual([]);
      const points = cutPoints(writes).filter((_, at) => at % ONE_IN === 0);
      expect(points.length).toBeGreaterThan(0);
      const failures: string[] = [];
      for (const point of points) {
        const found = await attempt(variant, point);
        if (found.problems.length > 0) failures.push(`${cutText(point)}: ${found.problems.join('; ')}`);
      }
      process.stdout.write(`${name}: ${points.length} of ${writes * 4} points, ${failures.length} failed\n`);
      expect(failures).toEqual([]);
    },
    LIMIT_MS,
  );
});
