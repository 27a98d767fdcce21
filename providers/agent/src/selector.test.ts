import { expect, it } from 'vitest';
import { selectorOf } from './selector.js';

it.each<[string, object | undefined]>([
  ['', {}],
  ['size=large', { matchLabels: { size: 'large' } }],
  ['size==large, a.b/c=', { matchLabels: { size: 'large', 'a.b/c': '' } }],
  ['zone!=a', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }],
  ['zone in (a, b)', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
  [
    'size=large,zone notin (az1,az2),gpu,!old',
    {
      matchLabels: { size: 'large' },
      matchExpressions: [
        { key: 'zone', operator: 'NotIn', values: ['az1', 'az2'] },
        { key: 'gpu', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    },
  ],
  ['size=large=larger', undefined],
  ['zone in a', undefined],
  ['=x', undefined],
])('%j selects by %j', (text, selector) => {
  expect(selectorOf(text)).toEqual(selector);
});
