import { systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { machineName } from '../random-name.js';
import type { Machine, MachineDeployment, MachineSet } from '../types.js';
import { handedOver } from './clones.js';
import { machinesToDelete } from './deletion-order.js';
import { desiredMachine, goingMachine, labelValue } from './desired-machine.js';
import { preflightProblems } from './preflight.js';
import { isRecovered, planRemediation } from './remediation.js';
import { nextCount } from './status.js';

const NOW = Date.parse('2026-01-10T00:00:00Z');

function machine(name: string, more: { created?: string; metadata?: object; status?: object } = {}): Machine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, creationTimestamp: more.created ?? '2026-01-01T00:00:00Z', ...more.metadata },
    spec: { clusterName: 'one' },
    status: { nodeRef: { name }, ...more.status },
  };
}

function machineSet(more: object = {}, metadata: object = {}): MachineSet {
  const template = {
    metadata: { labels: { pool: 'p' }, annotations: { kept: 'yes' } },
    spec: {
      clusterName: 'one',
      version: 'v1.31.0',
      bootstrap: { configRef: { kind: 'T', name: 't' }, dataSecretName: 's' },
      infrastructureRef: { apiGroup: 'g', kind: 'K', name: 't' },
    },
  };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: {
      name: 'set',
      namespace: 'n',
      uid: 'u',
      labels: { 'cluster.x-k8s.io/deployment-name': 'd' },
      ...metadata,
    },
    spec: { clusterName: 'one', replicas: 1, selector: {}, template, ...more },
  };
}

const condition = (type: string, status: string, reason = 'R'): object => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('which machines go when a set shrinks', () => {
  const going = machine('going', { metadata: { deletionTimestamp: '2026-01-09T00:00:00Z' } });
  const asked = machine('asked', { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } });
  const sick = machine('sick', { status: { conditions: [condition('NodeHealthy', 'False')] } });
  const old = machine('old', { created: '2026-01-01T00:00:00Z' });
  const young = machine('young', { created: '2026-01-09T00:00:00Z' });
  const unjoined = machine('unjoined', { status: { nodeRef: undefined } });

  it.each<[string | undefined, Machine[], string[]]>([
    ['Random', [old, young, sick, asked, going], ['going', 'asked', 'sick', 'old', 'young']],
    [undefined, [young, old], ['old', 'young']],
    ['Newest', [old, young, sick], ['sick', 'young', 'old']],
    ['Oldest', [young, old, unjoined], ['unjoined', 'old', 'young']],
  ])('in the order %s', (order, machines, wanted) => {
    const sorted = machinesToDelete(machines, machines.length, { order, nowMs: NOW });
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(wanted);
    expect(machinesToDelete(machines, 1, { order, nowMs: NOW })).toHaveLength(1);
    expect(machinesToDelete(machines, 0, { order, nowMs: NOW })).toEqual([]);
  });

  it('knows no other order', () => {
    expect(() => machinesToDelete([old], 1, { order: 'Tallest', nowMs: NOW })).toThrow(
      "Unsupported deletion order Tallest. Must be one of 'Random', 'Newest', or 'Oldest'",
    );
  });
});

describe('a machine of a set', () => {
  it('is made of the template, without the references of the template', () => {
    expect(desiredMachine(machineSet(), { name: 'm' })).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'm',
        namespace: 'n',
        ownerReferences: [
          {
            apiVersion: 'cluster.x-k8s.io/v1beta2',
            kind: 'MachineSet',
            name: 'set',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
        labels: { pool: 'p', 'cluster.x-k8s.io/set-name': 'set', 'cluster.x-k8s.io/deployment-name': 'd' },
        annotations: { kept: 'yes' },
        finalizers: ['machine.cluster.x-k8s.io'],
      },
      spec: { clusterName: 'one', version: 'v1.31.0', bootstrap: { dataSecretName: 's' } },
    });
  });

  it('keeps, once it is there, what it is made of', () => {
    const existing = machine('m', { metadata: { uid: 'x', finalizers: ['own'] } });
    existing.spec = { clusterName: 'one', version: 'v1.30.0', infrastructureRef: { kind: 'K', name: 'm' } };
    const desired = desiredMachine(machineSet(), { existing });
    expect(desired.spec).toMatchObject({ version: 'v1.30.0', infrastructureRef: { kind: 'K', name: 'm' } });
    expect(desired.metadata).toMatchObject({ uid: 'x', finalizers: ['own', 'machine.cluster.x-k8s.io'] });
  });

  it('has a node deletion timeout of ten seconds, unless the set has another', () => {
    expect(goingMachine(machineSet(), machine('m')).spec.deletion).toEqual({ nodeDeletionTimeoutSeconds: 10 });
  });

  it.each([
    [undefined, /^set-[bcdfghjklmnpqrstvwxz2456789]{5}$/],
    ['{{ .cluster.name }}-x-{{ .random }}', /^one-x-[a-z0-9]{5}$/],
    [`${'a'.repeat(70)}-{{ .random }}`, /^a{58}[a-z0-9]{5}$/],
  ])('is named by %s', (template, wanted) => {
    expect(machineName(template, { cluster: 'one', machineSet: 'set' }, systemRandom(1))).toMatch(wanted);
  });

  it('must be named by chance', () => {
    const name = (template: string): string =>
      machineName(template, { cluster: 'one', machineSet: 's' }, systemRandom(1));
    expect(() => name('fixed')).toThrow('{{ .random }} is missing');
    expect(() => name('{{ .other }}-{{ .random }}')).toThrow('there is no .other');
  });

  it('is labelled by a hash when the name of its set is too long for a label', () => {
    expect(labelValue('short')).toBe('short');
    expect(labelValue('x'.repeat(64))).toMatch(/^hash_[\w-]{6}_z$/);
  });
});

describe('the checks before a set grows', () => {
  const controlPlane = (version: string | undefined, status: string | undefined): KubeObject => ({
    apiVersion: 'c/v1',
    kind: 'CP',
    metadata: { name: 'cp', namespace: 'n' },
    spec: version === undefined ? {} : { version },
    status: status === undefined ? {} : { version: status },
  });

  it.each<[string, KubeObject, object, string[]]>([
    ['a control plane without version is not asked', controlPlane(undefined, undefined), {}, []],
    ['all is well', controlPlane('v1.31.0', 'v1.31.0'), {}, []],
    [
      'it is not there yet',
      controlPlane('v1.31.0', undefined),
      {},
      ['CP n/cp is provisioning ("ControlPlaneIsStable" preflight check failed)'],
    ],
    [
      'it is upgrading',
      controlPlane('v1.32.0', 'v1.31.0'),
      {},
      ['CP n/cp is upgrading ("ControlPlaneIsStable" preflight check failed)'],
    ],
    [
      'machines would be newer',
      controlPlane('v1.30.0', 'v1.30.0'),
      {},
      [
        'MachineSet version (1.31.0) and ControlPlane version (1.30.0) do not conform to the kubernetes version skew policy as MachineSet version is higher than ControlPlane version ("KubernetesVersionSkew" preflight check failed)',
      ],
    ],
    [
      'one check is skipped',
      controlPlane('v1.30.0', 'v1.30.0'),
      { 'machineset.cluster.x-k8s.io/skip-preflight-checks': 'KubernetesVersionSkew' },
      [],
    ],
    [
      'all are skipped',
      controlPlane('v1.30.0', ''),
      { 'machineset.cluster.x-k8s.io/skip-preflight-checks': 'All' },
      [],
    ],
  ])('%s', (_, object, annotations, wanted) => {
    expect(preflightProblems(machineSet({}, { annotations }), object)).toEqual(wanted);
  });
});

describe('unhealthy machines of a set', () => {
  const sick = (name: string, more: object = {}): Machine => {
    const conditions = [
      condition('HealthCheckSucceeded', 'False'),
      condition('OwnerRemediated', 'False', 'WaitingForRemediation'),
    ];
    return machine(name, { status: { conditions }, ...more });
  };
  const owner = (revision: string, maxInFlight?: number | string): MachineDeployment =>
    ({
      metadata: { annotations: { 'machinedeployment.clusters.x-k8s.io/revision': revision } },
      spec: { replicas: 3, ...(maxInFlight === undefined ? {} : { remediation: { maxInFlight } }) },
    }) as unknown as MachineDeployment;
  const revised = machineSet({}, { annotations: { 'machinedeployment.clusters.x-k8s.io/revision': '2' } });
  const names = (machines: readonly Machine[]): unknown => machines.map(({ metadata }) => metadata.name);

  it.each<[string, MachineDeployment | undefined, Machine[], string[], string[]]>([
    [
      'all are replaced, the newest first',
      owner('2'),
      [sick('a'), sick('b', { created: '2026-01-02T00:00:00Z' })],
      ['b', 'a'],
      [],
    ],
    ['of an old set none is', owner('3'), [sick('a')], [], ['a']],
    ['no more than may be at once', owner('2', 1), [sick('a'), sick('b')], ['a'], ['b']],
    [
      'a machine with the delete annotation comes first',
      owner('2', 1),
      [sick('a'), sick('b', { metadata: { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } } })],
      ['b'],
      ['a'],
    ],
    ['the well are left alone', undefined, [machine('a')], [], []],
  ])('%s', (...[, deployment, machines, now, later]) => {
    const plan = planRemediation(revised, deployment, machines);
    expect([names(plan.now), names(plan.later)]).toEqual([now, later]);
  });

  it('are no longer marked when they are well again', () => {
    const well = [condition('HealthCheckSucceeded', 'True'), condition('OwnerRemediated', 'False')];
    expect(isRecovered(machine('a', { status: { conditions: well } }))).toBe(true);
    expect(isRecovered(sick('a'))).toBe(false);
  });
});

describe('what a set still has to do', () => {
  it.each<[object, object, number]>([
    [{}, { readyReplicas: 1, availableReplicas: 1 }, 0],
    [{}, { readyReplicas: 0 }, 15_000],
  ])('%j with %j: look again in %i ms', (more, status, wanted) => {
    expect(nextCount({ ...machineSet(more), status })).toBe(wanted);
  });

  it('hands the labels and annotations of its clones over to who keeps them', () => {
    const fieldsV1 = {
      'f:metadata': { 'f:labels': { 'f:own': {}, 'f:cluster': {} }, 'f:annotations': { 'f:from': {} }, 'f:name': {} },
      'f:spec': {},
    };
    const entry = { manager: 'capi-machineset', operation: 'Apply', fieldsV1 };
    const other = { ...entry, manager: 'other' };
    const ofSet = { apiVersion: 'g/v1', kind: 'K', metadata: { labels: { own: 'x' }, annotations: {} } };
    expect(handedOver([entry, other], ofSet)).toEqual([
      { ...entry, fieldsV1: { 'f:metadata': { 'f:name': {} }, 'f:spec': {} } },
      other,
      {
        ...entry,
        manager: 'capi-machineset-metadata',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:own': {} }, 'f:annotations': {} } },
      },
    ]);
    expect(handedOver([other], ofSet)).toBeUndefined();
  });
});
