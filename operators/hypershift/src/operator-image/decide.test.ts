import { describe, expect, it } from 'vitest';
import { decideOperatorImage, readOperatorImageOverrides } from './decide.js';
import type { OperatorImageDecision, OperatorImageFacts } from './decide.js';

const OVERRIDES = new Map([['4.18', 'quay.io/cpo:4.18']]);
const PROBLEM = 'image i of the control plane operator does not support private types';

describe('An image of the control plane operator', () => {
  it.each<[string, Partial<OperatorImageFacts>, OperatorImageDecision]>([
    ['is kept where it is supported', { isSupported: true }, { do: 'keep' }],
    ['is kept where it is supported and no version is known', { isSupported: true, minor: undefined }, { do: 'keep' }],
    ['is overridden where its minor version has an override', {}, { do: 'override', image: 'quay.io/cpo:4.18' }],
    [
      'is refused where it has none',
      { minor: '4.14' },
      { do: 'fail', message: `${PROBLEM}: set one for 4.14 in CPO_IMAGE_OVERRIDES` },
    ],
    [
      'is refused where it is the override itself',
      { overrides: new Map([['4.18', 'i']]) },
      { do: 'fail', message: `${PROBLEM}, though CPO_IMAGE_OVERRIDES has it for 4.18` },
    ],
    [
      'is refused where no version is known',
      { minor: undefined },
      { do: 'fail', message: `${PROBLEM}, and the version of the control plane is not known` },
    ],
  ])('%s', (_, facts, expected) => {
    const found = decideOperatorImage({
      image: 'i',
      isSupported: false,
      minor: '4.18',
      overrides: OVERRIDES,
      ...facts,
    });
    expect(found).toEqual(expected);
  });
});

describe('Overrides', () => {
  it.each<[string | undefined, Map<string, string>]>([
    [undefined, new Map()],
    ['', new Map()],
    ['{}', new Map()],
    ['{"4.18": "quay.io/cpo:4.18"}', OVERRIDES],
  ])('%s are read', (text, expected) => {
    expect(readOperatorImageOverrides(text)).toEqual(expected);
  });

  it.each([
    ['[', 'CPO_IMAGE_OVERRIDES is not a JSON object of images by minor version'],
    ['["a"]', 'CPO_IMAGE_OVERRIDES is not a JSON object of images by minor version'],
    ['{"4.18.1": "a"}', 'CPO_IMAGE_OVERRIDES: "4.18.1" is not a minor version such as 4.18'],
    ['{"4.18": "not an image"}', 'CPO_IMAGE_OVERRIDES: "not an image" of 4.18 is not an image'],
    ['{"4.18": null}', 'CPO_IMAGE_OVERRIDES: null of 4.18 is not an image'],
  ])('%s are refused', (text, message) => {
    expect(() => readOperatorImageOverrides(text)).toThrow(message);
  });
});
