import { describe, expect, it } from 'vitest';
import type { Instance, InstanceState } from '../cloud/instance.js';
import { decideCluster } from './cluster-reconciler.js';
import type { ClusterInputs } from './cluster-reconciler.js';
import {
  ASKED_ANNOTATION,
  CREATE_ERROR,
  decideMachine,
  HIDDEN_MS,
  PROVISION_FAILED,
  PROVISION_STARTED,
} from './machine-decisions.js';
import type { MachineDecision, MachineInputs } from './machine-decisions.js';
import { firstField } from './objects.js';
import type { Cluster, InfrastructureMachine, Machine } from './objects.js';
import { PLATFORMS } from './platforms.table.js';
import { withCondition, withFailureDomains, withReadiness } from './status.js';

const row = PLATFORMS.aws;
const NOW = '2026-01-01T00:00:00Z';
const GOING = { deletionTimestamp: NOW };
const OURS = { finalizers: [row.machineFinalizer] };

function infra(metadata: object = {}, more: Partial<InfrastructureMachine> = {}): InfrastructureMachine {
  return { metadata: { name: 'a', ...metadata }, ...more } as InfrastructureMachine;
}

/** A machine whose condition gives this reason. */
function withReason(reason: string, metadata: object = OURS): InfrastructureMachine {
  const conditions = [{ type: row.condition, status: 'False', reason, lastTransitionTime: NOW }];
  return infra(metadata, { status: { conditions } });
}

const named = (metadata: object = OURS): InfrastructureMachine =>
  infra(metadata, { spec: { providerID: 'aws:///z/i-1' } });
const instance = (state: InstanceState): Instance => ({ id: 'i-1', state }) as Instance;
const CORE = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'any', metadata: { name: 'c' } };
const CLUSTER: Cluster = { ...CORE, status: { infrastructureReady: true } };
const OWNER: Machine = { ...CORE, spec: { bootstrap: { dataSecretName: 'boot' } } };
const PAUSED = { annotations: { 'cluster.x-k8s.io/paused': '' } };

type Given = Partial<MachineInputs>;

describe('an infrastructure machine', () => {
  it.each<[string, Given, Partial<MachineDecision>]>([
    ['is left alone without a Machine', { owner: undefined }, { do: 'ignore', reason: 'no Machine owns it yet' }],
    [
      'is left alone without a Cluster',
      { cluster: undefined },
      { do: 'ignore', reason: 'its Cluster is not there yet' },
    ],
    ['is adopted before anything is made', { infra: infra() }, { do: 'adopt' }],
    ['is held up by its own annotation', { infra: infra(PAUSED) }, { do: 'pause' }],
    ['is held up by its cluster', { cluster: { ...CLUSTER, spec: { paused: true } } }, { do: 'pause' }],
    ['is held up even when it is going', { infra: named({ ...OURS, ...GOING, ...PAUSED }) }, { do: 'pause' }],
    [
      'waits for the infrastructure of the cluster',
      { cluster: CORE },
      { do: 'wait', reason: 'WaitingForClusterInfrastructure' },
    ],
    ['waits for what to boot with', { owner: CORE }, { do: 'wait', reason: 'WaitingForBootstrapData' }],
    [
      'reads the newer word for ready infrastructure',
      { cluster: { ...CORE, status: { initialization: { infrastructureProvisioned: true } } } },
      { do: 'create', secret: 'boot' },
    ],
    ['gets its instance', {}, { do: 'create', secret: 'boot' }],
    ['asks again after a refusal', { infra: withReason(PROVISION_FAILED) }, { do: 'create', secret: 'boot' }],
    ['is compared with its instance', { infra: named(), instance: instance('pending') }, { do: 'observe' }],
    ['looks again for a fresh instance', { infra: named(), missingForMs: HIDDEN_MS - 1 }, { do: 'look-again' }],
    [
      'fails when its instance is gone',
      { infra: named(), missingForMs: HIDDEN_MS },
      { do: 'fail', reason: 'InstanceNotFound' },
    ],
    [
      'fails when its instance was terminated',
      { infra: named(), instance: instance('terminated') },
      { do: 'fail', reason: 'InstanceTerminated', message: 'instance i-1 was terminated' },
    ],
    [
      'stays failed',
      { infra: infra(OURS, { status: { failureReason: 'CreateError' } }) },
      { do: 'ignore', reason: 'it has failed for good' },
    ],
    ['that is going and not ours is left alone', { infra: infra(GOING) }, { do: 'ignore', reason: 'it is going' }],
    [
      'ends its instance first',
      { infra: named({ ...OURS, ...GOING }), instance: instance('running') },
      { do: 'terminate' },
    ],
    [
      'ends a stopped instance too',
      { infra: named({ ...OURS, ...GOING }), instance: instance('stopped') },
      { do: 'terminate' },
    ],
    ['waits for its end', { infra: named({ ...OURS, ...GOING }), instance: instance('stopping') }, { do: 'await-end' }],
    ['goes after it', { infra: named({ ...OURS, ...GOING }), instance: instance('terminated') }, { do: 'release' }],
    ['that never asked goes at once', { infra: infra({ ...OURS, ...GOING }) }, { do: 'release' }],
    [
      'that only waited goes at once',
      { infra: withReason('WaitingForBootstrapData', { ...OURS, ...GOING }) },
      { do: 'release' },
    ],
    [
      'that may have asked looks',
      { infra: withReason(PROVISION_STARTED, { ...OURS, ...GOING }) },
      { do: 'look-again' },
    ],
    [
      'that may have created an instance before it reported anything looks again',
      { infra: infra({ ...OURS, ...GOING, annotations: { [ASKED_ANNOTATION]: 'true' } }) },
      { do: 'look-again' },
    ],
    ['that was refused looks', { infra: withReason(PROVISION_FAILED, { ...OURS, ...GOING }) }, { do: 'look-again' }],
    [
      'that was refused for good looks',
      { infra: withReason(CREATE_ERROR, { ...OURS, ...GOING }) },
      { do: 'look-again' },
    ],
    [
      'that looked long enough goes',
      { infra: withReason(PROVISION_STARTED, { ...OURS, ...GOING }), missingForMs: HIDDEN_MS },
      { do: 'release' },
    ],
    [
      'goes without its Machine and Cluster',
      { infra: named({ ...OURS, ...GOING }), instance: instance('terminated'), owner: undefined, cluster: undefined },
      { do: 'release' },
    ],
  ])('%s', (_, given, expected) => {
    const inputs: MachineInputs = {
      row,
      infra: infra(OURS),
      owner: OWNER,
      cluster: CLUSTER,
      instance: undefined,
      missingForMs: 0,
      ...given,
    };
    expect(decideMachine(inputs)).toMatchObject(expected);
  });
});

describe('an infrastructure cluster', () => {
  const ours = { finalizers: [row.clusterFinalizer] };
  it.each<[string, Partial<ClusterInputs>, string]>([
    [
      'that is externally managed is left alone',
      { infra: infra({ annotations: { 'cluster.x-k8s.io/managed-by': 'x' } }) },
      'ignore',
    ],
    ['of nobody is left alone', { owner: undefined }, 'ignore'],
    ['is adopted', { infra: infra() }, 'adopt'],
    ['is provisioned', {}, 'provision'],
    ['is held up', { infra: infra({ ...ours, ...PAUSED }) }, 'pause'],
    ['waits for its machines', { infra: infra({ ...ours, ...GOING }), machines: 1 }, 'wait-for-machines'],
    ['goes after them', { infra: infra({ ...ours, ...GOING }) }, 'release'],
    ['that is going and not ours is left alone', { infra: infra(GOING) }, 'ignore'],
  ])('%s', (_, given, expected) => {
    const inputs: ClusterInputs = { row, infra: infra(ours), owner: CLUSTER, machines: 0, ...given };
    expect(decideCluster(inputs).do).toBe(expected);
  });
});

describe('the status', () => {
  const text = { type: 'Ready', status: 'False', reason: 'Waiting', message: 'for it' } as const;

  it.each([
    [
      'v1beta1',
      {
        type: 'Ready',
        status: 'False',
        severity: 'Info',
        reason: 'Waiting',
        message: 'for it',
        lastTransitionTime: NOW,
      },
    ],
    ['v1beta2', { type: 'Ready', status: 'False', reason: 'Waiting', message: 'for it', lastTransitionTime: NOW }],
  ] as const)(
    'writes conditions of the contract %s, and is the same object when nothing changes',
    (contract, condition) => {
      const status = withCondition({}, text, { contract, now: NOW });
      expect(status.conditions).toEqual([condition]);
      expect(withCondition(status, text, { contract, now: 'later' })).toBe(status);
      const ready = withCondition(status, { ...text, status: 'True' }, { contract, now: 'later' });
      expect(ready.conditions?.[0]).toMatchObject({ status: 'True', lastTransitionTime: 'later' });
    },
  );

  it('reports failure domains, by name or as a list', () => {
    const old = withFailureDomains({}, ['a', 'b'], 'v1beta1');
    expect(old).toEqual({ failureDomains: { a: { controlPlane: true }, b: { controlPlane: true } } });
    expect(withFailureDomains(old, ['a', 'b'], 'v1beta1')).toBe(old);
    expect(withFailureDomains({}, ['a'], 'v1beta2')).toEqual({ failureDomains: [{ name: 'a', controlPlane: true }] });
    expect(withFailureDomains({}, undefined, 'v1beta1')).toEqual({});
  });

  it('stays provisioned in the newer contract and not in the older', () => {
    expect(withReadiness({ ready: true }, false, 'v1beta1')).toEqual({ ready: false });
    const provisioned = { initialization: { provisioned: true } };
    expect(withReadiness(provisioned, false, 'v1beta2')).toBe(provisioned);
  });
});

it('the first field with a value wins', () => {
  const sources = { machine: infra({}, { spec: { a: { b: '' }, n: 4 } }), cluster: undefined, owner: undefined };
  expect(firstField(['cluster.spec.x', 'machine.spec.a.b', 'machine.spec.n'], sources)).toBe('4');
  expect(firstField(['owner.spec.failureDomain'], sources)).toBeUndefined();
});

it('every platform has kinds and finalizers of its own', () => {
  const rows = Object.values(PLATFORMS);
  expect(Object.entries(PLATFORMS).filter(([name, { platform }]) => name !== platform)).toEqual([]);
  for (const of of [
    rows.map((r) => r.prefix),
    rows.map((r) => r.machineFinalizer),
    rows.map((r) => r.clusterFinalizer),
  ])
    expect(new Set(of).size).toBe(rows.length);
});
