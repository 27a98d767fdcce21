import { expect, test } from 'vitest';
import { prepareRequirement, ratchet } from './index.js';

function crd(properties: object): object {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    },
  };
}

test('a removed field is found, and only once it is new', () => {
  const before = crd({ a: { type: 'string' }, b: { type: 'string' } });
  const prepared = prepareRequirement(before, { versions: ['v1'] });
  if (!('ok' in prepared)) throw new Error('the requirement is good');
  const report = prepared.ok.check(crd({ a: { type: 'string' } }));
  expect(report.verdict).toBe('Incompatible');
  expect(report.findings.map(({ rule, path }) => [rule, path])).toEqual([['field-removed', 'spec.b']]);
  expect(prepared.ok.check(before).verdict).toBe('Compatible');
  expect(ratchet(report, report)).toEqual([]);
});
