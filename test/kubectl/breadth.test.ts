import { expect, it } from 'vitest';
import { listeners } from './breadth.js';

const kubectls = [36, 33, 32, 31].map((minor) => ({ minor, path: `kubectl.1.${minor}` }));

it.each([
  ['the newest alone hear all', { newest: 2 }, false, [true, true, false, false]],
  ['so does the oldest where it is asked for', { newest: 1, oldest: true }, false, [true, false, false, true]],
  ['all hear all when they are to', { newest: 1 }, true, [true, true, true, true]],
] as const)('%s', (_, breadth, isAll, hearAll) => {
  expect(listeners(kubectls, breadth, isAll).map(({ smoke }) => !smoke)).toEqual(hearAll);
});
