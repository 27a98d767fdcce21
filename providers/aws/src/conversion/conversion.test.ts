import { ConversionTrial, checkTotality } from '@capstan/provider/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionExamples as examples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

describe('machines on AWS', () => {
  it('have one rule for every field', () => {
    checkTotality(conversion);
  });

  it.each(['left', 'right'] as const)('come back as they were, from the %s', (side) => {
    const trial = new ConversionTrial(conversion, examples, side);
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 0, maxLength: 500, size: 'max' }), (numbers) =>
        trial.run(numbers),
      ),
      { numRuns: Number(process.env['CAPSTAN_OBJECTS'] ?? 1000) },
    );
    expect(() => trial.finish()).not.toThrow();
  });
});
