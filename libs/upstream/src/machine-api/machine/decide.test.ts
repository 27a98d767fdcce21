import { describe, expect, it } from 'vitest';
import type { Instance } from '../../cloud/instance.js';
import type { MachineCondition } from '../conditions.js';
import { ago, machine, node, NOW, NOW_MS } from '../testing/objects.js';
import { decideGoing, decideLeaving, decideLiving, decideStage } from './decide.js';
import { drainBlocker, drainWork } from './drain-decide.js';
import { nextStatus } from './status.js';

const instance = (state: Instance['state'], id = 'i-1'): Instance => ({
  platform: 'aws',
  token: 't',
  name: 'a',
  type: 'm6i.xlarge',
  image: 'ami',
  region: 'us-east-1',
  zone: 'us-east-1a',
  tags: {},
  userData: '',
  id,
  providerId: `aws:///us-east-1a/${id}`,
  state,
  addresses: [],
  hostname: 'a',
  caller: 'test',
  launchedAt: 0,
});

const exists = (status: 'True' | 'False', seconds: number): MachineCondition[] => [
  { type: 'InstanceExists', status, lastTransitionTime: ago(seconds) },
];
const going = { deletionTimestamp: ago(10), finalizers: ['machine.machine.openshift.io'] };
const made = { providerID: 'aws:///us-east-1a/i-1' };

describe('the stage of a machine', () => {
  it.each([
    ['without a finalizer it is guarded first', machine('a', { metadata: { finalizers: [] } }), 'unguarded'],
    ['guarded it lives', machine('a'), 'living'],
    ['failed it is left alone', machine('a', { status: { phase: 'Failed' } }), 'failed'],
    ['deleted it goes', machine('a', { metadata: going }), 'going'],
    ['failed and deleted it goes', machine('a', { metadata: going, status: { phase: 'Failed' } }), 'going'],
    [
      'deleted and held by others it is gone for us',
      machine('a', { metadata: { ...going, finalizers: ['other'] } }),
      'gone',
    ],
    ['without its cluster it is invalid', machine('a', { metadata: { labels: {} } }), 'invalid'],
    ['without a provider spec it is invalid', machine('a', { spec: { providerSpec: {} } }), 'invalid'],
  ])('%s', (_name, each, stage) => {
    expect(decideStage(each).stage).toBe(stage);
  });

  it('lists all that is wrong', () => {
    expect(decideStage(machine('a', { metadata: { labels: { x: 'y' } }, spec: { providerSpec: {} } }))).toEqual({
      stage: 'invalid',
      message:
        'a: machine validation failed: spec.labels: Invalid value: {"x":"y"}: missing ' +
        'machine.openshift.io/cluster-api-cluster label., spec.spec.providerspec: Invalid value: {}: value field must be set',
    });
  });
});

describe('a living machine', () => {
  it.each([
    ['is announced before anything is ordered', machine('a'), undefined, { step: 'announce' }],
    [
      'is ordered an instance once that is known',
      machine('a', { status: { phase: 'Provisioning' } }),
      undefined,
      { step: 'create' },
    ],
    ['follows what there is', machine('a'), instance('pending'), { step: 'follow', instance: instance('pending') }],
    [
      'waits for a fresh instance to be listed',
      machine('a', { spec: made, status: { conditions: exists('True', 20) } }),
      undefined,
      { step: 'wait', ms: 30_000 },
    ],
    [
      'waits no longer than lists may lag',
      machine('a', { spec: made, status: { conditions: exists('True', 110) } }),
      undefined,
      { step: 'wait', ms: 10_000 },
    ],
    [
      'fails when its instance is lost',
      machine('a', { spec: made, status: { conditions: exists('True', 120) } }),
      undefined,
      { step: 'fail', message: "can't find created instance" },
    ],
    [
      'fails when it was given a lost one',
      machine('a', { spec: made }),
      undefined,
      { step: 'fail', message: "can't find created instance" },
    ],
  ])('%s', (_name, each, found, expected) => {
    expect(decideLiving({ ...each, spec: { ...machine('a').spec, ...each.spec } }, found, NOW_MS)).toEqual(expected);
  });
});

describe('a machine that goes', () => {
  const phase = 'Deleting';
  const nodeRef = { name: 'n' };
  const drained: MachineCondition[] = [{ type: 'Drained', status: 'True', lastTransitionTime: NOW }];
  const hook = [{ name: 'h', owner: 'o' }];
  it.each([
    ['reports it', {}, 'announce'],
    ['is drained', { status: { phase, nodeRef } }, 'drain'],
    ['is not drained without a node', { status: { phase } }, 'skip-drain'],
    [
      'is not drained where that is unwanted',
      { metadata: { annotations: { 'machine.openshift.io/exclude-node-draining': '' } }, status: { phase, nodeRef } },
      'skip-drain',
    ],
    [
      'is held before it is drained',
      { spec: { lifecycleHooks: { preDrain: hook } }, status: { phase, nodeRef } },
      'held-before-drain',
    ],
    [
      'is terminated when drained',
      { spec: { lifecycleHooks: { preDrain: hook } }, status: { phase, nodeRef, conditions: drained } },
      'terminate',
    ],
    [
      'is held before it is terminated',
      { spec: { lifecycleHooks: { preTerminate: hook } }, status: { phase, nodeRef, conditions: drained } },
      'held-before-terminate',
    ],
  ])('%s', (_name, change, step) => {
    expect(decideGoing(machine('a', change)).step).toBe(step);
  });

  it.each([
    [
      'ends what there is',
      { spec: made },
      [instance('running'), instance('stopping', 'i-2')],
      { step: 'terminate', ids: ['i-1'] },
    ],
    [
      'writes down first what it never knew of',
      {},
      [instance('running')],
      { step: 'write-down', instance: instance('running') },
    ],
    ['waits for what is ending', { spec: made }, [instance('stopping')], { step: 'wait', ms: 30_000 }],
    ['is let go when nothing was ever ordered', {}, [], { step: 'release' }],
    [
      'is let go when its instance is gone',
      { spec: made, status: { conditions: exists('True', 3600) } },
      [],
      { step: 'release' },
    ],
    [
      'waits for an instance it has just been given to be listed',
      { spec: made, status: { conditions: exists('True', 20) } },
      [],
      { step: 'wait', ms: 100_000 },
    ],
    [
      'waits for an order nobody wrote down',
      { status: { conditions: exists('False', 3600) } },
      [],
      { step: 'wait', ms: 110_000 },
    ],
    [
      'does not wait for an order that was refused for good',
      { status: { conditions: exists('False', 5), errorReason: 'InvalidConfiguration' } },
      [],
      { step: 'release' },
    ],
  ])('%s', (_name, change, instances, expected) => {
    const spec = 'spec' in change ? change.spec : {};
    const status = 'status' in change ? { status: change.status } : {};
    expect(
      decideLeaving(machine('a', { metadata: going, spec, ...status }), instances, {
        nowMs: NOW_MS,
        emptySinceMs: NOW_MS - 10_000,
      }),
    ).toEqual(expected);
  });
});

describe('a drain', () => {
  const pod = (name: string, metadata: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
  });
  const owner = (kind: string) => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'u', controller: true }],
  });
  const pods = [
    pod('web', owner('ReplicaSet')),
    pod('bare'),
    pod('agent', owner('DaemonSet')),
    pod('static', { annotations: { 'kubernetes.io/config.mirror': 'h' } }),
    pod('leaving', { deletionTimestamp: ago(30) }),
  ];

  it('asks all to leave but those who would come back, and waits for the others', () => {
    const work = drainWork(pods, node('n'), NOW_MS);
    expect(work.toEvict.map(({ metadata }) => metadata.name)).toEqual(['web', 'bare']);
    expect(work.leaving.map(({ metadata }) => metadata.name)).toEqual(['leaving']);
  });

  it('does not wait for pods on an unreachable node', () => {
    expect(drainWork(pods, node('n', 'Unknown'), NOW_MS).leaving).toEqual([]);
  });

  it('takes one node of a control plane at a time', () => {
    const master = (name: string, unschedulable: boolean) =>
      node(name, 'True', 1, {
        metadata: { labels: { 'node-role.kubernetes.io/master': '' } },
        spec: { unschedulable },
      });
    const all = [master('a', false), master('b', true), node('w')];
    expect(drainBlocker(master('a', false), all)).toBe('b');
    expect(drainBlocker(master('b', true), all)).toBeUndefined();
    expect(drainBlocker(node('w'), all)).toBeUndefined();
    expect(
      drainBlocker(master('a', false), [master('a', false), node('w', 'True', 1, { spec: { unschedulable: true } })]),
    ).toBeUndefined();
  });
});

describe('the status of a machine', () => {
  it('reports hooks, and its time changes only with something else', () => {
    const hooked = machine('a', { spec: { lifecycleHooks: { preDrain: [{ name: 'h', owner: 'o' }] } } });
    const first = nextStatus(hooked, { phase: 'Provisioning' }, ago(5));
    expect(first).toMatchObject({
      phase: 'Provisioning',
      lastUpdated: ago(5),
      conditions: [
        {
          type: 'Drainable',
          status: 'False',
          severity: 'Warning',
          reason: 'HookPresent',
          message: 'Drain operation currently blocked by: [{Name:h Owner:o}]',
        },
        { type: 'Terminable', status: 'True' },
      ],
    });
    const again = { ...hooked, status: first };
    expect(nextStatus(again, { phase: 'Provisioning' }, NOW)).toBe(first);
    expect(nextStatus(again, { phase: 'Running' }, NOW).lastUpdated).toBe(NOW);
  });

  it('names a failure and forgets it when it is over', () => {
    const failed = nextStatus(
      machine('a'),
      { phase: 'Failed', failure: { reason: 'InvalidConfiguration', message: 'no' } },
      NOW,
    );
    expect(failed).toMatchObject({ phase: 'Failed', errorReason: 'InvalidConfiguration', errorMessage: 'no' });
    expect(nextStatus({ ...machine('a'), status: failed }, { phase: 'Deleting' }, NOW)).not.toHaveProperty(
      'errorMessage',
    );
  });
});
