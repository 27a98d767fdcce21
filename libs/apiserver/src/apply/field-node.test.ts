import { describe, expect, it } from 'vitest';
import { EMPTY_SET, LEAF, fieldNode, openNode } from './field-node.js';
import { difference, equalSets, setOfPaths, union } from './field-set.js';
import { encodeFieldsV1 } from './fields-v1.js';

describe('nodes of field sets', () => {
  it('are the same when they are equal, in whichever order they were built', () => {
    const one = setOfPaths(['f:b'], ['f:a', 'f:c'], ['f:a', 'f:b']);
    expect(setOfPaths(['f:a', 'f:b'], ['f:a', 'f:c'], ['f:b'])).toBe(one);
    expect(union(setOfPaths(['f:b']), setOfPaths(['f:a', 'f:b'], ['f:a', 'f:c']))).toBe(one);
    expect(difference(union(one, setOfPaths(['f:z'])), setOfPaths(['f:z']))).toBe(one);
  });

  it('share what is below them', () => {
    const status = ['f:status', 'f:phase'];
    const one = setOfPaths(['f:a'], status);
    const other = setOfPaths(['f:b'], status);
    expect(one.children?.get('f:status')).toBe(other.children?.get('f:status'));
    expect(encodeFieldsV1(one)['f:status']).toBe(encodeFieldsV1(other)['f:status']);
  });

  it('tell members from others, and children from other children', () => {
    const below = fieldNode(false, new Map([['f:b', LEAF]]));
    expect(fieldNode(true, below.children)).not.toBe(below);
    expect(fieldNode(false, new Map([['f:a', below]]))).not.toBe(fieldNode(false, new Map([['f:a', LEAF]])));
  });

  it('have one child for an element: the last that was given', () => {
    const below = fieldNode(true, new Map([['f:b', LEAF]]));
    const node = openNode(false).with('f:a', LEAF).with('f:a', below).closed();
    expect(node).toBe(fieldNode(false, new Map([['f:a', below]])));
  });

  it('without children are the leaf or the empty set', () => {
    expect(fieldNode(true, undefined)).toBe(LEAF);
    expect(fieldNode(false, new Map())).toBe(EMPTY_SET);
  });

  it('stay what they are when others have come in the meantime', () => {
    const build = () => setOfPaths(['f:kept', 'f:x'], ['f:kept', 'f:y']);
    const before = build();
    for (let at = 0; at < 100_000; at++) setOfPaths([`f:${at}`]);
    expect(equalSets(build(), before)).toBe(true);
    expect(difference(build(), before)).toBe(EMPTY_SET);
    expect(encodeFieldsV1(before)).toEqual(encodeFieldsV1(build()));
  });
});
