import { describe, expect, it } from 'vitest';
import type { ApiResource } from '@capstan/kube';
import { deletionConditions, discoveryFailureText } from './conditions.js';
import type { NamespaceCondition } from './conditions.js';
import type { ContentOutcome } from './outcome.js';

const EMPTY: ContentOutcome = { discoveryError: undefined, errors: [], remaining: [], estimateSeconds: 0 };

function resource(plural: string, group = ''): ApiResource {
  return {
    group,
    version: 'v1',
    plural,
    namespaced: true,
    kind: '',
    singular: '',
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: [],
  };
}

function find(conditions: readonly NamespaceCondition[] | undefined, type: string): NamespaceCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

describe('deletionConditions', () => {
  it('writes all five when all is well, and nothing the second time', () => {
    const first = deletionConditions([], EMPTY, 't1');
    expect(first?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False',
      'NamespaceDeletionGroupVersionParsingFailure=False',
      'NamespaceDeletionContentFailure=False',
      'NamespaceContentRemaining=False',
      'NamespaceFinalizersRemaining=False',
    ]);
    expect(deletionConditions(first ?? [], EMPTY, 't2')).toBeUndefined();
  });

  it('words what is wrong as the real controller does', () => {
    const outcome: ContentOutcome = {
      discoveryError: discoveryFailureText([
        { group: 'z.io', version: 'v1', message: 'no' },
        { group: 'a.io', version: 'v1', message: 'why' },
      ]),
      errors: ['b failed', 'a failed'],
      remaining: [
        { resource: resource('pods'), count: 2, finalizers: new Map([['f', 1]]), resourceVersion: '1' },
        {
          resource: resource('widgets', 'example.com'),
          count: 1,
          finalizers: new Map([
            ['f', 1],
            ['a', 1],
          ]),
          resourceVersion: '1',
        },
      ],
      estimateSeconds: 15,
    };
    const conditions = deletionConditions([], outcome, 't');
    const conditionOf = (type: string): unknown => {
      const { status, reason, message } = find(conditions, type) ?? {};
      return [status, reason, message];
    };
    expect(conditionOf('NamespaceDeletionDiscoveryFailure')).toEqual([
      'True',
      'DiscoveryFailed',
      'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: a.io/v1: why, z.io/v1: no',
    ]);
    expect(conditionOf('NamespaceDeletionContentFailure')).toEqual([
      'True',
      'ContentDeletionFailed',
      'Failed to delete all resource types, 2 remaining: a failed, b failed',
    ]);
    expect(conditionOf('NamespaceContentRemaining')).toEqual([
      'True',
      'SomeResourcesRemain',
      'Some resources are remaining: pods. has 2 resource instances, widgets.example.com has 1 resource instances',
    ]);
    expect(conditionOf('NamespaceFinalizersRemaining')).toEqual([
      'True',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: a in 1 resource instances, f in 2 resource instances',
    ]);
  });

  it('moves the time only with the status, and leaves foreign conditions alone', () => {
    const foreign: NamespaceCondition = { type: 'Foreign', status: 'True' };
    const first = deletionConditions([foreign], { ...EMPTY, errors: ['a'] }, 't1') ?? [];
    const second = deletionConditions(first, { ...EMPTY, errors: ['b'] }, 't2') ?? [];
    const third = deletionConditions(second, EMPTY, 't3') ?? [];
    const type = 'NamespaceDeletionContentFailure';
    expect([first, second, third].map((list) => find(list, type)?.lastTransitionTime)).toEqual(['t1', 't1', 't3']);
    expect(find(second, type)?.message).toBe('Failed to delete all resource types, 1 remaining: b');
    expect(third[0]).toBe(foreign);
  });
});
