import type { Condition } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { newComplaints } from './complaints.js';

function condition(status: Condition['status'], reason: string, message: string): Condition {
  return { type: 'ValidConfiguration', status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

const GOOD = condition('True', 'AsExpected', 'Configuration passes validation');
const BAD = condition('False', 'InvalidConfiguration', 'Secret a is missing');
const RULES = [{ type: 'ValidConfiguration', isBad: ({ status }: Condition): boolean => status === 'False' }];

describe('a condition is a complaint', () => {
  it.each<[string, readonly Condition[] | undefined, readonly Condition[] | undefined, readonly string[]]>([
    ['when it is bad from the start', undefined, [BAD], ['InvalidConfiguration: Secret a is missing']],
    ['when it becomes bad', [GOOD], [BAD], ['InvalidConfiguration: Secret a is missing']],
    [
      'when it is bad for another object',
      [BAD],
      [condition('False', 'InvalidConfiguration', 'Secret b is missing')],
      ['InvalidConfiguration: Secret b is missing'],
    ],
    ['when it is bad for another reason', [BAD], [{ ...BAD, reason: 'Other' }], ['Other: Secret a is missing']],
    ['not again while it stays the same', [BAD], [{ ...BAD, lastTransitionTime: '2026-01-02T00:00:00Z' }], []],
    ['not when it becomes good', [BAD], [GOOD], []],
    ['not when it is removed', [BAD], [], []],
    ['not when no rule names its type', [], [{ ...BAD, type: 'Other' }], []],
  ])('%s', (...[, before, after, expected]) => {
    expect(newComplaints(RULES, before, after).map(({ message, reason }) => `${reason}: ${message}`)).toEqual(expected);
  });
});
