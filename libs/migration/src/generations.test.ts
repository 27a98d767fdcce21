import { expect, it } from 'vitest';
import { rebaseGenerations } from './generations.js';

it.each<[string, unknown, { from: number; to: number }, unknown]>([
  ['was observed', { observedGeneration: 7 }, { from: 7, to: 1 }, { observedGeneration: 1 }],
  ['was not observed', { observedGeneration: 6 }, { from: 7, to: 3 }, { observedGeneration: 2 }],
  ['was not observed before its first generation', { observedGeneration: 6, a: 1 }, { from: 7, to: 1 }, { a: 1 }],
  [
    'was observed by some conditions',
    {
      conditions: [
        { type: 'A', observedGeneration: 7 },
        { type: 'B', observedGeneration: 2 },
      ],
    },
    { from: 7, to: 1 },
    { conditions: [{ type: 'A', observedGeneration: 1 }, { type: 'B' }] },
  ],
  ['has no generations', null, { from: 7, to: 1 }, null],
])('the status of a copy whose original %s', (_, status, generations, expected) => {
  expect(rebaseGenerations(status, generations)).toEqual(expected);
});
