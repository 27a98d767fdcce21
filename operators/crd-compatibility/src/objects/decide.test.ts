import { forbidden, invalid } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { addressedBy, decideObject } from './decide.js';

const heading = 'Boat "a" does not conform:';
const verdict = { errors: [invalid('spec.b', 1, 'no'), forbidden('spec.a', 'unknown')], warnings: ['spec.c: odd'] };
const REQUIREMENT = 'requirement "r" of o';

describe('an object', () => {
  it.each([
    [
      'is denied with every reason in order',
      'Deny' as const,
      verdict,
      {
        denial: `${heading}\n${REQUIREMENT}: spec.a: Forbidden: unknown\n${REQUIREMENT}: spec.b: Invalid value: 1: no`,
        warnings: [`${REQUIREMENT}: spec.c: odd`],
      },
    ],
    [
      'is only warned of',
      'Warn' as const,
      verdict,
      {
        warnings: [
          `${REQUIREMENT}: spec.a: Forbidden: unknown`,
          `${REQUIREMENT}: spec.b: Invalid value: 1: no`,
          `${REQUIREMENT}: spec.c: odd`,
        ],
      },
    ],
    ['is let through', 'Deny' as const, { errors: [], warnings: [] }, { warnings: [] }],
  ])('%s', (_title, action, found, expected) => {
    expect(decideObject(found, { action, heading, requirement: REQUIREMENT })).toEqual(expected);
  });

  it.each([
    ['/validate-objects/boats/0a1b/7', { name: 'boats', uid: '0a1b', generation: 7 }],
    ['/validate-objects/a.b-c/0a1b/12', { name: 'a.b-c', uid: '0a1b', generation: 12 }],
    ['/validate-objects', undefined],
    ['/validate-objects/boats/0a1b/x', undefined],
  ])('sent to %s is addressed to %j', (path, expected) => {
    expect(addressedBy(path)).toEqual(expected);
  });
});
