import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import type { Workload } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { decideComponent, findingsOf, planOf, progressOf } from './decide.js';
import type { ComponentDecision, Observed } from './decide.js';
import { PROGRESS_DEADLINE_MS } from './rollout-progress.js';

const definition = (name: string, more: Partial<ComponentDefinition> = {}): ComponentDefinition => ({
  name,
  workload: 'Deployment',
  containers: [],
  replicas: 'one',
  ...more,
});

const there = (version: string, ...conditions: readonly [type: string, status: string][]): ControlPlaneComponent =>
  ({
    status: { version, conditions: conditions.map(([type, status]) => ({ type, status })) },
  }) as ControlPlaneComponent;

describe('a component with a dependency', () => {
  const wait: ComponentDecision = { unmet: ['etcd'], write: 'proxy' };

  it.each<[string, ControlPlaneComponent | undefined, ComponentDecision]>([
    ['waits while it is not there', undefined, wait],
    ['waits while it is not available', there('4.22.0', ['Available', 'False'], ['RolloutComplete', 'True']), wait],
    ['waits while it is rolled out', there('4.22.0', ['Available', 'True'], ['RolloutComplete', 'False']), wait],
    ['waits while it is at another version', there('4.21.0', ['Available', 'True'], ['RolloutComplete', 'True']), wait],
    [
      'has its objects written after that',
      there('4.22.0', ['Available', 'True'], ['RolloutComplete', 'True']),
      { unmet: [], write: 'objects' },
    ],
  ])('%s', (_, found, decision) => {
    expect(decideComponent({ dependencies: ['etcd'] }, () => found, '4.22.0')).toEqual(decision);
  });
});

it('a plan leaves out dependencies that the control plane does not have', () => {
  const names = [definition('etcd', { isEarly: true }), definition('a', { dependencies: ['etcd', 'gone'] })];
  const { components } = planOf({} as ComponentInputs, names);
  expect(components.map(({ dependencies, definition: { name } }) => [name, dependencies])).toEqual([
    ['etcd', []],
    ['a', ['etcd']],
  ]);
});

const ETCD = {
  kind: 'StatefulSet',
  metadata: { name: 'etcd', generation: 1 },
  spec: { replicas: 3 },
  status: { observedGeneration: 1, replicas: 3, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2 },
} as Workload;
const ROLLED_OUT = { ...ETCD, status: { ...ETCD.status, updatedReplicas: 3, availableReplicas: 3 } } as Workload;

describe('the progress of a workload', () => {
  it.each<[string, Workload | undefined, number | undefined, object]>([
    ['is due at the deadline', ETCD, 1, { isStuck: false, progressDueMs: 1 + PROGRESS_DEADLINE_MS }],
    ['is overdue after the deadline', ETCD, 0, { isStuck: true, progressDueMs: undefined }],
    ['is not due once it is rolled out', ROLLED_OUT, 0, { isStuck: false, progressDueMs: undefined }],
    ['is not due without a workload', undefined, undefined, { isStuck: false, progressDueMs: undefined }],
    [
      'is left to the conditions of a Deployment',
      { ...ETCD, kind: 'Deployment' },
      0,
      { isStuck: false, progressDueMs: undefined },
    ],
  ])('%s', (_, workload, sinceMs, progress) => {
    expect(progressOf(workload, sinceMs, PROGRESS_DEADLINE_MS)).toEqual(progress);
  });
});

describe('the findings about a component', () => {
  const operand = { kind: 'Deployment', metadata: { name: 'o', namespace: 'n' } } as Workload;
  const observed: Observed = {
    unmet: [],
    workload: undefined,
    sinceMs: undefined,
    operands: [operand],
    problem: undefined,
    nowMs: 0,
  };
  const at = { version: '4.22.0', generation: 3 };
  const missing = "deployment n/o does not have the required annotation 'release.openshift.io/version'";

  it.each([
    ['ask for the version of its operands', definition('a', { hasOperands: true }), { operandsMissing: missing }],
    ['leave operands to components that have some', definition('a'), { operandsMissing: undefined }],
    ['expect no workload where it has none', definition('a', { workload: 'None' }), { hasWorkload: false }],
    ['expect its workload', definition('a'), { hasWorkload: true, observedGeneration: 3, version: '4.22.0' }],
  ])('%s', (_, of, expected) => {
    expect(findingsOf({ definition: of, dependencies: [], resources: [] }, observed, at)).toMatchObject(expected);
  });
});
