import { describe, expect, it } from 'vitest';
import { chooseOperatorImage } from './choose.js';
import type { ChoiceFacts, OperatorImageChoice } from './choose.js';

const OVERRIDES = new Map([['4.18', 'o:4.18']]);
const record = { override: 'o:4.18', image: 'i:4.18', annotation: null, minor: '4.18' };
const facts: ChoiceFacts = {
  image: 'i:4.18',
  isSupported: false,
  minor: '4.18',
  overrides: OVERRIDES,
  record: undefined,
  isRunning: false,
};
const NEXT = { image: 'i:4.19', minor: '4.19' };
const UNKNOWN = { unknown: 'nobody answers' };

describe('The control plane operator of a cluster on private types', () => {
  it.each<[string, Partial<ChoiceFacts>, OperatorImageChoice['do']]>([
    ['runs its own image where that adds sidecars', { isSupported: true }, 'keep'],
    ['runs an override where it does not', {}, 'override'],
    ['goes on with its override', { record }, 'keep'],
    ['goes on with its override within a minor version', { record, image: 'i:4.18.9' }, 'override'],
    ['goes on with an override that was removed from the map', { record, overrides: new Map() }, 'keep'],
    ['changes to another override', { record: { ...record, override: 'o:old' } }, 'override'],
    ['runs its own image again once that adds sidecars', { record, isSupported: true }, 'restore'],
    ['runs its own image of the next minor version', { record, ...NEXT, isSupported: true }, 'restore'],
    ['does not take its override along to the next minor version', { record, ...NEXT }, 'fail'],
    [
      'gets the override of the next minor version',
      { record, ...NEXT, overrides: new Map([['4.19', 'o']]) },
      'override',
    ],
    ['does not start where nothing adds sidecars', { overrides: new Map() }, 'fail'],
    ['does not start before its image is read', { isSupported: UNKNOWN }, 'wait'],
    ['goes on while its image cannot be read', { isSupported: UNKNOWN, isRunning: true }, 'keep'],
    ['goes on with its override while its image cannot be read', { isSupported: UNKNOWN, record }, 'keep'],
    ['waits with an upgrade until its next image is read', { isSupported: UNKNOWN, record, ...NEXT }, 'wait'],
  ])('%s', (_, changes, expected) => {
    expect(chooseOperatorImage({ ...facts, ...changes }).do).toBe(expected);
  });
});
