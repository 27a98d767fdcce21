import { describe, expect, it } from 'vitest';
import { cpoSupport } from './private-types.js';

describe('A control plane operator supports private types', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['with the label', { 'io.openshift.hypershift.private-capi-types': 'true' }, true],
    ['not with another value of it', { 'io.openshift.hypershift.private-capi-types': 'false' }, false],
    ['not without it', { 'io.openshift.hypershift.restricted-psa': 'true' }, false],
  ])('%s', async (_, labels, expected) => {
    const asked: unknown[] = [];
    const images = {
      labels: (...given: unknown[]) => {
        asked.push(given);
        return Promise.resolve({ pullSpec: 'i@sha256:1', labels });
      },
    };
    const { signal } = new AbortController();
    expect(await cpoSupport(images, 'i', { pullSecret: '{}', signal })).toBe(expected);
    expect(asked).toEqual([['i', '{}', signal]]);
  });
});
