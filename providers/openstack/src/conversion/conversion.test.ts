import { checkTotality, ConversionTrial } from '@capstan/provider/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

const objects = Number(process.env['CAPSTAN_OBJECTS'] ?? 1000);

describe('servers of OpenStack as machines', () => {
  it('have one rule for every field', () => {
    expect(() => checkTotality(conversion)).not.toThrow();
  });

  it.each(['left', 'right'] as const)(
    'come back as they were, from the %s',
    (side) => {
      const trial = new ConversionTrial(conversion, conversionExamples, side);
      const numbers = fc.array(fc.nat(0xffff), { minLength: 0, maxLength: 2000, size: 'max' });
      fc.assert(
        fc.property(numbers, (each) => trial.run(each)),
        { numRuns: objects },
      );
      expect(() => trial.finish()).not.toThrow();
    },
    120_000,
  );
});
