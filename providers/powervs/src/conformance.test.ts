import { hostingConformance } from '@capstan/provider/testing';
import { it } from 'vitest';
import { hosting } from './index.js';
import { examples } from './testing/index.js';

it.each(hostingConformance(hosting, examples).map(({ name, run }) => [name, run] as const))('%s', (_, run) => {
  run();
});
