import { ConversionTrial, checkTotality } from '@capstan/provider/testing';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { conversionExamples as examples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

/** A thousand objects are a few seconds' work, of a machine that has time for it. */
const PATIENCE_MS = 120_000;

describe('machines on Google Cloud', () => {
  it('have one rule for every field', () => {
    checkTotality(conversion);
  });

  it.each(['left', 'right'] as const)(
    'come back as they were, from the %s',
    (side) => {
      const trial = new ConversionTrial(conversion, examples, side);
      fc.assert(
        fc.property(fc.array(fc.nat(0xffff), { minLength: 0, maxLength: 2000, size: 'max' }), (numbers) =>
          trial.run(numbers),
        ),
        { numRuns: Number(process.env['CAPSTAN_OBJECTS'] ?? 1000) },
      );
      trial.finish();
    },
    PATIENCE_MS,
  );
});
