import { describe, expect, it } from 'vitest';
import { operatorImages } from './images.js';

describe('Images of the control plane operator', () => {
  it('are supported by their label, and overridden by the environment', async () => {
    const labels = { 'io.openshift.hypershift.private-capi-types': 'true' };
    const provider = {
      labels: (image: string) => Promise.resolve({ pullSpec: image, labels: image === 'new' ? labels : {} }),
    };
    const images = operatorImages(provider, { CPO_IMAGE_OVERRIDES: '{"4.18": "quay.io/cpo:4.18"}' });
    const given = { pullSecret: undefined, signal: new AbortController().signal };
    expect(await Promise.all(['new', 'old'].map((image) => images.isSupported(image, given)))).toEqual([true, false]);
    expect(images.overrides).toEqual(new Map([['4.18', 'quay.io/cpo:4.18']]));
    expect(() => operatorImages(provider, { CPO_IMAGE_OVERRIDES: '4.18' })).toThrow(
      'CPO_IMAGE_OVERRIDES is not a JSON',
    );
  });
});
