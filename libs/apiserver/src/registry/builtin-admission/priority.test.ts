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

  const refusal = 'PriorityClass a is already marked as default. Only one default can exist';
  it.each([
    { title: 'a second one is refused', classes: [classOf('a', 1, chosen)], name: 'b', isNew: true, refusal },
    {
      title: 'another one is not marked later',
      classes: [classOf('a', 1, chosen), classOf('b', 2)],
      name: 'b',
      isNew: false,
      refusal,
    },
    {
      title: 'the one that is marked may change',
      classes: [classOf('a', 1, chosen)],
      name: 'a',
      isNew: false,
      refusal: undefined,
    },
    { title: 'the first one is taken', classes: [classOf('a', 1)], name: 'b', isNew: true, refusal: undefined },
  ])('$title', ({ classes, name, isNew, refusal: wanted }) => {
    expect(secondDefault(classes, classOf(name, 3, chosen), isNew)).toBe(wanted);
  });
});
