import { invalid } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conditionsOf } from './conditions.js';
import type { Facts } from './conditions.js';
import { statusOf } from './status.js';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';

const WELL: Facts = {
  crdName: 'boats.example.com',
  problems: [],
  live: { kind: 'found', uid: 'u', generation: 3, report: { verdict: 'Compatible', findings: [] } },
  definitions: 'enforced',
  objects: 'enforced',
  errors: [],
};
const GONE = { rule: 'field-removed', path: 'spec.a', version: 'v1', message: 'field spec.a was removed' } as const;
const was: Condition = {
  type: 'Compatible',
  status: 'True',
  reason: 'CompatibleWithWarnings',
  message: 'as it was',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** `Progressing, Admitted, Compatible`, each with its status, reason and message. */
function conditions(facts: Partial<Facts>): readonly string[] {
  return conditionsOf({ ...WELL, ...facts }).map(({ message, reason, status }) => `${status} ${reason}: ${message}`);
}

const UP_TO_DATE = 'False UpToDate: the requirement is up to date';
const ADMITTED = 'True Admitted: writes of the CRD and writes of its objects are checked';
const COMPATIBLE = 'True Compatible: boats.example.com is compatible';
const PENDING = 'True TransientError: the API server does not ask the checker yet';

describe('the conditions of a requirement', () => {
  it.each<[string, Partial<Facts>, readonly [string, string, string]]>([
    ['that is well', {}, [UP_TO_DATE, ADMITTED, COMPATIBLE]],
    [
      'that asks for no checks',
      { definitions: 'unasked', objects: 'unasked' },
      [UP_TO_DATE, 'True Admitted: no checks are asked for', COMPATIBLE],
    ],
    [
      'that makes no sense',
      { problems: [invalid('spec.a', 1, 'no')], live: { kind: 'absent' } },
      [
        'False ConfigurationError: spec.a: Invalid value: 1: no',
        'False NotAdmitted: the requirement is invalid',
        'False RequirementsNotMet: the requirement is invalid',
      ],
    ],
    [
      'whose name another owner has taken',
      { conflict: 'another owner has it', objects: 'pending' },
      ['False OwnershipConflict: another owner has it', 'False NotAdmitted: another owner has it', COMPATIBLE],
    ],
    [
      'whose CRDs are not checked yet',
      { definitions: 'pending' },
      [PENDING, 'False NotAdmitted: writes of the CRD are not checked yet', COMPATIBLE],
    ],
    [
      'whose objects are not checked yet',
      { objects: 'pending' },
      [PENDING, 'False NotAdmitted: writes of its objects are not checked yet', COMPATIBLE],
    ],
    [
      'while the checker runs without its static webhook',
      { definitions: 'off' },
      [
        UP_TO_DATE,
        'False NotAdmitted: writes of the CRD are not checked: the checker runs with --static-webhook=false',
        COMPATIBLE,
      ],
    ],
    [
      'whose configuration could not be written',
      { objects: 'pending', errors: ['forbidden'] },
      [
        'True TransientError: forbidden\nthe API server does not ask the checker yet',
        'False NotAdmitted: writes of its objects are not checked yet',
        COMPATIBLE,
      ],
    ],
    [
      'without its CRD',
      { live: { kind: 'absent' } },
      [UP_TO_DATE, ADMITTED, 'False CRDNotFound: there is no CustomResourceDefinition boats.example.com'],
    ],
    [
      'whose CRD is not seen for the first time',
      { live: { kind: 'unknown', error: 'timeout' } },
      ['True TransientError: timeout', ADMITTED, 'Unknown TransientError: timeout'],
    ],
    [
      'whose CRD is not seen any more',
      { live: { kind: 'unknown', error: 'timeout' }, wasCompatible: was },
      ['True TransientError: timeout', ADMITTED, 'True CompatibleWithWarnings: as it was'],
    ],
    [
      'that is met with warnings',
      {
        live: {
          kind: 'found',
          uid: 'u',
          generation: 3,
          report: { verdict: 'CompatibleWithWarnings', findings: [{ ...GONE, severity: 'warning' }] },
        },
      },
      [UP_TO_DATE, ADMITTED, 'True CompatibleWithWarnings: v1 spec.a: field spec.a was removed [field-removed]'],
    ],
    [
      'that is not met',
      {
        live: {
          kind: 'found',
          uid: 'u',
          generation: 3,
          report: { verdict: 'Incompatible', findings: [{ ...GONE, severity: 'error' }] },
        },
      },
      [UP_TO_DATE, ADMITTED, 'False RequirementsNotMet: v1 spec.a: field spec.a was removed [field-removed]'],
    ],
  ])('%s', (_title, facts, expected) => {
    expect(conditions(facts)).toEqual(expected);
  });

  it('hold no more than a condition may', () => {
    const findings = Array.from({ length: 2000 }, (_, at) => ({
      ...GONE,
      path: `spec.a${at}`,
      severity: 'error' as const,
    }));
    const live = { kind: 'found', uid: 'u', generation: 1, report: { verdict: 'Incompatible', findings } } as const;
    const message = conditions({ live })[2] ?? '';
    expect(message.length).toBeLessThanOrEqual(32_768 + 'False RequirementsNotMet: '.length);
    expect(message).toMatch(/… and \d+ more$/);
  });
});

describe('the status of a requirement', () => {
  const requirement = (status?: CompatibilityRequirement['status']): CompatibilityRequirement =>
    ({ metadata: { name: 'r', generation: 4 }, status }) as CompatibilityRequirement;
  const NOW = '2026-02-02T00:00:00Z';

  it('reports the observed CRD and its generation', () => {
    expect(statusOf(requirement(), WELL, NOW)).toMatchObject({
      crdName: 'boats.example.com',
      observedCRD: { uid: 'u', generation: 3 },
      conditions: [1, 2, 3].map(() => ({ observedGeneration: 4, lastTransitionTime: NOW })),
    });
  });

  it('stays the same when nothing has changed', () => {
    const first = statusOf(requirement(), WELL, NOW);
    expect(statusOf(requirement(first), WELL, '2026-03-03T00:00:00Z')).toEqual(first);
  });

  it('removes a generation that the CRD never had, before it reports the right one', () => {
    const first = statusOf(requirement(), WELL, NOW);
    const lie = { ...first, observedCRD: { uid: 'u', generation: 999 } };
    const { observedCRD: _, ...without } = first;
    expect(statusOf(requirement(lie), WELL, NOW)).toEqual(without);
    expect(statusOf(requirement(without), WELL, NOW)).toEqual(first);
  });

  it('keeps the name of the CRD, and what was last seen of it, through errors', () => {
    const first = statusOf(requirement(), WELL, NOW);
    const problems = [invalid('spec', 1, 'no')];
    expect(
      statusOf(requirement(first), { ...WELL, crdName: '', problems, live: { kind: 'absent' } }, NOW).crdName,
    ).toBe('boats.example.com');
    const unknown = statusOf(requirement(first), { ...WELL, live: { kind: 'unknown', error: 'timeout' } }, NOW);
    expect(unknown).toMatchObject({ crdName: 'boats.example.com', observedCRD: { uid: 'u', generation: 3 } });
    expect(statusOf(requirement(first), { ...WELL, live: { kind: 'absent' } }, NOW)).not.toHaveProperty('observedCRD');
  });
});
