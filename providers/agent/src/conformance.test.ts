import { hostingConformance, hostingScenario } from '@capstan/provider/testing';
import { expect, it } from 'vitest';
import { hosting } from './index.js';
import { examples } from './testing/index.js';

it.each(hostingConformance(hosting, examples).map(({ name, run }) => [name, run] as const))('%s', (_, run) => {
  run();
});

it('has the outputs of the stored scenario', async () => {
  await expect(hostingScenario(hosting, examples)).toMatchFileSnapshot('scenario.txt');
});
