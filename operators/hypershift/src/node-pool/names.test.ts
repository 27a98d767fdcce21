import { expect, it } from 'vitest';
import {
  interruptibleCheckName,
  profileName,
  resourceLabel,
  templateName,
  tokenName,
  tunedName,
  userDataName,
} from './names.js';

it('names are those of HyperShift', () => {
  expect([
    userDataName('workers', 'abcd1234'),
    tokenName('workers', 'abcd1234'),
    resourceLabel('infra', 'example', 'workers'),
    interruptibleCheckName('workers'),
    tunedName('workers'),
    profileName('mine', 'workers'),
    // The hash of the bytes of `{}` by their listing.
    templateName('workers', {}),
  ]).toEqual([
    'user-data-workers-abcd1234',
    'token-workers-abcd1234',
    'infra-example-workers',
    'workers-spot',
    'tuned-workers',
    'mine-workers',
    'workers-829b997b',
  ]);
  expect(resourceLabel('infra', 'e'.repeat(60), 'workers')).toHaveLength(43);
});

it('a template is named after the hash of its spec, in any order of its keys', () => {
  expect(templateName('w', { a: 1, b: 2 })).toBe(templateName('w', { b: 2, a: 1 }));
  expect(templateName('w', { a: 1 })).not.toBe(templateName('w', { a: 2 }));
});
