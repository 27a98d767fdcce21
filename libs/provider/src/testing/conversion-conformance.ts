import type { Side } from '@capstan/convert';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import { ConformanceFailure } from './conformance-subject.js';
import type { ConformanceCheck } from './conformance-subject.js';
import type { ConversionExamples } from './conversion-trial.js';
import { checkTotality, ConversionTrial, numbersOf } from './conversion-trial.js';

const DEFAULT_OBJECTS = 1000;
const DEFAULT_SEED = 20_261_115;

const objects = Number(process.env['CAPSTAN_OBJECTS'] ?? DEFAULT_OBJECTS);
const given = process.env['CAPSTAN_SEED'];
const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given ?? DEFAULT_SEED);

/** How long a trial may take: a thousand objects are a few seconds' work, of a machine that has time for it. */
export const TRIAL_LIMIT_MS = 120 * Math.max(objects, DEFAULT_OBJECTS);

/** The error of a trial of some numbers; undefined when it passes. */
function complaint(trial: ConversionTrial, numbers: readonly number[]): string | undefined {
  try {
    trial.run(numbers);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The complaint about the fewest numbers: those that are not there stand for the simplest choice. */
function simplest(trial: ConversionTrial, numbers: readonly number[], first: string): string {
  let shortest = first;
  let [least, most] = [0, numbers.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    const found = complaint(trial, numbers.slice(0, middle));
    if (found === undefined) least = middle + 1;
    else [most, shortest] = [middle, found];
  }
  return shortest;
}

function tryObjects(platform: MachinePlatform, examples: ConversionExamples, side: Side): void {
  const trial = new ConversionTrial(platform, examples, side);
  for (let at = 0; at < objects; at++) {
    // Short lists make objects that have little in them: these must come back as well.
    const [length = 0, ...all] = numbersOf(seed + at);
    const numbers = all.slice(0, length % all.length);
    const found = complaint(trial, numbers);
    if (found === undefined) continue;
    throw new ConformanceFailure(`object ${at} of CAPSTAN_SEED=${seed}: ${simplest(trial, numbers, found)}`);
  }
  trial.finish();
}

/** What must be true of the conversion of every platform: give each check to your test runner. */
export function conversionConformance(
  platform: MachinePlatform,
  examples: ConversionExamples,
): readonly ConformanceCheck[] {
  return [
    { name: 'have one rule for every field', run: () => checkTotality(platform) },
    { name: 'come back as they were, from Machine API', run: () => tryObjects(platform, examples, 'left') },
    { name: 'come back as they were, from Cluster API', run: () => tryObjects(platform, examples, 'right') },
  ];
}
