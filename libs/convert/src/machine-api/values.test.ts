import { describe, expect, it } from 'vitest';
import { codecViolations } from '../engine/laws.js';
import { move } from '../engine/field-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { Codec } from '../engine/codec.js';
import type { MachineContext, MachineRule } from './platform.js';
import {
  fixed,
  flag,
  numberBetween,
  oneOf,
  optionalFlag,
  optionalNumber,
  optionalText,
  refused,
  requiredText,
  isZeroValue,
  text,
  textList,
  translated,
} from './values.js';

const context: MachineContext = { clusterName: 'c', namespaces: { machineApi: 'm', clusterApi: 'c' } };
const converted = (rule: MachineRule, value: unknown) => {
  const outcome = new TwoWayMap<MachineContext>({ rules: [rule] }).forward({ a: value }, context);
  return outcome.errors.map(({ message }) => message).join('; ') || outcome.value;
};
const size = translated([['Big', 'large']]);

describe('values of machines', () => {
  it.each<readonly [string, Codec<MachineContext>, unknown, unknown]>([
    ['a text', text, '', { b: '' }],
    ['a text that is none', text, 7, 'must be a string'],
    ['a flag', flag, false, { b: false }],
    ['a flag that is none', flag, 'yes', 'must be true or false'],
    ['an empty text', optionalText, '', {}],
    ['a zero', optionalNumber, 0, {}],
    ['a number with a fraction', optionalNumber, 1.5, 'must be a whole number'],
    ['a flag that is not set', optionalFlag, false, {}],
    ['a text that is needed', requiredText('must be set'), '', 'must be set'],
    ['one of a few', oneOf('a', 'b'), 'b', { b: 'b' }],
    ['one of others', oneOf('a', 'b'), 'c', 'Unsupported value: "c": supported values: "a", "b"'],
    ['no value at all', oneOf('a', 'b'), {}, 'Unsupported value: {}: supported values: "a", "b"'],
    ['a word of the other side', size, 'Big', { b: 'large' }],
    ['a word that has none', size, 'large', 'Unsupported value: "large": supported values: "Big"'],
    ['a number between others', numberBetween(1, 7), 7, { b: 7 }],
    ['a number beyond', numberBetween(1, 7), 8, 'must be from 1 to 7, and is 8'],
    ['texts', textList(), ['a'], { b: ['a'] }],
    ['texts that are needed', textList('right'), undefined, { b: [] }],
    ['a list of others', textList(), ['a', 1], 'must be a list of strings'],
  ])('%s', (_name, codec, value, expected) => {
    expect(converted(move('a', 'b', codec), value)).toEqual(expected);
  });

  it('come back as they were', () => {
    const texts = ['a', '', undefined];
    expect(codecViolations(oneOf('a'), { left: texts, right: texts }, context)).toEqual([]);
    expect(codecViolations(size, { left: ['Big', '', undefined], right: ['large', ''] }, context)).toEqual([]);
    expect(codecViolations(numberBetween(1, 7), { left: [0, 7, 8], right: [0, 1] }, context)).toEqual([]);
    expect(codecViolations(textList('right'), { left: [['a'], [], undefined], right: [['a'], []] }, context)).toEqual(
      [],
    );
  });

  it('are refused unless they say nothing', () => {
    const rule = refused('left', 'a', 'has no place');
    for (const nothing of ['', 0, false, [], {}, { b: { c: '' } }, { creationTimestamp: null }]) {
      expect(isZeroValue(nothing)).toBe(true);
      expect(converted(rule, nothing)).toEqual({});
    }
    for (const value of ['a', 1, true, [0], { b: 'c' }]) expect(converted(rule, value)).toBe('has no place');
  });

  it('are fixed where the other side knows no other', () => {
    const rule = fixed('left', 'a', 1, 'there is one only');
    expect(converted(rule, 1)).toEqual({});
    expect(converted(rule, 2)).toBe('is 2, and only 1 can be kept: there is one only');
    expect(new TwoWayMap<MachineContext>({ rules: [rule] }).backward({}, context).value).toEqual({ a: 1 });
  });
});
