import { conversionConformance, TRIAL_LIMIT_MS } from '@capstan/provider/testing';
import { describe, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

describe('machines on Azure', () => {
  it.each(conversionConformance(conversion, conversionExamples).map(({ name, run }) => [name, run] as const))(
    '%s',
    { timeout: TRIAL_LIMIT_MS },
    (_, run) => {
      run();
    },
  );
});
