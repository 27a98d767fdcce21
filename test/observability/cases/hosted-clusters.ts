import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { NodePoolMetrics, registerHostedClusterMetrics } from '@capstan/hypershift';
import { renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import type { AlertCase } from '../alert-case.js';
import { NO_TARGET } from '../scrape.js';
import type { Target } from '../scrape.js';

const UNAVAILABLE = 'HyperShiftHostedClusterUnavailable';
const NOT_AT_VERSION = 'HyperShiftNodePoolNotAtVersion';
const DOWN = 'HyperShiftOperatorDown';
const CONTROL_PLANE_DOWN = 'HyperShiftControlPlaneOperatorDown';
const BEGAN_MS = Date.parse('2026-01-01T00:00:00Z');

/** A moment so many minutes after everything began. */
function at(minute: number): string {
  return new Date(BEGAN_MS + minute * 60_000).toISOString().replace('.000Z', 'Z');
}

/** What an operator sees at a minute; nothing while it does not answer. */
interface Seen {
  readonly clusters?: readonly HostedCluster[];
  readonly pools?: readonly NodePool[];
}

function operator(pod: string, see: (minute: number) => Seen | 'away' | 'gone', namespace = 'hypershift'): Target {
  return {
    labels: { namespace, pod, container: 'operator', job: 'operator' },
    start: () => {
      const families: MetricFamily[] = [];
      const metrics = { register: (...more: readonly MetricFamily[]) => void families.push(...more) };
      let now = 0;
      let seen: Seen = {};
      const clock = { now: () => BEGAN_MS + now * 60_000 };
      const clusters = (): readonly HostedCluster[] => seen.clusters ?? [];
      registerHostedClusterMetrics({ clusters, clock, metrics });
      void new NodePoolMetrics({ pools: () => seen.pools ?? [], clusters, sizeOf: () => 2, clock, metrics });
      return (minute) => {
        const found = see(minute);
        if (found === 'gone') return NO_TARGET;
        if (found === 'away') return undefined;
        now = minute;
        seen = found;
        return renderMetrics(families);
      };
    },
  };
}

function cluster(name: string, isAvailable: boolean, deletionTimestamp?: string): HostedCluster {
  const conditions = [{ type: 'Available', status: isAvailable ? 'True' : 'False', reason: 'SetByTest', message: '' }];
  const made: unknown = {
    metadata: { name, namespace: 'clusters', creationTimestamp: at(0), deletionTimestamp },
    spec: { clusterID: `id-of-${name}`, platform: { type: 'Harbour' } },
    status: { conditions },
  };
  return made as HostedCluster;
}

/** A pool that is at its version, or has been on its way to another since a minute. */
function pool(name: string, updatingSince: number | undefined, isGoing = false): NodePool {
  const status = updatingSince === undefined ? 'False' : 'True';
  const made: unknown = {
    metadata: { name, namespace: 'clusters', creationTimestamp: at(0), deletionTimestamp: isGoing ? at(1) : undefined },
    spec: { clusterName: 'one', platform: { type: 'Harbour' }, management: { upgradeType: 'Replace' } },
    status: {
      version: '4.22.0',
      conditions: [{ type: 'UpdatingVersion', status, lastTransitionTime: at(updatingSince ?? 0) }],
    },
  };
  return made as NodePool;
}

/** A pool that has never been at a version. */
function young(name: string): NodePool {
  const { status: _, ...rest } = pool(name, undefined);
  return rest;
}

/** One of the operators of a control plane. */
function guardian(container: string, state: (minute: number) => 'up' | 'down' | 'gone'): Target {
  return {
    labels: { namespace: 'clusters-one', pod: `${container}-0`, container },
    start: () => (minute) => {
      const now = state(minute);
      if (now === 'gone') return NO_TARGET;
      return now === 'up' ? '' : undefined;
    },
  };
}

const ofCluster = { namespace: 'clusters', name: 'two' };
const ofPool = { namespace: 'clusters', name: 'two', cluster_name: 'one' };
const well: Seen = { clusters: [cluster('one', true)], pools: [pool('one', undefined)] };

const unavailableCases: readonly AlertCase[] = [
  {
    alert: UNAVAILABLE,
    name: 'is silent while clusters are available, one comes up in twenty minutes and one goes',
    minutes: 90,
    targets: [
      operator('operator-0', (minute) => ({
        clusters: [cluster('one', true), cluster('two', minute >= 20), cluster('three', false, at(0))],
      })),
    ],
    firing: [],
  },
  {
    alert: UNAVAILABLE,
    name: 'fires after half an hour, names the cluster whatever the number of replicas, and stops when it is back',
    minutes: 90,
    targets: ['operator-0', 'operator-1'].map((name) =>
      operator(name, (minute) => ({ clusters: [cluster('one', true), cluster('two', minute < 10 || minute >= 60)] })),
    ),
    firing: [{ labels: ofCluster, from: 40, until: 60 }],
  },
  {
    alert: UNAVAILABLE,
    name: 'begins again each time that a cluster is back',
    minutes: 90,
    targets: [operator('operator-0', (minute) => ({ clusters: [cluster('two', minute % 25 === 0)] }))],
    firing: [],
  },
];

const versionCases: readonly AlertCase[] = [
  {
    alert: NOT_AT_VERSION,
    name: 'is silent while a pool takes an hour and a half, and when one goes on the way',
    minutes: 240,
    targets: [
      operator('operator-0', (minute) => ({
        pools: [
          pool('one', undefined),
          pool('two', minute >= 10 && minute < 100 ? 10 : undefined),
          pool('three', 0, true),
        ],
      })),
    ],
    firing: [],
  },
  {
    alert: NOT_AT_VERSION,
    name: 'fires when a pool has been on its way for two hours and five minutes, and stops when it has arrived',
    minutes: 240,
    targets: [
      operator('operator-0', (minute) => ({
        pools: [pool('one', undefined), pool('two', minute >= 10 && minute < 200 ? 10 : undefined)],
      })),
    ],
    // A series without new samples keeps its value for five minutes.
    firing: [{ labels: ofPool, from: 136, until: 204 }],
  },
  {
    alert: NOT_AT_VERSION,
    name: 'fires for a pool that has never come to a version',
    minutes: 150,
    targets: [operator('operator-0', () => ({ pools: [pool('one', undefined), young('two')] }))],
    firing: [{ labels: ofPool, from: 126 }],
  },
];

const downCases: readonly AlertCase[] = [
  {
    alert: DOWN,
    name: 'is silent while one of two replicas answers',
    minutes: 30,
    targets: [operator('operator-0', () => well), operator('operator-1', () => 'away')],
    firing: [],
  },
  {
    alert: DOWN,
    name: 'fires five minutes after no replica answers, and stops when one does',
    minutes: 30,
    targets: [
      operator('operator-0', (minute) => (minute < 5 ? well : 'away')),
      operator('operator-1', (minute) => (minute < 10 || minute >= 20 ? well : 'away')),
    ],
    firing: [{ labels: { namespace: 'hypershift' }, from: 15, until: 20 }],
  },
  {
    alert: DOWN,
    name: 'fires when there has never been one',
    minutes: 10,
    targets: [],
    firing: [{ labels: { job: 'operator' }, from: 5 }],
  },
  {
    alert: CONTROL_PLANE_DOWN,
    name: 'is silent where no cluster is hosted, where one goes, and while both answer but for a restart',
    minutes: 40,
    targets: [
      guardian('control-plane-operator', (minute) => (minute < 20 ? 'up' : 'gone')),
      guardian('hosted-cluster-config-operator', (minute) => (minute === 8 ? 'down' : 'up')),
    ],
    firing: [],
  },
  {
    alert: CONTROL_PLANE_DOWN,
    name: 'fires ten minutes after one of them does not answer, names it, and stops when it does',
    minutes: 40,
    targets: [
      guardian('control-plane-operator', () => 'up'),
      guardian('hosted-cluster-config-operator', (minute) => (minute >= 5 && minute < 30 ? 'down' : 'up')),
    ],
    firing: [
      { labels: { namespace: 'clusters-one', container: 'hosted-cluster-config-operator' }, from: 15, until: 30 },
    ],
  },
];

/** When hosted clusters, their pools and their operators need an administrator. */
export const hostedClusterCases: readonly AlertCase[] = [...unavailableCases, ...versionCases, ...downCases];
