import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet, MachineSpec } from '../types.js';
import { currentAnnotations, desiredSet, oldAnnotations } from './desired-set.js';
import { isComplete, emptySets } from './rollout.js';
import { outdatedBecause, sortSets } from './rollout-fields.js';

const REVISION = 'machinedeployment.clusters.x-k8s.io/revision';
const HISTORY = 'machinedeployment.clusters.x-k8s.io/revision-history';

function spec(more: Partial<MachineSpec> = {}): MachineSpec {
  return { clusterName: 'one', infrastructureRef: { apiGroup: 'i', kind: 'TestMachineTemplate', name: 'a' }, ...more };
}

function set(name: string, more: Partial<MachineSpec> = {}, metadata: object = {}): MachineSet {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: {
      name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'machine-template-hash': '1-x' },
      ...metadata,
    },
    spec: { clusterName: 'one', replicas: 1, selector: {}, template: { spec: spec(more) } },
  };
}

function deployment(more: Partial<MachineSpec> = {}, rollout = {}): MachineDeployment {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'workers', namespace: 'n', uid: 'u', annotations: { own: 'yes', [REVISION]: '7' } },
    spec: {
      clusterName: 'one',
      replicas: 3,
      rollout,
      selector: { matchLabels: { pool: 'p' } },
      template: { spec: spec(more) },
    },
  };
}

describe('what makes machines outdated', () => {
  it.each<[string, Partial<MachineSpec>, Partial<MachineSpec>, string[]]>([
    ['nothing', {}, {}, []],
    ['what can be changed in place does not', { minReadySeconds: 5, deletion: { nodeDrainTimeoutSeconds: 1 } }, {}, []],
    ['neither do taints and gates', { taints: [], readinessGates: [{ conditionType: 'X' }] }, {}, []],
    ['a version', { version: 'v1.30.0' }, { version: 'v1.31.0' }, ['Version v1.30.0, v1.31.0 required']],
    ['a failure domain', { failureDomain: 'a' }, { failureDomain: 'b' }, ['Failure domain a, b required']],
    [
      'another template',
      {},
      { infrastructureRef: { apiGroup: 'i', kind: 'TestMachineTemplate', name: 'b' } },
      ['TestMachine is not up-to-date'],
    ],
    [
      'another Secret',
      { bootstrap: { dataSecretName: 'a' } },
      { bootstrap: { dataSecretName: 'b' } },
      ['spec.bootstrap.dataSecretName a, b required'],
    ],
    [
      'another bootstrap template',
      { bootstrap: { configRef: { kind: 'TestConfigTemplate', name: 'a' } } },
      { bootstrap: { configRef: { kind: 'TestConfigTemplate', name: 'b' } } },
      ['TestConfig is not up-to-date'],
    ],
  ])('%s', (_, current, desired, messages) => {
    expect(outdatedBecause({ spec: spec(current) }, { spec: spec(desired) })).toEqual(messages);
  });
});

describe('the current set of a deployment', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  const names = ({ current, old }: ReturnType<typeof sortSets>): unknown => [
    current?.metadata.name,
    old.map(({ metadata }) => metadata.name),
  ];

  it.each<[string, MachineSet[], object, unknown]>([
    ['is the one of its template', [set('a', { version: 'v1' }), set('b')], {}, ['b', ['a']]],
    ['is none when the template is new', [set('a', { version: 'v1' })], {}, [undefined, ['a']]],
    ['is the first of two alike', [set('b'), set('a')], {}, ['a', ['b']]],
    [
      'is none that is older than the moment to roll',
      [set('a')],
      { after: '2026-01-01T12:00:00Z' },
      [undefined, ['a']],
    ],
    ['stays until that moment comes', [set('a')], { after: '2026-01-03T00:00:00Z' }, ['a', []]],
    [
      'is the one made since',
      [set('a'), set('b', {}, { creationTimestamp: '2026-01-01T13:00:00Z' })],
      { after: '2026-01-01T12:00:00Z' },
      ['b', ['a']],
    ],
  ])('%s', (_, sets, rollout, wanted) => {
    expect(names(sortSets(deployment({}, rollout), sets, now))).toEqual(wanted);
  });
});

describe('the revisions of sets', () => {
  const at = (revision?: string, history?: string): MachineSet =>
    set(
      'a',
      {},
      { annotations: { ...(revision && { [REVISION]: revision }), ...(history && { [HISTORY]: history }) } },
    );

  it.each<[string, MachineSet | undefined, MachineSet[], object]>([
    ['the first is one', undefined, [], { [REVISION]: '1' }],
    ['a new one comes after all old ones', undefined, [at('3'), at('2')], { [REVISION]: '4' }],
    ['the current one stays', at('4'), [at('3')], { [REVISION]: '4' }],
    ['an old one that is current again remembers', at('1'), [at('2')], { [REVISION]: '3', [HISTORY]: '1' }],
    ['and remembers all', at('3', '1'), [at('4')], { [REVISION]: '5', [HISTORY]: '1,3' }],
  ])('%s', (_, current, old, wanted) => {
    expect(currentAnnotations(current, old)).toEqual({ ...wanted, 'cluster.x-k8s.io/disable-machine-create': 'false' });
  });

  it('an old set makes no machines when machines are only replaced by hand', () => {
    const byHand = deployment({}, { strategy: { type: 'OnDelete' } });
    expect(oldAnnotations(byHand, at('2'))).toEqual({
      [REVISION]: '2',
      'cluster.x-k8s.io/disable-machine-create': 'true',
    });
  });
});

describe('a set as its deployment wants it', () => {
  it('keeps what only new machines can have, and takes over the rest', () => {
    const own = deployment({ version: 'v2', minReadySeconds: 9 });
    const desired = desiredSet(own, set('a', { version: 'v1', minReadySeconds: 1 }));
    expect(desired.spec.template.spec).toMatchObject({ version: 'v1', minReadySeconds: 9 });
    expect(desired.spec.selector).toEqual({ matchLabels: { pool: 'p', 'machine-template-hash': '1-x' } });
    expect(desired.metadata.labels).toEqual({
      'machine-template-hash': '1-x',
      'cluster.x-k8s.io/deployment-name': 'workers',
    });
    expect(desired.metadata.annotations).toEqual({
      own: 'yes',
      'machinedeployment.clusters.x-k8s.io/desired-replicas': '3',
      'machinedeployment.clusters.x-k8s.io/max-replicas': '4',
    });
    expect(desired.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineDeployment',
        name: 'workers',
        uid: 'u',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });
});

describe('after a rollout', () => {
  const done = { replicas: 3, availableReplicas: 3, upToDateReplicas: 3, observedGeneration: 2 };

  it.each<[string, object, boolean]>([
    ['all is well', done, true],
    ['one is not available', { ...done, availableReplicas: 2 }, false],
    ['one is old', { ...done, upToDateReplicas: 2 }, false],
    ['one is too many', { ...done, replicas: 4 }, false],
    ['nobody has looked yet', { ...done, observedGeneration: 1 }, false],
  ])('%s: complete %#', (_, status, wanted) => {
    const own = deployment();
    expect(isComplete({ ...own, metadata: { ...own.metadata, generation: 2 }, status })).toBe(wanted);
  });

  it('only old sets go that are empty, and known to be', () => {
    const empty = (name: string, replicas: number, status: object, metadata = {}): MachineSet => {
      const one = set(name, {}, { generation: 2, ...metadata });
      return { ...one, spec: { ...one.spec, replicas }, status };
    };
    const sets = [
      empty('wants', 1, { replicas: 0, observedGeneration: 2 }),
      empty('has', 0, { replicas: 1, observedGeneration: 2 }),
      empty('unseen', 0, { replicas: 0, observedGeneration: 1 }),
      empty('going', 0, { replicas: 0, observedGeneration: 2 }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      empty('empty', 0, { replicas: 0, observedGeneration: 2 }),
    ];
    expect(emptySets(sets).map(({ metadata }) => metadata.name)).toEqual(['empty']);
  });
});
