import { describe, expect, it } from 'vitest';
import type { Node, Taint, Toleration } from '../daemon-set/placement.js';
import { lastObservedMs } from '../event-ttl-controller.js';
import type { Pod } from '../workload/resources.js';
import { decideTaints, leavesInMs, unknownConditions } from './decide.js';
import { decideOrphan } from './pod-garbage-collector.js';

const NOW = '2030-01-01T00:00:00Z';
const NOW_MS = Date.parse(NOW);

/** Conditions as `Ready=True MemoryPressure=False`, taints as `key:Effect`. */
function node(conditions: string, taints = '', unschedulable = false): Node {
  const words = (text: string): string[] => text.split(' ').filter(Boolean);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: {
      unschedulable,
      taints: words(taints).map((text) => {
        const [key = '', effect = ''] = text.split(':');
        return { key: key.replace('~', 'node.kubernetes.io/'), effect };
      }),
    },
    status: {
      conditions: words(conditions).map((text) => {
        const [type = '', status = ''] = text.split('=');
        return { type, status, lastTransitionTime: '2029-01-01T00:00:00Z' };
      }),
    },
  };
}

const shown = (taints: readonly Taint[] | undefined): string | undefined =>
  taints
    ?.map(
      ({ effect, key, timeAdded }) =>
        `${key?.replace('node.kubernetes.io/', '~')}:${effect}${timeAdded === undefined ? '' : '@'}`,
    )
    .join(' ');

describe('the taints of a node', () => {
  it.each([
    ['stay while nothing is known', node('', '~not-ready:NoSchedule'), undefined],
    ['go when it is ready', node('Ready=True', '~not-ready:NoSchedule'), ''],
    ['stay when they are right', node('Ready=True'), undefined],
    ['say that it is not ready', node('Ready=False'), '~not-ready:NoSchedule ~not-ready:NoExecute@'],
    [
      'say that it cannot be reached',
      node('Ready=Unknown', '~not-ready:NoSchedule ~not-ready:NoExecute'),
      '~unreachable:NoSchedule ~unreachable:NoExecute@',
    ],
    ['are not added again', node('Ready=Unknown', '~unreachable:NoSchedule ~unreachable:NoExecute'), undefined],
    ['report pressure', node('Ready=True DiskPressure=True'), '~disk-pressure:NoSchedule'],
    [
      'report that it is cordoned',
      node('Ready=True', 'own:NoExecute', true),
      'own:NoExecute ~unschedulable:NoSchedule',
    ],
    ['leave those of others', node('Ready=True', 'own:NoExecute ~unschedulable:NoSchedule'), 'own:NoExecute'],
  ])('%s', (_, of, wanted) => {
    expect(shown(decideTaints(of, NOW))).toBe(wanted);
  });

  it('come with conditions nobody knows', () => {
    const of = { ...node('Ready=True Own=True'), metadata: { name: 'n', creationTimestamp: '2029-06-01T00:00:00Z' } };
    const conditions = unknownConditions(of, NOW).map(
      ({ reason, status, type }) => `${type}=${status} ${reason ?? ''}`,
    );
    expect(conditions).toEqual([
      'Own=True ',
      'Ready=Unknown NodeStatusUnknown',
      'MemoryPressure=Unknown NodeStatusNeverUpdated',
      'DiskPressure=Unknown NodeStatusNeverUpdated',
      'PIDPressure=Unknown NodeStatusNeverUpdated',
    ]);
  });
});

describe('a pod', () => {
  const pod = (tolerations: Toleration[] = [], rest: Partial<Pod['metadata']> = {}): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...rest },
    spec: { nodeName: 'n', tolerations },
  });
  const tainted = (...seconds: number[]): Node => {
    const taints = seconds.map((ago, at) => ({
      key: `t${at}`,
      effect: 'NoExecute',
      timeAdded: new Date(NOW_MS - ago * 1000).toISOString(),
    }));
    return { ...node(''), spec: { taints } };
  };
  const bears = (key: string, tolerationSeconds?: number): Toleration => ({
    key,
    operator: 'Exists',
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  });
  it.each([
    ['stays where nothing is wrong', pod(), tainted(), undefined],
    ['leaves at once what it does not bear', pod(), tainted(0), 0],
    ['stays with what it bears', pod([bears('t0')]), tainted(0), undefined],
    ['bears it for a while', pod([bears('t0', 300)]), tainted(100), 200_000],
    ['leaves when that has passed', pod([bears('t0', 300)]), tainted(400), 0],
    ['must bear all', pod([bears('t0')]), tainted(0, 0), 0],
    ['bears the shortest, from the first', pod([bears('t0', 50), bears('t1', 90)]), tainted(10, 5), 40_000],
    ['leaves once', pod([], { deletionTimestamp: NOW }), tainted(0), undefined],
  ])('%s', (_, of, on, wanted) => {
    expect(leavesInMs(of, on, NOW_MS)).toBe(wanted);
  });

  it.each([
    [pod(), true, undefined],
    [pod(), false, 'node'],
    [{ ...pod(), spec: {} }, false, undefined],
    [{ ...pod([], { deletionTimestamp: NOW }), spec: {} }, false, 'unscheduled'],
  ])('is an orphan or not', (of, hasNode, wanted) => {
    expect(decideOrphan(of, hasNode)).toBe(wanted);
  });

  it('is reported by events, whose last time counts', () => {
    const event = { apiVersion: 'v1', kind: 'Event', metadata: { creationTimestamp: '2029-01-01T00:00:00Z' } };
    expect(lastObservedMs({ ...event, lastTimestamp: null, eventTime: null })).toBe(Date.parse('2029-01-01T00:00:00Z'));
    expect(lastObservedMs({ ...event, series: { lastObservedTime: NOW } })).toBe(NOW_MS);
  });
});
