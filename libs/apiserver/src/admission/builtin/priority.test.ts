import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { defaultClass, secondDefault, setPriority } from './priority.js';

const classOf = (name: string, value: number, fields: object = {}): KubeObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  preemptionPolicy: 'Never',
  ...fields,
});
const chosen = { globalDefault: true };

describe('priority classes', () => {
  it('pods without a class get the lowest of those that are marked', () => {
    const classes = [classOf('a', 1), classOf('b', 9, chosen), classOf('c', 5, chosen)];
    const found = defaultClass(classes);
    expect(found?.metadata.name).toBe('c');
    const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} };
    expect(setPriority(pod, found)).toBeUndefined();
    expect(pod['spec']).toEqual({ priorityClassName: 'c', priority: 5, preemptionPolicy: 'Never' });
  });

  it.each([
    ['a second one is refused', [classOf('a', 1, chosen)], 'b', true, true],
    ['another one is not marked later', [classOf('a', 1, chosen), classOf('b', 2)], 'b', false, true],
    ['the one that is marked may change', [classOf('a', 1, chosen)], 'a', false, false],
    ['the first one is taken', [classOf('a', 1)], 'b', true, false],
  ])('%s', (_title, classes, name, isNew, isRefused) => {
    expect(secondDefault(classes, classOf(name, 3, chosen), isNew)).toBe(
      isRefused ? 'PriorityClass a is already marked as default. Only one default can exist' : undefined,
    );
  });
});
