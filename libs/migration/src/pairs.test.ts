import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { COPIED_FROM_ANNOTATION } from './copy.js';
import type { MovedObject } from './inventory.js';
import { wasCopied } from './pairs.js';

const AT = '2026-01-01T00:00:';

function object(seconds: string, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', creationTimestamp: `${AT}${seconds}Z`, annotations } };
}

function copy(seconds: string, { isCopy = true, namespaced = true } = {}): MovedObject {
  const source = { group: 'g', version: 'v1', plural: 'xs', kind: 'X', namespaced, verbs: [] };
  const annotations: Record<string, string> = isCopy ? { [COPIED_FROM_ANNOTATION]: 'u' } : {};
  return {
    kind: { source, target: undefined } as unknown as MovedObject['kind'],
    object: object(seconds, annotations),
  };
}

describe('An original without a copy', () => {
  it.each<[string, readonly MovedObject[], string, boolean]>([
    ['had one if it is older than the first of them', [copy('20'), copy('10')], '09', true],
    [
      'counts as one of another client if it was created in the second in which copying began',
      [copy('10')],
      '10',
      false,
    ],
    ['had none if it was created later', [copy('20'), copy('10')], '11', false],
    ['had none if there is no copy', [], '09', false],
    ['had none if what is there was created on private types', [copy('10', { isCopy: false })], '09', false],
    ['is not older than an identity that another cluster brought', [copy('10', { namespaced: false })], '09', false],
  ])('%s', (_, copies, createdAt, expected) => {
    expect(wasCopied(copies)(object(createdAt))).toBe(expected);
  });
});
