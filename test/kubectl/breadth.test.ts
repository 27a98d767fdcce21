import { expect, it } from 'vitest';
import { withScope } from './breadth.js';

const kubectls = [36, 33, 32, 31].map((minor) => ({ minor, path: `kubectl.1.${minor}` }));

it.each([
  ['only the newest clients run all scenarios', { newest: 2 }, false, [true, true, false, false]],
  [
    'the oldest client runs all scenarios where it is asked for',
    { newest: 1, oldest: true },
    false,
    [true, false, false, true],
  ],
  ['all clients run all scenarios when asked to', { newest: 1 }, true, [true, true, true, true]],
] as const)('%s', (_, breadth, isAll, runAll) => {
  expect(withScope(kubectls, breadth, isAll).map(({ smoke }) => !smoke)).toEqual(runAll);
});
