import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { DefinitionCondition, DefinitionNames } from '../builtin/apiextensions/crd.js';
import { nameStatus } from './naming.js';
import { withCondition } from '../builtin/apiextensions/crd.js';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:00:09Z';
const NAMES: DefinitionNames = { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' };

function definition(names: DefinitionNames, status: object = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'x' },
    spec: { group: 'a.b', names },
    status,
  } as KubeObject;
}

function accepted(
  names: DefinitionNames,
  others: readonly DefinitionNames[],
  group = 'a.b',
): DefinitionCondition | undefined {
  const status = nameStatus(definition(names), () => others.map((each) => ({ group, names: each })), NOW);
  return status?.conditions?.find(({ type }) => type === 'NamesAccepted');
}

const CONFLICTS: readonly (readonly [string, DefinitionNames, DefinitionNames, reason: string, message: string])[] = [
  [
    'a plural that is a short name',
    NAMES,
    { plural: 'x', kind: 'X', shortNames: ['foos'] },
    'PluralConflict',
    '"foos" is already in use',
  ],
  ['a singular', NAMES, { plural: 'x', kind: 'X', singular: 'foo' }, 'SingularConflict', '"foo" is already in use'],
  [
    'a short name',
    { ...NAMES, shortNames: ['f', 'g'] },
    { plural: 'x', kind: 'X', shortNames: ['f'] },
    'ShortNamesConflict',
    '"f" is already in use',
  ],
  [
    'two short names',
    { ...NAMES, shortNames: ['f', 'g'] },
    { plural: 'f', kind: 'X', singular: 'g' },
    'ShortNamesConflict',
    '["f" is already in use, "g" is already in use]',
  ],
  ['a kind', NAMES, { plural: 'x', kind: 'Foo' }, 'KindConflict', '"Foo" is already in use'],
  [
    'a kind that is a list kind; the last conflict is reported',
    NAMES,
    { plural: 'foos', kind: 'X', listKind: 'FooList' },
    'ListKindConflict',
    '"FooList" is already in use',
  ],
];

describe('names', () => {
  it.each(CONFLICTS)('cannot be had twice: %s', (_, wanted, other, ...[reason, message]) => {
    expect(accepted(wanted, [other])).toEqual({
      type: 'NamesAccepted',
      status: 'False',
      lastTransitionTime: NOW,
      reason,
      message,
    });
  });

  it('of another group are nobody’s concern', () => {
    expect(accepted(NAMES, [NAMES], 'c.d')).toMatchObject({ status: 'True', reason: 'NoConflicts' });
  });

  it('that are free are granted, and the CRD is about to be installed', () => {
    const status = nameStatus(definition({ ...NAMES, categories: ['all'] }), () => [], NOW);
    expect(status).toEqual({
      acceptedNames: { ...NAMES, categories: ['all'] },
      storedVersions: null,
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          lastTransitionTime: NOW,
          reason: 'NoConflicts',
          message: 'no conflicts found',
        },
        {
          type: 'Established',
          status: 'False',
          lastTransitionTime: NOW,
          reason: 'Installing',
          message: 'the initial names have been accepted',
        },
      ],
    });
  });

  it('that are granted already need no second look', () => {
    const held = definition(NAMES, { acceptedNames: NAMES });
    expect(nameStatus(held, () => expect.unreachable('nobody has to be asked'), NOW)).toBeUndefined();
  });

  it('in conflict leave an established CRD established', () => {
    const established = {
      type: 'Established',
      status: 'True',
      lastTransitionTime: NOW,
      reason: 'InitialNamesAccepted',
      message: 'm',
    };
    const held = definition({ ...NAMES, shortNames: ['f'] }, { acceptedNames: NAMES, conditions: [established] });
    const status = nameStatus(held, () => [{ group: 'a.b', names: { plural: 'f', kind: 'F' } }], LATER);
    expect(status?.acceptedNames).toEqual(NAMES);
    expect(status?.conditions?.[0]).toEqual(established);
  });
});

describe('conditions', () => {
  const known: DefinitionCondition = { type: 'T', status: 'True', lastTransitionTime: NOW, reason: 'a', message: 'b' };

  it.each([
    ['keep their time while the status stays', 'True', NOW],
    ['get a new time with another status', 'False', LATER],
  ] as const)('%s', (_, status, time) => {
    const [changed] = withCondition([known], { type: 'T', status, reason: 'c', message: 'd' }, LATER);
    expect(changed).toEqual({ type: 'T', status, lastTransitionTime: time, reason: 'c', message: 'd' });
  });

  it('keep their place', () => {
    const other: DefinitionCondition = { ...known, type: 'U' };
    expect(
      withCondition([known, other], { type: 'T', status: 'False', reason: 'c', message: 'd' }, LATER).map(
        ({ type }) => type,
      ),
    ).toEqual(['T', 'U']);
  });
});
