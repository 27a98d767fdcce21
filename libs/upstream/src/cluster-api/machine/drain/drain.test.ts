import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineDrainRule, Pod } from '../../types.js';
import { hooksOf, isDrainDue, isVolumeDetachDue } from '../node-deletion.js';
import { fateOf, planRound, rulesFor } from './classify.js';
import type { DrainView, PodFate } from './classify.js';
import { drainText, isDrained } from './drain.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const EARLIER = '2026-01-01T00:00:00Z';

function machine(metadata: object = {}, spec: object = {}, status: object = {}): Machine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'n', ...metadata },
    spec: { clusterName: 'one', ...spec },
    status,
  };
}

describe('what a drain does with a pod', () => {
  const pod = (metadata: object = {}, status: object = {}): Pod =>
    ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', ...metadata }, status }) as Pod;
  const namespaces = new Map<string, KubeObject>([
    ['n', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: { team: 'a' } } }],
  ]);
  const view: DrainView = { rules: [], namespaces, daemonSets: new Set(['n/d']), nowMs: NOW };
  const ofSet = (name: string): object => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: 'u', controller: true }],
  });
  const rule = (drain: object, more: object = {}): MachineDrainRule =>
    ({ metadata: { name: 'r' }, spec: { drain, ...more } }) as unknown as MachineDrainRule;

  it.each<[string, Pod, Partial<DrainView>, PodFate]>([
    ['evicts it', pod(), {}, { act: 'Drain', order: 0 }],
    ['leaves those of DaemonSets', pod(ofSet('d')), {}, { act: 'Skip' }],
    ['evicts those of DaemonSets that are gone', pod(ofSet('x')), {}, { act: 'Drain', order: 0 }],
    ['evicts those that have ended', pod(ofSet('d'), { phase: 'Succeeded' }), {}, { act: 'Drain', order: 0 }],
    ['leaves those of files', pod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }), {}, { act: 'Skip' }],
    ['leaves those that say so', pod({ labels: { 'cluster.x-k8s.io/drain': 'Skip' } }), {}, { act: 'Skip' }],
    [
      'waits for those that say so',
      pod({ labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } }),
      {},
      { act: 'WaitCompleted', order: 0 },
    ],
    [
      'gives up on those that a dead node keeps',
      pod({ deletionTimestamp: EARLIER }),
      { skipGoingAfterMs: 1000 },
      { act: 'Skip' },
    ],
    ['follows a rule', pod(), { rules: [rule({ behavior: 'Drain', order: 5 })] }, { act: 'Drain', order: 5 }],
    [
      'follows a rule of the namespace',
      pod(),
      { rules: [rule({ behavior: 'Skip' }, { pods: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] })] },
      { act: 'Skip' },
    ],
    [
      'ignores a rule for others',
      pod(),
      { rules: [rule({ behavior: 'Skip' }, { pods: [{ selector: { matchLabels: { x: 'y' } } }] })] },
      { act: 'Drain', order: 0 },
    ],
    [
      'cannot place a pod without namespace',
      pod({ namespace: 'x' }),
      {},
      { act: 'Fail', message: 'Pod Namespace does not exist' },
    ],
  ])('%s', (_, object, more, fate) => {
    expect(fateOf(object, { ...view, ...more })).toEqual(fate);
  });

  it('rules count for the machines they select', () => {
    const mine = rule({ behavior: 'Skip' }, { machines: [{ selector: { matchLabels: { pool: 'p' } } }] });
    const cluster = { metadata: { name: 'one' } } as Cluster;
    expect(rulesFor([mine], machine({ labels: { pool: 'p' } }), cluster)).toHaveLength(1);
    expect(rulesFor([mine], machine(), cluster)).toHaveLength(0);
  });

  it('evicts those of the lowest order first, and reports all', () => {
    const named = (name: string, metadata: object = {}): Pod => pod({ name, ...metadata });
    const round = planRound([
      [named('b'), { act: 'Drain', order: 0 }],
      [named('c'), { act: 'Drain', order: 5 }],
      [named('a'), { act: 'Drain', order: 0 }],
      [named('d', { deletionTimestamp: EARLIER }), { act: 'Drain', order: 0 }],
      [named('e'), { act: 'WaitCompleted', order: 0 }],
      [named('f'), { act: 'Skip' }],
    ]);
    expect(round.evict.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    const refused = "Cannot evict pod as it would violate the pod's disruption budget. x";
    const drained = { round, evicted: [named('a')], failed: new Map([[refused, [named('b')]]]) };
    expect(isDrained(drained)).toBe(false);
    expect(drainText(drained, EARLIER)).toBe(
      [
        `Drain not completed yet (started at ${EARLIER}):`,
        '* Pods n/d, n/a: deletionTimestamp set, but still not removed from the Node',
        "* Pod n/b: cannot evict pod as it would violate the pod's disruption budget. x",
        '* Pod n/e: waiting for completion',
        'After above Pods have been removed from the Node, the following Pods will be evicted: n/c',
      ].join('\n'),
    );
    expect(isDrained({ round: planRound([[named('f'), { act: 'Skip' }]]), evicted: [], failed: new Map() })).toBe(true);
  });

  it.each<[string, object, object, object, boolean]>([
    ['always, without a limit', {}, {}, {}, true],
    [
      'not when its drain rule skips it',
      { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } },
      {},
      {},
      false,
    ],
    [
      'not beyond its time',
      {},
      { deletion: { nodeDrainTimeoutSeconds: 60 } },
      { deletion: { nodeDrainStartTime: EARLIER } },
      false,
    ],
    [
      'within its time',
      {},
      { deletion: { nodeDrainTimeoutSeconds: 7200 } },
      { deletion: { nodeDrainStartTime: EARLIER } },
      true,
    ],
  ])('is due %s', (...[, metadata, spec, status, isDue]) => {
    expect(isDrainDue(machine(metadata, spec, status), NOW)).toBe(isDue);
  });

  it('volumes are waited for unless an annotation excludes them, and hooks are found by their prefix', () => {
    expect(isVolumeDetachDue(machine(), NOW)).toBe(true);
    expect(
      isVolumeDetachDue(
        machine({ annotations: { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' } }),
        NOW,
      ),
    ).toBe(false);
    const prefix = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
    expect(hooksOf(machine({ annotations: { [`${prefix}/b`]: '', [`${prefix}/a`]: '', other: '' } }), prefix)).toEqual([
      `${prefix}/a`,
      `${prefix}/b`,
    ]);
  });
});
