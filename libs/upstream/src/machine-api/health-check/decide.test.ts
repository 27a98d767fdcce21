import { describe, expect, it } from 'vitest';
import { ago, machine, node, NOW_MS } from '../testing/objects.js';
import { decideRemedy, healthOf, checkLimit, maxUnhealthy, survey } from './decide.js';
import { remediationObject } from './external.js';
import type { MachineHealthCheck } from './resources.js';

function check(spec: object = {}, annotations: Record<string, string> = {}): MachineHealthCheck {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name: 'workers', annotations },
    spec: {
      unhealthyConditions: [
        { type: 'Ready', status: 'Unknown', timeout: '5m' },
        { type: 'Ready', status: 'False', timeout: '300s' },
      ],
      ...spec,
    },
  };
}

const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'MachineSet', name: 's', uid: 'u', controller: true }] };
const well = machine('a', { status: { phase: 'Running', nodeRef: { name: 'n' } } });

describe('the health of a machine', () => {
  it.each([
    ['a ready node is well', well, node('n'), {}, { is: 'healthy' }],
    [
      'a failed machine is unwell at once',
      machine('a', { status: { phase: 'Failed' } }),
      undefined,
      {},
      { is: 'unhealthy', why: 'machine phase is "Failed"' },
    ],
    ['a lost node is unwell at once', well, 'lost', {}, { is: 'unhealthy', why: 'its node does not exist' }],
    ['a silent node is given time', well, node('n', 'Unknown', 100), {}, { is: 'pending', ms: 201_000 }],
    ['to the second', well, node('n', 'Unknown', 300), {}, { is: 'pending', ms: 1000 }],
    [
      'and no longer',
      well,
      node('n', 'Unknown', 301),
      {},
      { is: 'unhealthy', why: 'condition Ready in state Unknown longer than 5m' },
    ],
    [
      'a node of another condition is well',
      well,
      node('n', 'Unknown', 301),
      { unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '1s' }] },
      { is: 'healthy' },
    ],
    ['a machine nobody wrote about is given time', machine('a'), undefined, {}, { is: 'pending', ms: 600_000 }],
    [
      'a machine without node is given time',
      machine('a', { status: { lastUpdated: ago(60) } }),
      undefined,
      {},
      { is: 'pending', ms: 541_000 },
    ],
    [
      'and no longer',
      machine('a', { status: { lastUpdated: ago(601) } }),
      undefined,
      {},
      { is: 'unhealthy', why: 'machine has no node after 10m' },
    ],
    [
      'for the timeout of the check',
      machine('a', { status: { lastUpdated: ago(61) } }),
      undefined,
      { nodeStartupTimeout: '1m' },
      { is: 'unhealthy', why: 'machine has no node after 1m' },
    ],
    [
      'for ever when that is off',
      machine('a', { status: { lastUpdated: ago(9999) } }),
      undefined,
      { nodeStartupTimeout: '0' },
      { is: 'pending' },
    ],
    [
      'a machine that goes is not well',
      machine('a', { metadata: { deletionTimestamp: ago(1) }, status: { nodeRef: { name: 'n' } } }),
      node('n'),
      {},
      { is: 'pending' },
    ],
    [
      'nor one that is being remediated',
      machine('a', { metadata: { annotations: { 'host.metal3.io/external-remediation': '' } } }),
      node('n'),
      {},
      { is: 'pending' },
    ],
  ] as const)('%s', (...[, each, its, spec, expected]) => {
    expect(healthOf({ machine: each, node: its }, check(spec), NOW_MS)).toEqual(expected);
  });

  it.each([
    [undefined, 5, 5],
    ['100%', 5, 5],
    ['40%', 5, 2],
    ['40%', 4, 1],
    ['3', 5, 3],
    [1, 5, 1],
    [-1, 5, 0],
    ['many', 5, undefined],
  ])('of maxUnhealthy %j with %i machines %j may be unwell', (wanted, total, expected) => {
    expect(maxUnhealthy(check(wanted === undefined ? {} : { maxUnhealthy: wanted }), total)).toBe(expected);
  });

  const targets = [
    { machine: machine('a'), node: node('n1') },
    { machine: machine('b'), node: node('n2', 'Unknown', 400) },
    { machine: machine('c'), node: node('n3', 'Unknown', 200) },
    { machine: machine('d', { status: { lastUpdated: ago(300) } }), node: undefined },
  ];
  it('is surveyed', () => {
    const seen = survey(targets, check(), NOW_MS);
    expect(seen.healthy.map(({ machine: { metadata } }) => metadata.name)).toEqual(['a']);
    expect(seen.unhealthy.map(({ target }) => target.machine.metadata.name)).toEqual(['b']);
    expect(seen.lookAgainMs).toBe(101_000);
  });

  it.each([
    ['100%', true, 1],
    ['75%', true, 0],
    ['50%', false, 0],
    [2, false, 0],
    ['x', false, 0],
  ])('with maxUnhealthy %j may be remediated: %j, %i more', (wanted, isAllowed, remediationsAllowed) => {
    const limited = check({ maxUnhealthy: wanted });
    const verdict = checkLimit(limited, 4, survey(targets, limited, NOW_MS));
    expect(verdict).toMatchObject({
      isAllowed,
      status: { expectedMachines: 4, currentHealthy: 1, remediationsAllowed },
    });
    expect(verdict.message).toBe(`(total: 4, unhealthy: 3, maxUnhealthy: ${wanted})`);
  });

  const external = { 'machine.openshift.io/remediation-strategy': 'external-baremetal' };
  const remediationTemplate = { apiVersion: 'x/v1', kind: 'FixTemplate', name: 't' };
  it.each([
    ['is remediated by deletion when it has an owner', machine('a', { metadata: owned }), check(), 'delete'],
    ['goes once only', machine('a', { metadata: { ...owned, deletionTimestamp: ago(1) } }), check(), 'already'],
    ['is left alone without an owner', machine('a'), check(), 'leave-alone'],
    ['is remediated by its host', machine('a', { metadata: owned }), check({}, external), 'external-annotation'],
    [
      'is annotated for its host once',
      machine('a', { metadata: { ...owned, annotations: { 'host.metal3.io/external-remediation': '' } } }),
      check({}, external),
      'already',
    ],
    [
      'goes when it has failed, host or not',
      machine('a', { metadata: owned, status: { phase: 'Failed' } }),
      check({}, external),
      'delete',
    ],
    [
      'is remediated by the controller of the template',
      machine('a', { metadata: owned }),
      check({ remediationTemplate }),
      'external-object',
    ],
  ])('%s', (_name, each, by, remedy) => {
    expect(decideRemedy(each, by)).toBe(remedy);
  });

  it('is asked of others in the machine’s own name', () => {
    const template = {
      apiVersion: 'x/v1',
      kind: 'FixTemplate',
      metadata: { name: 't' },
      spec: { template: { spec: { how: 'reboot' } } },
    };
    expect(remediationObject(template, machine('a'))).toEqual({
      apiVersion: 'x/v1',
      kind: 'Fix',
      metadata: {
        name: 'a',
        namespace: 'openshift-machine-api',
        ownerReferences: [{ apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', name: 'a', uid: 'uid-a' }],
      },
      spec: { how: 'reboot' },
    });
  });
});
