import type { KubeObject } from '@capstan/meta';
import { PAUSED_ANNOTATION, PAUSED_AS_COPY } from '@capstan/convert/machine-api';
import { describe, expect, it } from 'vitest';
import type { Authored } from '../shared/model.js';
import { decideHealth, isActing, isAllowed, remediatedBy } from './decide.js';
import type { CheckedMachine, HealthCheck } from './examine.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const LONG_AGO = '2026-01-01T00:00:00Z';
const JUST_NOW = '2026-01-01T00:59:30Z';
const COPY = { [PAUSED_ANNOTATION]: PAUSED_AS_COPY };
const OWNED = [{ apiVersion: 'v1', kind: 'MachineSet', name: 'workers', uid: 'u', controller: true }];

const condition = (type: string, status: string, lastTransitionTime = LONG_AGO): object => ({
  type,
  status,
  lastTransitionTime,
});
const object = (kind: string, name: string, rest: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, creationTimestamp: LONG_AGO, ...metadata },
  ...rest,
});
const cluster = object('Cluster', 'c', {
  status: { conditions: [condition('InfrastructureReady', 'True'), condition('ControlPlaneInitialized', 'True')] },
});
const node = (ready: string, since?: string): KubeObject =>
  object('Node', 'n', { status: { conditions: [condition('Ready', ready, since)] } });
const check = (remediation: object = {}): HealthCheck =>
  object('MachineHealthCheck', 'workers', {
    spec: {
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }] },
      remediation,
    },
  });

const MARKS = [condition('HealthCheckSucceeded', 'False'), condition('OwnerRemediated', 'False')];

interface Given {
  readonly name?: string;
  /** What the copy in Machine API reports; `none` where there is no such copy. */
  readonly authority?: string;
  readonly isPaused?: boolean;
  readonly isSetPaused?: boolean;
  readonly isMarked?: boolean;
  readonly capi?: object;
  readonly mapi?: object;
  readonly node?: CheckedMachine['node'];
}

function machine(given: Given): CheckedMachine {
  const { authority = 'MachineAPI', isMarked = false, isPaused = authority !== 'ClusterAPI', name = 'a' } = given;
  const conditions = isMarked ? MARKS : [];
  const pause = isPaused ? COPY : {};
  return {
    capi: object(
      'Machine',
      name,
      { status: { nodeRef: { name: 'n' }, conditions } },
      { annotations: pause, ownerReferences: OWNED, ...given.capi },
    ),
    mapi:
      authority === 'none'
        ? undefined
        : (object(
            'Machine',
            name,
            { status: { authoritativeAPI: authority, nodeRef: { name: 'n' } } },
            { ownerReferences: OWNED, ...given.mapi },
          ) as Authored),
    set: object('MachineSet', 'workers', {}, given.isSetPaused === true ? { annotations: COPY } : {}),
    node: 'node' in given ? given.node : node('False'),
  };
}

const deleted = (machines: readonly CheckedMachine[], of = check()): readonly string[] =>
  decideHealth({ check: of, cluster, machines, nowMs: NOW }).remediations.map(
    ({ by, object: { metadata } }) => `${metadata.name} by ${by}`,
  );

describe('Who deletes an unhealthy machine, by the authority of check, machine and set', () => {
  const counterpart = (authoritativeAPI: string): KubeObject =>
    object('MachineHealthCheck', 'workers', { status: { authoritativeAPI } });
  it.each<[string, string, Given, string | undefined]>([
    ['Machine API its own, alone', 'MachineAPI', {}, undefined],
    ['Machine API that of Cluster API, by its copy', 'MachineAPI', { authority: 'ClusterAPI' }, undefined],
    ['the operator that of Machine API, which Cluster API skips', 'ClusterAPI', {}, 'MachineAPI'],
    ['Cluster API its own', 'ClusterAPI', { authority: 'ClusterAPI', isMarked: true }, undefined],
    [
      'the operator that of Cluster API, whose set Cluster API does not act on',
      'ClusterAPI',
      { authority: 'ClusterAPI', isSetPaused: true, isMarked: true },
      'ClusterAPI',
    ],
    [
      'nobody that of Cluster API which its check has not asked for',
      'ClusterAPI',
      { authority: 'ClusterAPI', isSetPaused: true },
      undefined,
    ],
    ['nobody while the check moves', 'Migrating', {}, undefined],
  ])('%s', (_, authority, given, expected) => {
    const isOn = isActing(check(), counterpart(authority), cluster);
    expect(isOn ? remediatedBy(machine(given)) : undefined).toBe(expected);
    expect(isOn).toBe(authority === 'ClusterAPI');
  });

  it.each<[string, Given, string | undefined]>([
    ['of Machine API while it moves', { authority: 'Migrating', mapi: {} }, 'MachineAPI'],
    ['that is being deleted', { mapi: { deletionTimestamp: JUST_NOW } }, undefined],
    ['whose copy is being deleted', { capi: { deletionTimestamp: JUST_NOW } }, undefined],
    ['that nobody replaces', { mapi: { ownerReferences: [] } }, undefined],
    ['of Cluster API alone', { authority: 'none' }, undefined],
  ])('a machine %s', (_, given, expected) => {
    const { mapi, ...rest } = machine(given);
    const status = { ...mapi?.status, ...(given.authority === 'Migrating' && { synchronizedAPI: 'MachineAPI' }) };
    expect(remediatedBy({ ...rest, mapi: mapi && { ...mapi, status } })).toBe(expected);
  });

  it('a machine of Machine API without a copy in Cluster API', () => {
    const { capi: _, ...alone } = machine({});
    expect(deleted([alone])).toEqual(['a by MachineAPI']);
  });
});

describe('A health check of Cluster API', () => {
  it.each<[string, Given]>([
    ['is healthy', { node: node('True') }],
    ['is not unhealthy for long enough', { node: node('False', JUST_NOW) }],
    ['is paused by its user', { capi: { annotations: { [PAUSED_ANNOTATION]: '' } } }],
    ['is to be left alone', { mapi: { annotations: { 'cluster.x-k8s.io/skip-remediation': '' } } }],
    ['has a while for its node', { node: undefined, capi: { creationTimestamp: JUST_NOW, annotations: COPY } }],
  ])('leaves a machine of Machine API that %s', (_, given) => {
    expect(deleted([machine(given)])).toEqual([]);
  });

  it.each<[string, Given]>([
    ['has an unhealthy node', {}],
    ['has lost its node', { node: 'missing' }],
    ['got no node in time', { node: undefined }],
    [
      'is to be remediated',
      { node: node('True'), capi: { annotations: { ...COPY, 'cluster.x-k8s.io/remediate-machine': '' } } },
    ],
  ])('deletes a machine of Machine API that %s', (_, given) => {
    expect(deleted([machine(given)])).toEqual(['a by MachineAPI']);
  });

  it('looks again when a machine may be unhealthy', () => {
    const { againInMs } = decideHealth({
      check: check(),
      cluster,
      machines: [machine({ node: node('False', JUST_NOW) })],
      nowMs: NOW,
    });
    expect(againInMs).toBe(271_000);
  });

  it('expects nothing before the cluster is there', () => {
    const early = object('Cluster', 'c', { status: { conditions: [condition('InfrastructureReady', 'False')] } });
    expect(decideHealth({ check: check(), cluster: early, machines: [machine({})], nowMs: NOW }).remediations).toEqual(
      [],
    );
  });

  it('does not delete what a remediation template is for', () => {
    const of = check({ templateRef: { apiVersion: 'v1', kind: 'RestartTemplate', name: 'r' } });
    expect(decideHealth({ check: of, cluster, machines: [machine({})], nowMs: NOW })).toMatchObject({
      remediations: [],
      problem: { reason: 'RemediationSkipped' },
    });
  });
});

describe('How many machines may be unhealthy', () => {
  const theirs = (name: string): CheckedMachine => machine({ name, authority: 'ClusterAPI', isMarked: true });
  const healthy = (name: string): CheckedMachine => machine({ name, node: node('True') });
  const most = (unhealthyLessThanOrEqualTo: number | string): HealthCheck =>
    check({ triggerIf: { unhealthyLessThanOrEqualTo } });

  it('counts machines of both APIs, each once', () => {
    const machines = [machine({ name: 'a' }), theirs('b'), healthy('c'), healthy('d')];
    expect(deleted(machines, most(2))).toEqual(['a by MachineAPI']);
    expect(deleted(machines, most('50%'))).toEqual(['a by MachineAPI']);
    expect(deleted(machines, most(1))).toEqual([]);
    expect(deleted(machines, most('49%'))).toEqual([]);
    expect(decideHealth({ check: most(1), cluster, machines, nowMs: NOW }).problem?.reason).toBe(
      'RemediationRestricted',
    );
  });

  it('counts machines that are being deleted, so that replacing them is not done all at once', () => {
    const going = machine({ name: 'b', mapi: { deletionTimestamp: JUST_NOW }, node: node('True') });
    expect(deleted([machine({ name: 'a' }), going, healthy('c')], most(1))).toEqual([]);
  });

  it.each<[object, number, boolean]>([
    [{}, 3, true],
    [{ unhealthyLessThanOrEqualTo: '40%' }, 2, false],
    [{ unhealthyLessThanOrEqualTo: 'few' }, 0, false],
    [{ unhealthyInRange: '[1-2]' }, 2, true],
    [{ unhealthyInRange: '[1-2]' }, 3, false],
    [{ unhealthyInRange: '[2-3]' }, 1, false],
    [{ unhealthyInRange: '1-2' }, 1, false],
  ])('of 3 with %o: %i may be deleted is %s', (triggerIf, unhealthy, expected) => {
    expect(isAllowed(check({ triggerIf }), 3, 3 - unhealthy)).toBe(expected);
  });
});
